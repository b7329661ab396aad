"""Formation: inbox → memories. One batch of a user's inbox is distilled, gated, and written in one go."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from langgraph.store.base import BaseStore, PutOp, SearchOp

from agent.memory import batches, inbox, namespaces
from agent.memory.documents import as_value, derived_id, from_value, now
from agent.memory.extract import MOST_A_MESSAGE, ExtractedMemory, Extractor
from agent.memory.gate import is_quoted, normalised, refusal
from agent.memory.inbox import InboxItem
from agent.types import KINDS, Formed, Memory, Source, ThreadId, UserId

KNOWN_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class Former:
    """Distils what users said."""

    extractor: Extractor
    min_confidence: float

    async def drain(self, store: BaseStore, user: UserId, items: Sequence[InboxItem]) -> Formed:
        """Turn inbox items into memories, and take them out of the inbox, in one batch of the store.

        Keys are derived from user, message and text: run twice, the result is the same.

        Raises:
            FormationFailedError: the extractor has no usable answer; the inbox is as it was.
            EmbedderUnavailableError: the new memories have no vectors yet; the inbox is as it was.
        """
        if not items:
            return Formed()
        batch = _Batch(user, {normalised(memory.text): memory for memory in await _known(store, user)})
        for thread, group in groupby(sorted(items, key=lambda item: (item.thread, item.ts)), _thread):
            await self._form_thread(batch, thread, list(group))
        emptied = [PutOp(namespaces.inbox(user), item.message, None) for item in items]
        written = [_put(user, memory) for memory in batch.written.values()]
        await batches.put(store, [*emptied, *written])
        return batch.formed()

    async def _form_thread(self, batch: "_Batch", thread: ThreadId, items: Sequence[InboxItem]) -> None:
        extracted = await self.extractor.extract(items)
        most = MOST_A_MESSAGE * len(items)
        batch.rejected["too_many"] += len(extracted.memories[most:])
        for candidate in extracted.memories[:most]:
            self._take(batch, candidate, items)
        if extracted.episode.strip():
            _take_episode(batch, extracted.episode.strip(), thread, items)

    def _take(self, batch: "_Batch", candidate: ExtractedMemory, items: Sequence[InboxItem]) -> None:
        said = next((item for item in items if is_quoted(candidate.quote, [item.text])), None)
        if said is None:
            batch.rejected["quote"] += 1
        elif candidate.confidence < self.min_confidence:
            batch.rejected["confidence"] += 1
        elif reason := refusal(candidate.text) or refusal(candidate.quote):
            batch.rejected[reason] += 1
        elif text := candidate.text.strip():
            source = Source(said.thread, said.message, candidate.quote, said.ts)
            batch.take(
                Memory(
                    id=derived_id(batch.user, said.message, normalised(text)),
                    kind=candidate.kind,
                    text=text,
                    ts=said.ts,
                    source_thread=said.thread,
                    category=candidate.category,
                    confidence=min(candidate.confidence, 1.0),
                    sources=(source,),
                )
            )


class _Batch:
    """What one drain is about to write; the only place where it changes."""

    def __init__(self, user: UserId, known: dict[str, Memory]) -> None:
        self.user = user
        self.known = known
        self.written: dict[str, Memory] = {}
        self.rejected: Counter[str] = Counter()
        self.added = self.confirmed = self.episodes = 0

    def take(self, memory: Memory) -> None:
        """Add a memory; one with the same words is confirmed instead, once a message."""
        text = normalised(memory.text)
        same = self.known.get(text)
        if same is None:
            self.added += 1
        elif _told_by(memory, same):
            return
        else:
            self.confirmed += 1
            memory = replace(
                same,
                sources=(*same.sources, *memory.sources),
                confirmed=same.confirmed + 1,
                last_seen=now(),
            )
        self.known[text] = self.written[memory.id] = memory

    def formed(self) -> Formed:
        """Sum up."""
        reasons = {reason: count for reason, count in self.rejected.items() if count}
        return Formed(
            added=self.added,
            confirmed=self.confirmed,
            rejected=sum(reasons.values()),
            episodes=self.episodes,
            reasons=reasons,
        )


def _take_episode(batch: _Batch, text: str, thread: ThreadId, items: Sequence[InboxItem]) -> None:
    if reason := refusal(text):
        batch.rejected[reason] += 1
        return
    batch.episodes += 1
    episode = Memory(
        id=derived_id(batch.user, "episode", *(item.message for item in items)),
        kind="episodic",
        text=text,
        ts=items[-1].ts,
        source_thread=thread,
        sources=tuple(Source(item.thread, item.message, "", item.ts) for item in items),
    )
    batch.written[episode.id] = episode


async def _known(store: BaseStore, user: UserId) -> list[Memory]:
    """Return the user's facts and ways to help, the latest `KNOWN_AT_ONCE` of each."""
    ops = [SearchOp(namespaces.memories(user, kind), limit=KNOWN_AT_ONCE) for kind in KINDS if kind != "episodic"]
    return [from_value(item.key, item.value) for found in await batches.search(store, ops) for item in found]


def _told_by(memory: Memory, known: Memory) -> bool:
    return {source.message for source in memory.sources} <= {source.message for source in known.sources}


def _put(user: UserId, memory: Memory) -> PutOp:
    return PutOp(namespaces.memories(user, memory.kind), memory.id, as_value(memory), index=namespaces.INDEXED)


def _thread(item: InboxItem) -> ThreadId:
    return item.thread


async def drain_everything(store: BaseStore, user: UserId, former: Former) -> Formed:
    """Distil the whole inbox, for where there is no queue of ours."""
    return await former.drain(store, user, await inbox.waiting(store, user))
