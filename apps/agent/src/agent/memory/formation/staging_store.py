"""A staging store: passes LangMem's searches to the real store, and collects its writes.

LangMem's format of a memory is `{"kind": the name of its schema, "content": its fields}`.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated

from langgraph.store.base import BaseStore, Op, PutOp, Result, SearchItem, SearchOp
from pydantic import BaseModel, Field

from agent.memory.formation.extract import EMPTY_EXTRACTION, ExtractedMemories, ExtractedMemory
from agent.memory.formation.shortlist import KnownMemories
from agent.memory.records import batches
from agent.memory.records.documents import from_document
from agent.memory.records.namespaces import Namespace
from agent.types import FACT_KINDS, Category, Kind, MemoryId

MAX_QUERY_CHARS = 4_000
"""Only the end of a long conversation is used as the query, so that it fits embedding models."""


class EpisodicMemory(BaseModel):
    """What the user did or wanted in this conversation, in one sentence beginning with "User". At most one."""

    text: Annotated[str, Field(description='One sentence beginning with "User".')]


class SemanticMemory(BaseModel):
    """A fact about the user, or one of their preferences, that stays true beyond this conversation."""

    text: Annotated[str, Field(description='One short sentence about the user without a subject: "Lives in Oslo".')]
    category: Category
    confidence: Annotated[float, Field(description="How certain the user's words make it, 0 to 1.")]
    quote: Annotated[str, Field(description="The user's own words that say it, letter by letter.")]
    until: Annotated[
        str | None, Field(description="The last day, as YYYY-MM-DD, of what holds for a limited time; else null.")
    ] = None


class ProceduralMemory(SemanticMemory):
    """How the user wants to be helped: language, format, tone, habits to follow or avoid."""


SCHEMAS: dict[Kind, type[BaseModel]] = {
    "user": SemanticMemory,
    "episodic": EpisodicMemory,
    "procedural": ProceduralMemory,
}
_KINDS: dict[str, Kind] = {schema.__name__: kind for kind, schema in SCHEMAS.items()}


class StagingStore(BaseStore):
    """Searches the real store, and keeps writes in memory."""

    def __init__(self, store: BaseStore) -> None:
        self._store = store
        self._found: dict[tuple[Namespace, str], SearchItem] = {}
        self._written: list[PutOp] = []

    def known(self) -> KnownMemories:
        """The facts that LangMem has read."""
        memories = [from_document(item.key, item.value) for item in self._found.values()]
        return KnownMemories(tuple(memory for memory in memories if memory.kind in FACT_KINDS))

    def extracted(self) -> ExtractedMemories:
        """Inserts and updates as an extraction; an updated fact replaces its previous version."""
        puts = [(op, self._found.get((op.namespace, op.key))) for op in self._written if op.value]
        numbers = {memory.id: n for n, memory in enumerate(self.known().memories, 1)}
        facts = [_to_extracted(op, known, numbers) for op, known in puts if _kind(op) in FACT_KINDS]
        episodes = [op.value["content"]["text"] for op, _ in puts if _kind(op) == "episodic" and op.value]
        return EMPTY_EXTRACTION.model_copy(update={"memories": facts, "episode": " ".join(episodes)})

    def removed(self, *, include_updated_episodes: bool) -> list[SearchItem]:
        """The items that LangMem deleted; optionally also updated episodes, which a new episode replaces."""
        removals = [
            op for op in self._written if op.value is None or (include_updated_episodes and _kind(op) == "episodic")
        ]
        return [self._found[op.namespace, op.key] for op in removals if (op.namespace, op.key) in self._found]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Execute the operations that LangMem uses: search, put and delete."""
        return [await self._execute(op) for op in ops]

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Not supported: LangMem is called asynchronously."""
        raise NotImplementedError("only async")

    async def _execute(self, op: Op) -> Result:
        if isinstance(op, PutOp):
            self._written.append(op)
            return None
        if not isinstance(op, SearchOp):
            raise NotImplementedError("LangMem only searches, puts and deletes")
        query = op.query[-MAX_QUERY_CHARS:] if op.query else None
        [items] = await batches.search(self._store, [op._replace(query=query, refresh_ttl=False)])
        self._found |= {(item.namespace, item.key): item for item in items}
        return [_to_langmem(item) for item in items]


def _kind(op: PutOp) -> Kind:
    return _KINDS[(op.value or {})["kind"]]


def _to_extracted(op: PutOp, known: SearchItem | None, numbers: Mapping[MemoryId, int]) -> ExtractedMemory:
    content = (op.value or {})["content"]
    if known is None:
        return ExtractedMemory(kind=_kind(op), standing=False, same_as=None, replaces=None, **content)
    memory = from_document(known.key, known.value)
    content |= {"category": memory.category}  # only a fact of the same category can be replaced
    content |= {"kind": memory.kind, "standing": memory.standing}
    return ExtractedMemory(same_as=None, replaces=numbers[memory.id], **content)


def _to_langmem(item: SearchItem) -> SearchItem:
    memory = from_document(item.key, item.value)
    schema = SCHEMAS[memory.kind]
    quote = memory.sources[-1].quote if memory.sources else ""
    fields = {
        "text": memory.text,
        "category": memory.category,
        "confidence": memory.confidence,
        "quote": quote,
        "until": memory.until,
    }
    value = {"kind": schema.__name__, "content": {name: fields[name] for name in schema.model_fields}}
    return SearchItem(item.namespace, item.key, value, item.created_at, item.updated_at, score=item.score)
