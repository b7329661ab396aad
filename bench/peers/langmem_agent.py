"""LangMem's store manager on plain LangGraph."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from langgraph.store.base import PutOp
from langgraph.store.postgres import AsyncPostgresStore
from langmem import create_memory_store_manager

from .chat_graph import MEMORIES, Graph, build_graph, chat_model, embeddings, open_checkpointer, open_pool, stream_reply
from .peer import Item, Peer, Settings


class LangMemAgent:
    """Searches the store, and gives the manager each exchange after the answer."""

    def __init__(self, store: AsyncPostgresStore, manager: Any, graph: Graph) -> None:  # noqa: ANN401 - untyped
        self._store, self._manager, self._graph = store, manager, graph

    def reply(self, user: str, thread: str, text: str) -> AsyncIterator[str]:
        """Answer; yields tokens."""
        return stream_reply(self._graph, user, thread, text)

    async def remember(self, user: str, thread: str, text: str, answer: str) -> None:  # noqa: ARG002 - the protocol's
        """Form memories of the exchange."""
        exchange = [{"role": "user", "content": text}, {"role": "assistant", "content": answer}]
        await self._manager.ainvoke({"messages": exchange}, config={"configurable": {"langgraph_user_id": user}})

    async def put(self, user: str, items: Sequence[Item]) -> None:
        """Store memories as they are."""
        await self._store.abatch([PutOp(("memories", user), item.id, _document(item.text)) for item in items])

    async def search(self, user: str, query: str, limit: int) -> list[Item]:
        """Search the user's memories."""
        found = await self._store.asearch(("memories", user), query=query, limit=limit)
        return [Item(item.key, item.value["content"]["content"]) for item in found]


@asynccontextmanager
async def open_langmem(settings: Settings) -> AsyncIterator[Peer]:
    """Open store, manager, checkpointer and graph."""
    async with open_pool(settings) as pool, open_checkpointer(settings) as checkpointer:
        embed = embeddings(settings.model, settings.dims)
        store = AsyncPostgresStore(pool, index={"dims": settings.dims, "embed": embed, "fields": ["content.content"]})
        await store.setup()
        model = chat_model(settings.model)
        former = model.model_copy(update={"streaming": False})
        manager = create_memory_store_manager(former, namespace=("memories", "{langgraph_user_id}"), store=store)

        async def recall(user: str, text: str) -> list[str]:
            found = await store.asearch(("memories", user), query=text, limit=MEMORIES)
            return [item.value["content"]["content"] for item in found]

        yield LangMemAgent(store, manager, build_graph(model, recall).compile(checkpointer=checkpointer, store=store))


def _document(text: str) -> dict[str, Any]:
    """A memory as the manager stores it."""
    return {"kind": "Memory", "content": {"content": text}}
