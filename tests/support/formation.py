"""Form memories without a gateway: stores, inbox items and a scripted extractor."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from langgraph.store.base import BaseStore, IndexConfig
from langgraph.store.memory import InMemoryStore
from pydantic import SecretStr

from agent import AgentSettings
from agent.memory.formation.batch import Batch
from agent.memory.formation.extract import ExtractedMemories, ExtractedMemory, ExtractedProfile
from agent.memory.formation.shortlist import KnownMemories
from agent.memory.records import inbox, lookup, namespaces
from agent.memory.records.inbox import InboxItem
from agent.memory.records.namespaces import Namespace
from agent.models.embeddings import CachedEmbeddings
from agent.store.factory import open_store
from agent.types import FACT_KINDS, MessageId, ThreadId, UserId
from support.example_model import embed

DIMS = 384
START = datetime(2026, 5, 1, 9, tzinfo=UTC)


async def embed_texts(texts: Sequence[str]) -> list[list[float]]:
    """[N][DIMS] vectors; texts that share words have similar vectors."""
    return [embed(text, DIMS).tolist() for text in texts]


@asynccontextmanager
async def postgres_store(database: str) -> AsyncIterator[BaseStore]:
    """Open the agent's store on a database that already has its tables."""
    settings = AgentSettings(_env_file=None, openai_api_key=SecretStr("x"), embedding_dims=DIMS)
    async with open_store(settings, database, CachedEmbeddings(embed_texts)) as store:
        yield store


def memory_store(*, indexed: bool) -> BaseStore:
    """LangGraph's `InMemoryStore`."""
    index: IndexConfig = {"dims": DIMS, "embed": embed_texts, "fields": ["text"]}
    return InMemoryStore(index=index if indexed else None)


def new_user() -> UserId:
    return UserId(uuid.uuid4().hex)


def timestamp_at(minute: float) -> str:
    """ISO timestamp, in minutes after 09:00 UTC on a fixed day."""
    return (START + timedelta(minutes=minute)).isoformat()


def inbox_item(text: str, *, thread: str = "garden", minute: float = 0.0, answer: str = "") -> InboxItem:
    return InboxItem(MessageId(str(uuid.uuid4())), ThreadId(thread), text, timestamp_at(minute), answer)


async def add_to_inbox(store: BaseStore, user: UserId, *items: InboxItem) -> list[InboxItem]:
    """Add messages with their vectors to the inbox, and return them."""
    for item in items:
        await inbox.add(store, user, item)
        await inbox.add_vector(store, user, item)
    return list(items)


def fact(text: str, quote: str, **other: object) -> ExtractedMemory:
    fields: dict[str, Any] = {
        "kind": "user",
        "category": "personal",
        "confidence": 0.9,
        "standing": False,
        "until": None,
        "same_as": None,
        "replaces": None,
        **other,
    }
    return ExtractedMemory(text=text, quote=quote, **fields)


def extraction(*memories: ExtractedMemory, episode: str = "", **profile: str) -> ExtractedMemories:
    sentences = {"work_context": None, "personal_context": None, "top_of_mind": None, **profile}
    return ExtractedMemories(memories=list(memories), profile=ExtractedProfile(**sentences), episode=episode)


ExtractFunction = Callable[[Sequence[InboxItem], KnownMemories], ExtractedMemories]


@dataclass
class ScriptedExtractor:
    """Records its calls and returns what the test specifies, once `may_finish` is set."""

    respond: ExtractFunction
    calls: list[tuple[Sequence[InboxItem], KnownMemories]] = field(default_factory=list)
    started: asyncio.Event = field(default_factory=asyncio.Event)
    may_finish: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.may_finish.set()

    async def extract(self, batch: Batch, known: KnownMemories) -> ExtractedMemories:
        self.calls.append((batch.items, known))
        extracted = self.respond(batch.items, known)
        self.started.set()
        await self.may_finish.wait()
        return extracted


def extractor_returning(*memories: ExtractedMemory, episode: str = "", **profile: str) -> ScriptedExtractor:
    """An extractor that always returns the same memories."""
    return ScriptedExtractor(lambda *_: extraction(*memories, episode=episode, **profile))


def prompt_number(known: KnownMemories, text: str) -> int:
    """The number of a known memory in the extractor's prompt."""
    return [memory.text for memory in known.memories].index(text) + 1


async def read_documents(store: BaseStore, namespace: Namespace) -> list[dict[str, Any]]:
    """All documents of a namespace."""
    return [item.value for item in await lookup.read_all(store, namespace)]


async def fact_texts(store: BaseStore, user: UserId) -> set[str]:
    """Texts of all facts of a user."""
    return {
        known["text"] for kind in FACT_KINDS for known in await read_documents(store, namespaces.memories(user, kind))
    }


async def recallable_text(store: BaseStore, user: UserId) -> str:
    """Everything that recall or the page can show, as one string: facts, episodes, inbox and profile."""
    places = [namespaces.all_memories(user), namespaces.inbox(user), namespaces.profile(user)]
    return str([await read_documents(store, place) for place in places])
