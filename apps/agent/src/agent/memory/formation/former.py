"""Formation: turns a user's inbox items into memories.

Each batch is extracted, gated, consolidated with the known facts, and written in one transaction.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from langgraph.store.base import BaseStore, GetOp, Item, PutOp

from agent.language.standing import standing_topics
from agent.memory.formation.admission import AdmissionResult, AdmittedSentence, admit, uncovered_statements
from agent.memory.formation.batch import Batch, ContextReader, read_no_context, split_batches
from agent.memory.formation.consolidate import Consolidation
from agent.memory.formation.extract import Extractor
from agent.memory.formation.shortlist import shortlist
from agent.memory.formation.snapshot import Snapshot
from agent.memory.records import batches, documents, inbox, namespaces
from agent.memory.records.changes import Change, ChangeSet, commit_change
from agent.memory.records.documents import derived_id, source_messages
from agent.memory.records.history import Retirement, location_of
from agent.memory.records.inbox import InboxItem
from agent.memory.records.profile import Sentence
from agent.types import FACT_KINDS, FormationResult, Memory, MemoryId, Source, UserId


@dataclass(frozen=True, slots=True)
class Proposal:
    """The memories that a former found in a batch, and the stored items that it wants to retire."""

    admitted: AdmissionResult
    retired: Sequence[Item] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Former(ABC):
    """Turns inbox items into memories. Subclasses decide what to remember; the gate and the writing are shared."""

    min_confidence: float
    max_facts: int = 100
    read_context: ContextReader = read_no_context

    async def process(self, store: BaseStore, user: UserId, items: Sequence[InboxItem]) -> FormationResult:
        """Turn inbox items into memories and remove them from the inbox, in one transaction per thread.

        Nothing erased or forgotten in the meantime is restored. Processing the same items twice gives the same ids.

        Raises:
            FormationFailedError: the model gave no usable output; the thread's items stay in the inbox.
            EmbedderUnavailableError: new memories could not be embedded; the thread's items stay in the inbox.
            ChangedMeanwhileError: concurrent changes kept conflicting; the thread's items stay in the inbox.
        """
        result = FormationResult()
        for batch in split_batches(items):
            result += await self._process_batch(store, user, batch)
        return result

    @abstractmethod
    async def _propose(self, store: BaseStore, user: UserId, batch: Batch, snapshot: Snapshot) -> Proposal: ...

    async def _process_batch(self, store: BaseStore, user: UserId, items: Sequence[InboxItem]) -> FormationResult:
        before = await Snapshot.read(store, user, items)
        items = before.unchanged(items)
        if not items:
            return FormationResult()
        context = await self.read_context(user, items[0])
        proposal = await self._propose(store, user, Batch(items, context), before)
        retired_ids = {MemoryId(item.key) for item in proposal.retired}

        async def plan() -> Change[FormationResult]:
            now = await Snapshot.read(store, user, items)
            pending = now.unchanged(items)
            if not pending:
                return Change((), {}, FormationResult())
            change_set = ChangeSet(store, user, now.profile_item)
            replaced = await _retire(store, change_set, proposal.retired)
            previous, current = before.without(retired_ids), now.without(retired_ids)
            batch_plan = BatchPlan(user, items, pending, proposal.admitted, previous, current, self.max_facts)
            change = await batch_plan.change(change_set)
            return replace(change, result=change.result + FormationResult(replaced=replaced))

        return await commit_change(store, plan)


@dataclass(frozen=True, slots=True)
class ExtractorFormer(Former):
    """Forms memories with an extractor."""

    extractor: Extractor

    async def _propose(self, store: BaseStore, user: UserId, batch: Batch, snapshot: Snapshot) -> Proposal:
        known = await shortlist(store, user, batch.items, snapshot.memories, snapshot.profile)
        extracted = await self.extractor.extract(batch, known)
        return Proposal(admit(extracted, user=user, batch=batch, known=known, min_confidence=self.min_confidence))


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
        withheld = self._withhold_reason(facts)
        ops = [PutOp(namespaces.inbox(self.user), item.message, None) for item in self.pending]
        ops += [documents.put_op(self.user, fact) for fact in facts.changed]
        ops += await self._retirement_ops(facts, change_set)
        if withheld is None:
            ops += self._add_sentences(change_set)
        quoted = self._quoted_episodes(facts, () if withheld else self.admitted.episodes)
        ops += [documents.put_op(self.user, episode) for episode in quoted]
        change = change_set.build(self._result(facts, withheld, len(quoted)))
        preconditions = {**self._preconditions(facts), **change.preconditions}
        return Change([*ops, *change.ops], preconditions, change.result)

    def _consolidate(self) -> Consolidation:
        facts = Consolidation(self.now.memories, self.now.retired_facts(self.before))
        pending = {item.message for item in self.pending}
        for candidate in self.admitted.candidates:
            if candidate.source.message in pending:
                facts.add(candidate)
        facts.evict(self.max_facts, datetime.now(UTC))
        return facts

    def _withhold_reason(self, facts: Consolidation) -> str | None:
        """Why the episode and profile sentences must not be kept: they may mention anything in the whole batch."""
        if len(self.pending) < len(self.items) or not self.before.facts.keys() <= self.now.facts.keys():
            return "forgotten"
        return next(iter(facts.rejected), None)

    async def _retirement_ops(self, facts: Consolidation, change_set: ChangeSet) -> list[PutOp]:
        ops: list[PutOp] = []
        batch_messages = {item.message for item in self.items}
        for old, successor, message in facts.replacements:
            change_id = derived_id(self.user, "change", message, successor)
            retirement = Retirement("formation", "replaced", successor, change_id=change_id)
            ops += self._move_ops(old, facts, retirement)
            await change_set.retire_derived({source.message for source in old.sources} - batch_messages, retirement)
        for old in facts.evicted:
            ops += self._move_ops(old, facts, Retirement("formation", "crowded_out"))
        return ops

    def _move_ops(self, old: Memory, facts: Consolidation, retirement: Retirement) -> list[PutOp]:
        is_stored = old.id in self.now.facts and old.id not in facts.written
        value = self.now.facts[old.id].value if is_stored else documents.to_document(old)
        return retirement.move_ops(self.user, namespaces.memories(self.user, old.kind), old.id, value)

    def _add_sentences(self, change_set: ChangeSet) -> list[PutOp]:
        for name, sentence in self.admitted.profile.items():
            item = sentence.item
            change_set.profile = change_set.profile.with_sentence(
                name, Sentence(sentence.text, (item.message,), item.ts)
            )
        return [documents.put_op(self.user, self._episode(sentence)) for sentence in self.admitted.episodes]

    def _episode(self, sentence: AdmittedSentence) -> Memory:
        item = sentence.item
        return Memory(
            id=derived_id(self.user, "episode", item.message, "summary"),
            kind="episodic",
            text=sentence.text,
            ts=item.ts,
            source_thread=item.thread,
            sources=(Source(item.thread, item.message, "", item.ts),),
        )

    def _quoted_episodes(self, facts: Consolidation, summaries: Sequence[AdmittedSentence]) -> list[Memory]:
        """One episode per message, with its statements that neither a fact nor another episode covers."""
        episodes = []
        covering = [candidate.source.quote for candidate in self.admitted.candidates]
        covering += [summary.text for summary in summaries]
        forgotten = [item.value["text"] for key, item in self.before.facts.items() if key not in self.now.facts]
        outdated = [*(replacement.old.text for replacement in facts.replacements), *facts.rejected_texts, *forgotten]
        for item in self.pending:
            text = uncovered_statements(item.text, covering, outdated=outdated)
            if text and item.recallable:
                episode = Memory(
                    id=derived_id(self.user, "episode", item.message),
                    kind="episodic",
                    text=text,
                    ts=item.ts,
                    source_thread=item.thread,
                    sources=(Source(item.thread, item.message, text, item.ts),),
                    last_seen=item.ts,
                    standing=bool(standing_topics(text)) or (item.standing and not standing_topics(item.text)),
                )
                episodes.append(episode)
        return episodes

    def _preconditions(self, facts: Consolidation) -> batches.ReadVersions:
        changed = [*facts.changed, *facts.evicted, *(replacement.old for replacement in facts.replacements)]
        stored = self.now.facts
        keys = {(namespaces.memories(self.user, fact.kind), fact.id): fact.id for fact in changed}
        versions = {key: stored[fact].updated_at if fact in stored else None for key, fact in keys.items()}
        return batches.read_versions([self.now.inbox[item.message] for item in self.pending]) | versions

    def _result(self, facts: Consolidation, withheld: str | None, quoted: int) -> FormationResult:
        rejected = self.admitted.rejected + facts.rejected
        if withheld:
            rejected[withheld] += len(self.admitted.profile) + len(self.admitted.episodes)
        return FormationResult(
            added=facts.added,
            replaced=facts.replaced,
            confirmed=facts.confirmed,
            rejected=rejected.total(),
            episodes=quoted + (0 if withheld else len(self.admitted.episodes)),
            reasons=dict(+rejected),
        )


async def process_inbox(store: BaseStore, user: UserId, former: Former) -> FormationResult:
    """Process the whole inbox without a queue."""
    return await former.process(store, user, await inbox.list_items(store, user))


async def _retire(store: BaseStore, change_set: ChangeSet, items: Sequence[Item]) -> int:
    """Retire the items whose text is unchanged, with everything derived from the messages of facts; count them."""
    if not items:
        return 0
    stored = await batches.get(store, [GetOp(item.namespace, item.key, refresh_ttl=False) for item in items])
    unchanged = [
        now for now, item in zip(stored, items, strict=True) if now and now.value["text"] == item.value["text"]
    ]
    for item in unchanged:
        retirement = Retirement("formation", "replaced")
        change_set.retire([item], retirement)
        if location_of(item.namespace) in FACT_KINDS:
            await change_set.retire_derived(source_messages(item.value, item.key), retirement)
    return len(unchanged)
