"""The tiers of history: what is long ago folds up into a few sentences of the profile.

    episodes of the last 30 days    stay, to be recalled one by one; `recent_months` sums them up
    up to 6 months ago              fold up into `earlier_context`
    before that                     into `long_term_background`, with what was earlier context until then

A folded episode goes to history, and can be had back from there. All sentences name the messages that they came from,
so that what is forgotten is forgotten here too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from langgraph.store.base import BaseStore, Item

from agent.memory.formation.digest import Digester, Periods
from agent.memory.records import batches, lookup, namespaces
from agent.memory.records.change_set import ChangeSet
from agent.memory.records.changes import Change, commit_change
from agent.memory.records.documents import from_document
from agent.memory.records.profile import Field, Profile, Sentence
from agent.memory.records.retirement import Retirement
from agent.timestamps import parse_timestamp
from agent.types import UserId

RECENT = timedelta(days=30)
EARLIER = timedelta(days=182)
PAUSE = timedelta(days=1)
"""Between two digests of one user's history: of what grows old meanwhile one call of the model makes one change."""
FOLDED_AT_ONCE = 60


@dataclass(frozen=True, slots=True)
class HistoryTiers:
    """Folds up what has grown old."""

    digester: Digester

    async def fold(self, store: BaseStore, user: UserId, at: datetime) -> datetime:
        """Fold up what is old by a moment, oldest first, at most `FOLDED_AT_ONCE` episodes, in one change.

        Returns:
            When to come again; `at` when there is more.

        Raises:
            FormationFailedError: there is no usable digest; nothing has changed.
            ChangedMeanwhileError: something else changed the same, again and again.
        """
        digests: dict[tuple[tuple[Field, tuple[Sentence, ...]], ...], dict[Field, tuple[Sentence, ...]]] = {}

        async def plan() -> Change[datetime]:
            exchange = await ChangeSet.of(store, user)
            episodes = sorted(await lookup.read_all(store, namespaces.memories(user, "episodic")), key=_when)
            old = [episode for episode in episodes if _when(episode) < at - RECENT]
            folding, recent = old[:FOLDED_AT_ONCE], episodes[len(old) :][-FOLDED_AT_ONCE:]
            periods = _periods(exchange.profile, folding, recent, at)
            if not periods:
                return Change([], {}, _again(exchange.profile, episodes, at))
            asked = tuple((name, tuple(told)) for name, told in periods.items())
            if asked not in digests:
                digests[asked] = await self.digester.digest(periods)
            known = {**exchange.profile.sentences, **digests[asked]}
            exchange.profile = Profile(known, at.isoformat())
            exchange.retire(folding, Retirement("upkeep", "folded"))
            change = exchange.change(_again(exchange.profile, episodes[len(folding) :], at))
            # What is told of the recent ones must not outlive them.
            return replace(change, preconditions={**change.preconditions, **batches.read_versions(recent)})

        return await commit_change(store, plan)


def _periods(known: Profile, folding: Sequence[Item], recent: Sequence[Item], at: datetime) -> Periods:
    """Return the periods that have something new to tell, each with all that there is of it; none if none has."""
    earlier = known.sentences.get("earlier_context", ())
    staying = [sentence for sentence in earlier if parse_timestamp(sentence.ts) >= at - EARLIER]
    aged = [sentence for sentence in earlier if sentence not in staying]
    grown = [_sentence(episode) for episode in folding if _when(episode) >= at - EARLIER]
    older = [_sentence(episode) for episode in folding if _when(episode) < at - EARLIER]
    periods: dict[Field, Sequence[Sentence]] = {}
    if grown or aged:
        periods["earlier_context"] = [*staying, *grown]
    if older or aged:
        periods["long_term_background"] = [*known.sentences.get("long_term_background", ()), *older, *aged]
    return {"recent_months": [_sentence(episode) for episode in recent], **periods} if periods else {}


def _again(known: Profile, staying: Sequence[Item], at: datetime) -> datetime:
    """Return when the next episode or sentence will be old; not long, as old ones may be brought in."""
    ages = [_when(episode) + RECENT for episode in staying[:1]]
    ages += [parse_timestamp(sentence.ts) + EARLIER for sentence in known.sentences.get("earlier_context", ())]
    due = min([*ages, at + RECENT])
    return at if staying and _when(staying[0]) < at - RECENT else max(due, at + PAUSE)


def _sentence(episode: Item) -> Sentence:
    memory = from_document(episode.key, episode.value)
    return Sentence(memory.text, tuple(source.message for source in memory.sources), memory.ts)


def _when(episode: Item) -> datetime:
    return parse_timestamp(episode.value.get("ts", ""))
