"""The writes for one batch: consolidated facts, sentences of episodes and profile, and what is retired."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from langgraph.store.base import PutOp

from agent.language.facts.standing import standing_topic, standing_topics
from agent.language.grounding.checks import is_quoted
from agent.language.parsing.openers import blank_openers, with_opener
from agent.language.references.antecedents import contains_statement
from agent.language.references.relations import states_change
from agent.language.removal.redaction import Redaction
from agent.language.words.stems import Stems
from agent.memory.formation.admission import AdmissionResult
from agent.memory.formation.attribution import AdmittedSentence
from agent.memory.formation.consolidate import Consolidation
from agent.memory.formation.corrected import correct_value
from agent.memory.formation.coverage import uncovered_texts
from agent.memory.formation.item_words import clarify_for
from agent.memory.formation.related import find_related, keep_details, with_related
from agent.memory.formation.snapshot import Snapshot
from agent.memory.formation.supersession import (
    Outdated,
    find_followed,
    find_outdated,
    redaction_of_fact,
    separable,
    with_followed,
)
from agent.memory.records import batches, documents, namespaces
from agent.memory.records.changes import Change, ChangeSet
from agent.memory.records.documents import derived_id
from agent.memory.records.history import Retirement
from agent.memory.records.inbox import InboxItem
from agent.memory.records.profile import Sentence
from agent.text_process import analyse
from agent.types import FormationResult, Memory, MessageId, Source, UserId


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """The writes for one batch, given the current state of the store.

    Messages and facts that disappeared since the extraction are not written.
    """

    user: UserId
    items: Sequence[InboxItem]
    """The messages that the extractor read."""
    pending: Sequence[InboxItem]
    """Those that are still in the inbox."""
    admitted: AdmissionResult
    before: Snapshot
    """The state that the extractor read."""
    now: Snapshot
    max_facts: int

    async def change(self, change_set: ChangeSet) -> Change[FormationResult]:
        """Plan all writes of the batch as one change."""
        facts = self._consolidate()
        untrue = self._untrue(facts)
        change_set.delete([self.now.inbox[item.message] for item in self.pending])
        rejected = self.admitted.rejected + facts.rejected
        episodes = self._summaries(facts, untrue, rejected)
        chars, summaries = sum(len(item.text) for item in self.pending), [episode.text for episode in episodes]
        episodes += await analyse(self._quoted_episodes, facts, untrue, summaries, chars=chars)
        outdated = await self._join_related(facts, episodes, await self._find_outdated(facts, episodes))
        untrue += [("outdated", one.redaction()) for one in outdated if not one.is_repeated]
        ops = await self._supersession_ops(outdated, facts, episodes, change_set)
        ops += self._fact_ops(facts, change_set)
        ops += await self._retirement_ops(facts, change_set)
        ops += [documents.put_op(self.user, self._corrected(episode)) for episode in episodes]
        for name, sentence in self.admitted.profile.items():
            item = sentence.item
            if reason := self._withhold_reason(sentence, untrue):
                rejected[reason] += 1
            else:
                change_set.add_sentence(name, Sentence(sentence.text, (item.message,), item.ts))
        result = FormationResult(
            added=facts.added,
            replaced=facts.replaced,
            confirmed=facts.confirmed,
            rejected=rejected.total(),
            episodes=len(episodes),
            reasons=dict(+rejected),
        )
        change = change_set.build(result)
        return Change([*ops, *change.ops], {**self._preconditions(facts), **change.preconditions}, result)

    def _consolidate(self) -> Consolidation:
        facts = Consolidation(self.now.memories, self.now.retired_facts(self.before))
        pending = {item.message for item in self.pending}
        for candidate in self.admitted.candidates:
            if candidate.source.message in pending:
                facts.add(candidate)
        facts.evict(self.max_facts, datetime.now(UTC))
        return facts

    def _untrue(self, facts: Consolidation) -> list[tuple[str, Redaction]]:
        """What the batch's sentences must not state, each with the reason."""
        batch = {item.message for item in self.items}
        pending = {item.message for item in self.pending}
        # The extractor read these, so any sentence may repeat them.
        texts = [item.text for item in self.items if item.message not in pending]
        texts += [item.value["text"] for key, item in self.before.facts.items() if key not in self.now.facts]
        untrue = [("forgotten", Redaction.forgotten([text], quotes=[], messages=batch)) for text in texts]
        for candidate, reason in facts.rejected_candidates:
            text, source = candidate.memory.text, candidate.source
            redaction = Redaction.forgotten([text], quotes=[source.quote], messages={source.message})
            untrue.append((reason, redaction))
        return untrue + [("outdated", redaction_of_fact(one.old, one.successor)) for one in facts.replacements]

    async def _find_outdated(self, facts: Consolidation, episodes: Sequence[Memory]) -> list[Outdated]:
        stored = [fact for fact in facts.facts.values() if fact.id not in facts.written]
        stored += [documents.from_document(item.key, item.value) for item in self.now.episodes]
        planned = [*episodes, *facts.changed]
        followed = find_followed(self.pending, planned, [*planned, *stored])
        return with_followed(followed, await find_outdated(planned, stored))

    async def _join_related(
        self, facts: Consolidation, episodes: list[Memory], outdated: Sequence[Outdated]
    ) -> list[Outdated]:
        """Add related statements to the episodes; the statements that must be retired, including the added ones."""
        stored = [documents.from_document(item.key, item.value) for item in self.now.episodes]
        ids = {one.memory.id for one in outdated} | {one.successor.id for one in outdated if not one.is_repeated}
        known = [one for one in (*episodes, *facts.facts.values(), *stored) if one.id not in ids]
        changes = [one for one in (*episodes, *self._quoted_facts(facts, episodes)) if one.id not in ids]
        followed = [one for one in episodes if one.id in ids]
        related = [*keep_details(outdated), *await find_related(changes, known, separable(outdated), followed)]
        episodes[:] = ({one.id: one for one in episodes} | {one.episode.id: one.episode for one in related}).values()
        return with_related(outdated, related)

    def _quoted_facts(self, facts: Consolidation, episodes: Sequence[Memory]) -> Iterator[Memory]:
        """The user's words for new facts as episodes, unless an episode contains them; by themselves not written."""
        items = {item.message: item for item in self.pending if not item.follows}
        successors = {replacement.successor.id for replacement in facts.replacements}
        for fact in (one for one in facts.changed if one.id not in successors):
            item, quote = items.get(MessageId(fact.sources[-1].message)), fact.sources[-1].quote
            stated = blank_openers(quote)
            if item and quote and not any(contains_statement(episode.text, stated) for episode in episodes):
                yield self._quoted_episode(item, quote, fact.id)

    async def _supersession_ops(
        self, outdated: Sequence[Outdated], facts: Consolidation, episodes: list[Memory], change_set: ChangeSet
    ) -> list[PutOp]:
        """Retire what newer memories make untrue: in facts, in stored episodes, and in those of this batch."""
        ops = []
        planned = {episode.id: episode for episode in episodes}
        for one in outdated:
            if one.memory.id in facts.facts:
                facts.replace(one.memory, one.successor, one.message, is_repeated=one.is_repeated)
            elif one.memory.id in planned:
                value, episode = documents.to_document(one.memory), planned[one.memory.id]
                ops.append(one.retirement(self.user).history_op(self.user, "episodic", episode.id, value))
                planned[episode.id] = one.redact(episode)
            elif one.memory.kind == "episodic":
                facts.replaced += 1
                retirement = one.retirement(self.user)
                spared, include_facts = {one.message}, not one.is_repeated
                await change_set.redact(
                    one.redaction(), retirement, spared_messages=spared, include_facts=include_facts
                )
            if successor := planned.get(one.successor.id):
                planned[successor.id] = _as_important(successor, one.memory)
        episodes[:] = [episode for episode in planned.values() if episode.text]
        return ops

    def _fact_ops(self, facts: Consolidation, change_set: ChangeSet) -> list[PutOp]:
        ops = []
        for fact in facts.changed:
            if stored := self.now.facts.get(fact.id):
                change_set.write(stored, documents.to_document(fact))
            else:
                ops.append(documents.put_op(self.user, self._corrected(fact)))
        return ops

    async def _retirement_ops(self, facts: Consolidation, change_set: ChangeSet) -> list[PutOp]:
        ops: list[PutOp] = []
        for replacement in facts.replacements:
            old, successor, message, is_repeated = replacement
            change_id = derived_id(self.user, "change", message, successor.id)
            retirement = Retirement("formation", "replaced", successor.id, change_id=change_id)
            ops += self._retire(old, facts, change_set, retirement)
            if is_repeated:
                continue
            outdated = redaction_of_fact(old, successor)
            await change_set.redact(outdated, retirement, spared_messages={message}, include_facts=True)
            if rest := documents.rest_of_fact(self.user, old, outdated):
                ops.append(documents.put_op(self.user, rest))
        for old in facts.evicted:
            ops += self._retire(old, facts, change_set, Retirement("formation", "evicted"))
        return ops

    def _retire(self, old: Memory, facts: Consolidation, change_set: ChangeSet, retirement: Retirement) -> list[PutOp]:
        if old.id in self.now.facts and old.id not in facts.written:
            change_set.retire([self.now.facts[old.id]], retirement)
            return []
        value = documents.to_document(old)
        return retirement.move_ops(self.user, namespaces.memories(self.user, old.kind), old.id, value)

    def _withhold_reason(self, sentence: AdmittedSentence, untrue: Sequence[tuple[str, Redaction]]) -> str | None:
        """Why a sentence must not be kept. Its message's other statements are then kept verbatim."""
        if sentence.item not in self.pending:
            return "forgotten"
        text, message = sentence.quote or sentence.text, sentence.item.message
        is_verbatim = is_quoted(text, [sentence.item.text])
        reasons = (
            reason for reason, redaction in untrue if redaction.redact(text, {message}, is_verbatim=is_verbatim) != text
        )
        return next(reasons, None)

    def _summaries(
        self, facts: Consolidation, untrue: Sequence[tuple[str, Redaction]], rejected: Counter[str]
    ) -> list[Memory]:
        """The extractor's episodes, one per message."""
        kept: dict[MessageId, AdmittedSentence] = {}
        for sentence in self.admitted.episodes:
            if reason := self._withhold_reason(sentence, untrue):
                rejected[reason] += 1
            else:
                first = kept.get(sentence.item.message)
                joined = AdmittedSentence(f"{first.text} {sentence.text}", first.item) if first else sentence
                kept[sentence.item.message] = joined
        return [self._summary(sentence, facts) for sentence in kept.values()]

    def _summary(self, sentence: AdmittedSentence, facts: Consolidation) -> Memory:
        text, item, quote = sentence.text, sentence.item, sentence.quote or sentence.text
        # The topics of facts are standing already.
        stated = (fact.text for fact in facts.changed if fact.sources[-1].message == item.message)
        return Memory(
            id=derived_id(self.user, "episode", item.message, "summary"),
            kind="episodic",
            text=text,
            ts=item.ts,
            source_thread=item.thread,
            sources=(Source(item.thread, item.message, quote if is_quoted(quote, [item.text]) else "", item.ts),),
            last_seen=item.ts,
            standing=bool(standing_topics(text) - set(map(standing_topic, stated))),
        )

    def _quoted_episodes(
        self, facts: Consolidation, untrue: Sequence[tuple[str, Redaction]], summaries: Sequence[str]
    ) -> list[Memory]:
        """Episodes with the statements of each message that neither a fact nor another episode covers."""
        pending = {item.message for item in self.pending}
        sources = {fact.text: {source.message for source in fact.sources} for fact in facts.facts.values()}
        episodes = []
        for item in self.pending:
            # A change repeats words of what it concerns ("im done with the lakers").
            stated_in = {item.message} if states_change(item.own_text) else pending
            covering = [*(text for text, messages in sources.items() if messages & stated_in), *summaries]
            for number, statements in enumerate(uncovered_texts(item, covering)):
                text = statements
                for _, redaction in untrue:
                    text = redaction.redact(text, {item.message}, is_verbatim=True)
                if text:
                    episodes.append(self._quoted_episode(item, text, *([str(number)] if number else [])))
        return episodes

    def _quoted_episode(self, item: InboxItem, own: str, *part: str) -> Memory:
        text = clarify_for(item, own, self.admitted.questions.get(item.message, ""))
        quote = item.own_text if item.follows else with_opener(item.text, own)
        return Memory(
            id=derived_id(self.user, "episode", item.message, *part),
            kind="episodic",
            text=text,
            ts=item.ts,
            source_thread=item.thread,
            sources=(Source(item.thread, item.message, quote, item.ts),),
            last_seen=item.ts,
            standing=bool(standing_topics(text)) or item.is_standing_by_vector,
        )

    def _corrected(self, memory: Memory) -> Memory:
        item = next((one for one in self.pending if one.message == memory.sources[-1].message), None)
        return correct_value(memory, item) if item else memory

    def _preconditions(self, facts: Consolidation) -> batches.ReadVersions:
        changed = [*facts.changed, *facts.evicted, *(replacement.old for replacement in facts.replacements)]
        stored = self.now.facts
        keys = {(namespaces.memories(self.user, fact.kind), fact.id): fact.id for fact in changed}
        return {key: stored[fact].updated_at if fact in stored else None for key, fact in keys.items()}


def _as_important(successor: Memory, old: Memory) -> Memory:
    """A memory that is pinned or standing if the one that it supersedes was.

    It also becomes standing if it does not name the topic of a fact that it supersedes, since no search for the topic
    would find it: "Moved everything from Notion to Obsidian" after "Uses Notion for notes".
    """
    before = Stems.of(old.text)
    names_topic = not (before.words - before.names).isdisjoint(Stems.of(successor.text).words)
    standing = successor.standing or old.standing or (old.kind == "user" and not names_topic)
    return replace(successor, pinned=successor.pinned or old.pinned, standing=standing)
