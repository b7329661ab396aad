"""mem0 on Postgres, with LangGraph for the chat as in mem0's guide to LangGraph."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from mem0 import AsyncMemory

from .chat_graph import MEMORIES, Graph, build_graph, chat_model, open_checkpointer, stream_reply
from .peer import Item, Peer, Settings

COLLECTION = "mem0"


class Mem0Agent:
    """Recalls with mem0's search, and gives it each exchange after the answer."""

    def __init__(self, memory: Any, graph: Graph) -> None:  # noqa: ANN401 - untyped
        self._memory, self._graph = memory, graph

    def reply(self, user: str, thread: str, text: str) -> AsyncIterator[str]:
        """Answer; yields tokens."""
        return stream_reply(self._graph, user, thread, text)

    async def remember(self, user: str, thread: str, text: str, answer: str) -> None:  # noqa: ARG002 - the protocol's
        """Form memories of the exchange."""
        exchange = [{"role": "user", "content": text}, {"role": "assistant", "content": answer}]
        await self._memory.add(exchange, user_id=user)

    async def put(self, user: str, items: Sequence[Item]) -> None:
        """Store memories as they are."""
        for item in items:
            await self._memory.add(item.text, user_id=user, metadata={"item": item.id}, infer=False)

    async def search(self, user: str, query: str, limit: int) -> list[Item]:
        """Search the user's memories."""
        found = await self._memory.search(query, filters={"user_id": user}, top_k=limit)
        return [Item((one.get("metadata") or {}).get("item", one["id"]), one["memory"]) for one in found["results"]]


@asynccontextmanager
async def open_mem0(settings: Settings) -> AsyncIterator[Peer]:
    """Open memory, checkpointer and graph."""
    server = {"api_key": "x", "openai_base_url": f"{settings.model}/v1"}
    store = {
        "connection_string": settings.database,
        "collection_name": COLLECTION,
        "embedding_model_dims": settings.dims,
        "hnsw": True,
        "minconn": settings.connections,
        "maxconn": settings.connections,
    }
    memory = AsyncMemory.from_config(
        {
            "llm": {"provider": "openai", "config": {"model": "gpt-4o-mini", **server}},
            "embedder": {
                "provider": "openai",
                "config": {"model": "text-embedding-3-small", "embedding_dims": settings.dims, **server},
            },
            "vector_store": {"provider": "pgvector", "config": store},
            "history_db_path": str(settings.folder / "history.db"),
        }
    )
    async with open_checkpointer(settings) as checkpointer:

        async def recall(user: str, text: str) -> list[str]:
            found = await memory.search(text, filters={"user_id": user}, top_k=MEMORIES)
            return [one["memory"] for one in found["results"]]

        graph = build_graph(chat_model(settings.model), recall).compile(checkpointer=checkpointer)
        agent = Mem0Agent(memory, graph)
        await agent.search("nobody", "create the collection", 1)
        yield agent
