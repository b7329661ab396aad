"""Formation: turns a user's inbox items into memories.

Each batch is extracted, gated, consolidated with the known facts, and written in one transaction.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

from langgraph.store.base import BaseStore, GetOp, Item

from agent.language.removal.redaction import Redaction
from agent.memory.formation.admission import AdmissionResult, admit_off_loop
from agent.memory.formation.batch import Batch, ContextReader, read_no_context, split_batches
from agent.memory.formation.batch_plan import BatchPlan
from agent.memory.formation.extract import Extractor
from agent.memory.formation.shortlist import shortlist
from agent.memory.formation.snapshot import Snapshot
from agent.memory.records import batches, inbox
from agent.memory.records.changes import Change, ChangeSet, commit_change
from agent.memory.records.documents import quotes_of, source_messages
from agent.memory.records.history import Retirement, location_of
from agent.memory.records.inbox import InboxItem
from agent.types import FACT_KINDS, FormationResult, MemoryId, UserId


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
            replaced = await _retire(store, change_set, proposal, items)
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
        return Proposal(await admit_off_loop(extracted, user, batch, known, self.min_confidence))


async def process_inbox(store: BaseStore, user: UserId, former: Former) -> FormationResult:
    """Process the whole inbox without a queue."""
    return await former.process(store, user, await inbox.list_items(store, user))


async def _retire(store: BaseStore, change_set: ChangeSet, proposal: Proposal, items: Sequence[InboxItem]) -> int:
    """Retire the proposal's items whose text is unchanged, with the sentences that contain an outdated value."""
    if not proposal.retired:
        return 0
    gets = [GetOp(item.namespace, item.key, refresh_ttl=False) for item in proposal.retired]
    stored = zip(await batches.get(store, gets), proposal.retired, strict=True)
    unchanged = [now for now, item in stored if now and now.value["text"] == item.value["text"]]
    new = " ".join(candidate.memory.text for candidate in proposal.admitted.candidates)
    for item in unchanged:
        retirement = Retirement("formation", "replaced")
        change_set.retire([item], retirement)
        if location_of(item.namespace) in FACT_KINDS:
            messages = source_messages(item.value, item.key)
            outdated = Redaction.outdated(item.value["text"], new, quotes=quotes_of(item.value), messages=messages)
            await change_set.redact(outdated, retirement, spared_messages={each.message for each in items})
    return len(unchanged)
