"""Search of everything that is remembered about a user: memories of all kinds, and messages that are still pending."""

from langgraph.store.base import BaseStore, SearchOp

from agent.memory.recall.standing import to_hit
from agent.memory.records import batches, namespaces
from agent.types import Hit, UserId

MIN_SCORE = 0.15
"""Minimum score of a hit that has a vector."""


async def search(store: BaseStore, user: UserId, query: str, *, limit: int) -> list[Hit]:
    """Search by meaning and words; return the most similar first.

    Raises:
        EmbedderUnavailableError: the query could not be embedded.
    """
    ops = [
        SearchOp(namespaces.all_memories(user), query=query, limit=limit),
        SearchOp(namespaces.inbox(user), query=query, limit=limit, filter={"recallable": True}),
    ]
    items = [item for found in await batches.search(store, ops) for item in found]
    similar = [item for item in items if item.score is None or item.score >= MIN_SCORE]
    return [to_hit(item) for item in sorted(similar, key=lambda item: -(item.score or 0.0))[:limit]]
