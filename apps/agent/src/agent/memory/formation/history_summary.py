"""History summaries: old episodes are summarised in a few sentences of the profile.

    age of an episode     summarised in
    up to 30 days         `recent_months`; the episode remains a memory
    up to 6 months        `earlier_context`; the episode is retired
    older                 `long_term_background`, as are sentences of `earlier_context` that reach this age

A retired episode can be restored. Every sentence keeps the ids of its source messages, so that forgetting a message
also removes the sentences about it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from langgraph.store.base import BaseStore, Item

from agent.memory.formation.digest import Digester, Periods
from agent.memory.records import batches, lookup, namespaces
from agent.memory.records.changes import Change, ChangeSet, commit_change
from agent.memory.records.documents import from_document
from agent.memory.records.history import Retirement
from agent.memory.records.profile import Profile, ProfileField, Sentence
from agent.timestamps import parse_timestamp
from agent.types import UserId

RECENT = timedelta(days=30)
EARLIER = timedelta(days=182)
MIN_INTERVAL = timedelta(days=1)
"""Minimum time between two summaries of a user's history, so that one model call covers several episodes."""
EPISODE_BATCH_SIZE = 60


@dataclass(frozen=True, slots=True)
class HistorySummariser:
    """Summarises the old episodes of users."""

    digester: Digester

    async def summarise(self, store: BaseStore, user: UserId, at: datetime) -> datetime:
        """Summarise the oldest `EPISODE_BATCH_SIZE` episodes that are old at the given time, in one change.

        Returns:
            When to summarise again; `at` if more episodes are old.

        Raises:
            FormationFailedError: the summary is unusable; nothing changed.
            ChangedMeanwhileError: concurrent changes kept conflicting.
        """
        digested: Periods = {}
        digests: dict[ProfileField, tuple[Sentence, ...]] = {}

        async def plan() -> Change[datetime]:
            nonlocal digested, digests
            change_set = await ChangeSet.load(store, user)
            items = await lookup.read_all(store, namespaces.memories(user, "episodic"))
            # Standing and pinned episodes matter for every message, however old they are.
            episodes = sorted((item for item in items if not _is_standing(item)), key=_time)
            old = [episode for episode in episodes if _time(episode) < at - RECENT]
            batch, recent = old[:EPISODE_BATCH_SIZE], episodes[len(old) :][-EPISODE_BATCH_SIZE:]
            periods = _changed_periods(change_set.profile, batch, recent, at)
            if not periods:
                return Change([], {}, _next_time(change_set.profile, episodes, at))
            if periods != digested:  # no second model call if the change conflicts with an unrelated one
                digests, digested = await self.digester.digest(periods), periods
            change_set.profile = Profile({**change_set.profile.sentences, **digests}, at.isoformat())
            change_set.retire(batch, Retirement("compaction", "summarised"))
            change = change_set.build(_next_time(change_set.profile, episodes[len(batch) :], at))
            # The summary must not be written if one of the recent episodes was forgotten.
            return replace(change, preconditions={**change.preconditions, **batches.read_versions(recent)})

        return await commit_change(store, plan)


def _is_standing(item: Item) -> bool:
    return bool(item.value.get("standing") or item.value.get("pinned"))


def _changed_periods(profile: Profile, batch: Sequence[Item], recent: Sequence[Item], at: datetime) -> Periods:
    earlier = profile.sentences.get("earlier_context", ())
    kept = [sentence for sentence in earlier if parse_timestamp(sentence.ts) >= at - EARLIER]
    expired = [sentence for sentence in earlier if sentence not in kept]
    new_earlier = [_to_sentence(episode) for episode in batch if _time(episode) >= at - EARLIER]
    new_background = [_to_sentence(episode) for episode in batch if _time(episode) < at - EARLIER]
    periods: dict[ProfileField, Sequence[Sentence]] = {}
    if new_earlier or expired:
        periods["earlier_context"] = [*kept, *new_earlier]
    if new_background or expired:
        background = profile.sentences.get("long_term_background", ())
        periods["long_term_background"] = [*background, *new_background, *expired]
    return {"recent_months": [_to_sentence(episode) for episode in recent], **periods} if periods else {}


def _next_time(profile: Profile, episodes: Sequence[Item], at: datetime) -> datetime:
    """When the next episode or sentence becomes old: at most `RECENT` later, because old ones may be imported."""
    if episodes and _time(episodes[0]) < at - RECENT:
        return at
    times = [_time(episode) + RECENT for episode in episodes[:1]]
    times += [parse_timestamp(sentence.ts) + EARLIER for sentence in profile.sentences.get("earlier_context", ())]
    return max(min([*times, at + RECENT]), at + MIN_INTERVAL)


def _to_sentence(episode: Item) -> Sentence:
    memory = from_document(episode.key, episode.value)
    return Sentence(memory.text, tuple(source.message for source in memory.sources), memory.ts)


def _time(episode: Item) -> datetime:
    return parse_timestamp(episode.value.get("ts", ""))
