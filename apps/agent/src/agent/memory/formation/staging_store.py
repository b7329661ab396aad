"""A staging store: LangMem reads a user's memories through it, and what LangMem writes stays in it.

LangMem knows a memory as `{"kind": the name of its schema, "content": its fields}`.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated

from langgraph.store.base import BaseStore, Op, PutOp, Result, SearchItem, SearchOp
from pydantic import BaseModel, Field

from agent.memory.formation.extract import NOTHING, ExtractedMemories, ExtractedMemory
from agent.memory.formation.shortlist import KnownMemories
from agent.memory.records import batches
from agent.memory.records.documents import from_document
from agent.memory.records.namespaces import Namespace
from agent.types import FACTS, Category, Kind, MemoryId

QUERY_CHARS = 4_000
"""The end of a conversation that is searched for: what embedding models take, and what was said last."""


class EpisodicMemory(BaseModel):
    """What the user did or wanted in this conversation, in one sentence beginning with "User". At most one of them."""

    text: Annotated[str, Field(description='One sentence beginning with "User".')]


class SemanticMemory(BaseModel):
    """A fact about the user, or a preference of theirs, that stays true beyond this conversation."""

    text: Annotated[str, Field(description='One short sentence about the user without a subject: "Lives in Oslo".')]
    category: Category
    confidence: Annotated[float, Field(description="How certain the user's words make it, 0 to 1.")]
    quote: Annotated[str, Field(description="The user's own words that say it, letter by letter.")]


class ProceduralMemory(SemanticMemory):
    """How the user wants to be helped: language, format, tone, habits to follow or avoid."""


SCHEMAS: dict[Kind, type[BaseModel]] = {
    "user": SemanticMemory,
    "episodic": EpisodicMemory,
    "procedural": ProceduralMemory,
}
_KINDS: dict[str, Kind] = {schema.__name__: kind for kind, schema in SCHEMAS.items()}


class StagingStore(BaseStore):
    """Searches the real store, and keeps writes to itself."""

    def __init__(self, store: BaseStore) -> None:
        self._store = store
        self._read: dict[tuple[Namespace, str], SearchItem] = {}
        self._written: list[PutOp] = []

    def known(self) -> KnownMemories:
        """Return the facts that were read, numbered."""
        found = [from_document(item.key, item.value) for item in self._read.values()]
        return KnownMemories(tuple(memory for memory in found if memory.kind in FACTS))

    def extracted(self) -> ExtractedMemories:
        """Return what was inserted and updated, as candidates; an updated fact is replaced by what it says now."""
        puts = [(op, self._read.get((op.namespace, op.key))) for op in self._written if op.value]
        numbers = {memory.id: n for n, memory in enumerate(self.known().memories, 1)}
        facts = [_as_candidate(op, known, numbers) for op, known in puts if _kind(op) in FACTS]
        episodes = [op.value["content"]["text"] for op, _ in puts if _kind(op) == "episodic" and op.value]
        return NOTHING.model_copy(update={"memories": facts, "episode": " ".join(episodes)})

    def removed(self, *, with_episodes: bool) -> list[SearchItem]:
        """Return what was deleted, and `with_episodes` those that were updated too: they are told anew."""
        deleted = [op for op in self._written if op.value is None or (with_episodes and _kind(op) == "episodic")]
        return [self._read[op.namespace, op.key] for op in deleted if (op.namespace, op.key) in self._read]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do what LangMem does: search, put and delete."""
        return [await self._do(op) for op in ops]

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Refuse: LangMem is asked asynchronously."""
        raise NotImplementedError("only async")

    async def _do(self, op: Op) -> Result:
        if isinstance(op, PutOp):
            self._written.append(op)
            return None
        if not isinstance(op, SearchOp):
            raise NotImplementedError("LangMem searches, puts and deletes")
        query = op.query[-QUERY_CHARS:] if op.query else None
        [found] = await batches.search(self._store, [op._replace(query=query, refresh_ttl=False)])
        self._read |= {(item.namespace, item.key): item for item in found}
        return [_as_langmem_knows(item) for item in found]


def _kind(op: PutOp) -> Kind:
    return _KINDS[(op.value or {})["kind"]]


def _as_candidate(op: PutOp, known: SearchItem | None, numbers: Mapping[MemoryId, int]) -> ExtractedMemory:
    content = (op.value or {})["content"]
    if known is None:
        return ExtractedMemory(kind=_kind(op), same_as=None, replaces=None, **content)
    memory = from_document(known.key, known.value)
    content |= {"category": memory.category}  # a replacement keeps it
    return ExtractedMemory(kind=memory.kind, same_as=None, replaces=numbers[memory.id], **content)


def _as_langmem_knows(item: SearchItem) -> SearchItem:
    memory = from_document(item.key, item.value)
    quote = memory.sources[-1].quote if memory.sources else ""
    schema = SCHEMAS[memory.kind]
    fields = {"text": memory.text, "category": memory.category, "confidence": memory.confidence, "quote": quote}
    content = {name: fields[name] for name in schema.model_fields}
    return SearchItem(
        item.namespace,
        item.key,
        {"kind": schema.__name__, "content": content},
        item.created_at,
        item.updated_at,
        score=item.score,
    )
