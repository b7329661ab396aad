"""Formation: inbox → memories. A batch of a user's inbox is distilled, gated, consolidated, and written in one go."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Protocol

from langgraph.store.base import BaseStore, PutOp

from agent.memory.formation.admission import Admitted, admit
from agent.memory.formation.consolidate import Consolidation
from agent.memory.formation.extract import Extractor
from agent.memory.formation.shortlist import shortlist
from agent.memory.formation.snapshot import Snapshot
from agent.memory.records import batches, changes, documents, inbox, namespaces
from agent.memory.records.change_set import ChangeSet
from agent.memory.records.changes import Change
from agent.memory.records.documents import derived_id
from agent.memory.records.inbox import InboxItem
from agent.memory.records.profile import Sentence
from agent.memory.records.retirement import Retirement
from agent.types import FormationResult, Memory, Source, UserId


class Former(Protocol):
    """Distils what users said, and writes it."""

    async def drain(self, store: BaseStore, user: UserId, items: Sequence[InboxItem]) -> FormationResult:
        """Turn inbox items into memories, and take them out of the inbox; see `Former.drain`."""
        ...


@dataclass(frozen=True, slots=True)
class ExtractorFormer:
    """Distils what users said, with an extractor."""

    extractor: Extractor
    min_confidence: float
    max_facts: int = 100

    async def drain(self, store: BaseStore, user: UserId, items: Sequence[InboxItem]) -> FormationResult:
        """Turn inbox items into memories, and take them out of the inbox: each thread's in one transaction.

        What is erased or forgotten while this goes on stays so. Keys are derived from user, message and text: run
        twice, the result is the same.

        Raises:
            FormationFailedError: the extractor has no usable answer; the batch is still in the inbox.
            EmbedderUnavailableError: the new memories have no vectors yet; the same.
            ChangedMeanwhileError: what was to be written changed again and again; the same.
        """
        formed = FormationResult()
        for batch in by_thread(items):
            formed += await self._form(store, user, batch)
        return formed

    async def _form(self, store: BaseStore, user: UserId, items: Sequence[InboxItem]) -> FormationResult:
        before = await Snapshot.of(store, user, items)
        items = before.still(items)
        if not items:
            return FormationResult()
        known = await shortlist(store, user, items, before.memories, before.profile)
        extracted = await self.extractor.extract(items, known)
        admitted = admit(extracted, user=user, items=items, known=known, min_confidence=self.min_confidence)

        async def plan() -> Change[FormationResult]:
            now = await Snapshot.of(store, user, items)
            batch = BatchPlan(user, items, admitted, before, now)
            return await batch.change(ChangeSet(store, user, now.told), most=self.max_facts)

        return await changes.commit_change(store, plan)


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """What was extracted of some messages, against what is known now.

    Nothing is written that belongs to a message that has gone meanwhile, or speaks of a fact that has.
    """

    user: UserId
    items: Sequence[InboxItem]
    admitted: Admitted
    before: Snapshot
    now: Snapshot

    async def change(self, exchange: ChangeSet, *, most: int) -> Change[FormationResult]:
        """Make out what is to be written, all of it at once."""
        waiting = self.now.still(self.items)
        if not waiting:
            return Change((), {}, FormationResult())
        facts = self._consolidated({item.message for item in waiting}, most)
        withheld = self._reason_to_withhold(waiting, facts)
        ops = [PutOp(namespaces.inbox(self.user), item.message, None) for item in waiting]
        ops += [documents.put_op(self.user, facts.facts[key]) for key in sorted(facts.written & facts.facts.keys())]
        ops += await self._retired(facts, exchange)
        if withheld is None:
            ops += self._sentences(exchange)
        told = exchange.change(self._formed(facts, withheld))
        return Change([*ops, *told.ops], {**self._read(facts, waiting), **told.preconditions}, told.result)

    def _consolidated(self, waiting: Set[str], most: int) -> Consolidation:
        facts = Consolidation(self.now.memories, self.now.past(self.before))
        for candidate in self.admitted.candidates:
            if candidate.source.message in waiting:
                facts.add(candidate)
        facts.evict(most, datetime.now(UTC))
        return facts

    def _reason_to_withhold(self, waiting: Sequence[InboxItem], facts: Consolidation) -> str | None:
        """Return why the batch's episode and its sentences of the profile, which are of all of it, may not be kept."""
        if len(waiting) < len(self.items) or not self.before.facts.keys() <= self.now.facts.keys():
            return "forgotten"
        return next(iter(facts.rejected), None)

    async def _retired(self, facts: Consolidation, exchange: ChangeSet) -> list[PutOp]:
        """Return what moves facts to history; what came from the same messages before this batch goes along."""
        ops: list[PutOp] = []
        mine = {item.message for item in self.items}
        for old, by, message in facts.replacements:
            change = derived_id(self.user, "change", message, by)
            retirement = Retirement("formation", "replaced", by, change=change)
            ops += self._retires(old, facts, retirement)
            await exchange.retire_derived({source.message for source in old.sources} - mine, retirement)
        for old in facts.crowded_out:
            ops += self._retires(old, facts, Retirement("formation", "crowded_out"))
        return ops

    def _retires(self, old: Memory, facts: Consolidation, retirement: Retirement) -> list[PutOp]:
        is_as_read = old.id in self.now.facts and old.id not in facts.written
        value = self.now.facts[old.id].value if is_as_read else documents.to_document(old)
        return retirement.retires(self.user, old.kind, old.id, value)

    def _sentences(self, exchange: ChangeSet) -> list[PutOp]:
        """Return what writes the episode, and add to the profile what the batch says of it."""
        messages, last = tuple(item.message for item in self.items), self.items[-1]
        for name, text in self.admitted.profile.items():
            exchange.profile = exchange.profile.with_sentence(name, Sentence(text, messages, last.ts))
        if not self.admitted.episode:
            return []
        episode = Memory(
            id=derived_id(self.user, "episode", *messages),
            kind="episodic",
            text=self.admitted.episode,
            ts=last.ts,
            source_thread=last.thread,
            sources=tuple(Source(item.thread, item.message, "", item.ts) for item in self.items),
        )
        return [documents.put_op(self.user, episode)]

    def _read(self, facts: Consolidation, waiting: Sequence[InboxItem]) -> batches.ReadVersions:
        """Return what must still stand: the messages, and every fact that is written or goes."""
        changed = [*(facts.facts[key] for key in facts.written & facts.facts.keys()), *facts.crowded_out]
        changed += [old for old, _, _ in facts.replacements]
        places = {(namespaces.memories(self.user, memory.kind), memory.id): memory.id for memory in changed}
        now = self.now.facts
        return batches.read_versions([self.now.inbox[item.message] for item in waiting]) | {
            place: now[key].updated_at if key in now else None for place, key in places.items()
        }

    def _formed(self, facts: Consolidation, withheld: str | None) -> FormationResult:
        rejected = self.admitted.rejected + facts.rejected
        sentences = len(self.admitted.profile) + bool(self.admitted.episode)
        if withheld:
            rejected[withheld] += sentences
        return FormationResult(
            added=facts.added,
            replaced=facts.replaced,
            confirmed=facts.confirmed,
            rejected=rejected.total(),
            episodes=int(bool(self.admitted.episode) and not withheld),
            reasons=dict(+rejected),
        )


async def process_inbox(store: BaseStore, user: UserId, former: Former) -> FormationResult:
    """Distil the whole inbox, for where there is no queue of ours."""
    return await former.drain(store, user, await inbox.list_items(store, user))


def by_thread(items: Sequence[InboxItem]) -> Iterator[list[InboxItem]]:
    """Yield the items of each thread, oldest first."""
    for _, batch in groupby(sorted(items, key=lambda item: (item.thread, item.ts)), lambda item: item.thread):
        yield list(batch)
