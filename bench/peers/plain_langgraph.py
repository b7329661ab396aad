"""LangGraph with its own store and checkpointer."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from langgraph.store.base import PutOp
from langgraph.store.postgres import AsyncPostgresStore

from .chat_graph import MEMORIES, Graph, build_graph, chat_model, open_checkpointer, open_store, stream_reply
from .peer import Item, Peer, Settings


class PlainLangGraph:
    """Stores each message as it is, because LangGraph itself forms no memories."""

    def __init__(self, store: AsyncPostgresStore, graph: Graph) -> None:
        self._store, self._graph = store, graph

    def reply(self, user: str, thread: str, text: str) -> AsyncIterator[str]:
        """Answer; the message is stored during the model call."""
        return stream_reply(self._graph, user, thread, text)

    async def remember(self, user: str, thread: str, text: str, answer: str) -> None:
        """Do nothing more."""

    async def put(self, user: str, items: Sequence[Item]) -> None:
        """Store memories as they are."""
        await self._store.abatch([PutOp(("memories", user), item.id, {"data": item.text}) for item in items])

    async def search(self, user: str, query: str, limit: int) -> list[Item]:
        """Search the user's memories."""
        found = await self._store.asearch(("memories", user), query=query, limit=limit)
        return [Item(item.key, item.value["data"]) for item in found]


@asynccontextmanager
async def open_plain_langgraph(settings: Settings) -> AsyncIterator[Peer]:
    """Open store, checkpointer and graph."""
    async with open_store(settings) as store, open_checkpointer(settings) as checkpointer, asyncio.TaskGroup() as tasks:

        async def recall(user: str, text: str) -> list[str]:
            found = await store.asearch(("memories", user), query=text, limit=MEMORIES)
            # Not earlier: the store executes what arrives together one after the other.
            tasks.create_task(store.aput(("memories", user), str(uuid.uuid4()), {"data": text}))
            return [item.value["data"] for item in found]

        graph = build_graph(chat_model(settings.model), recall).compile(checkpointer=checkpointer, store=store)
        yield PlainLangGraph(store, graph)
