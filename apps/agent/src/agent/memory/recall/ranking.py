"""Search for memories with the ranking of recall, but without its minimum and its cap."""

import math
from collections.abc import Sequence
from datetime import UTC, datetime

from langgraph.store.base import BaseStore, SearchItem, SearchOp

from agent.memory.recall.dismissal import weights
from agent.memory.recall.recall import SEARCHED_KINDS, Recaller
from agent.memory.recall.relevance import rank_of
from agent.memory.records import batches, namespaces
from agent.types import KINDS, Kind, UserId

RANKED_TOGETHER = 50
"""Results of each kind that are ranked together, so that the pages of a list neither repeat nor skip one of them."""


async def search_memories(  # noqa: PLR0913 - what is searched, and by whom
    recaller: Recaller, store: BaseStore, user: UserId, query: str, *, kinds: Sequence[Kind], limit: int
) -> list[SearchItem]:
    """Find memories of each kind, in the order in which recall ranks them: `limit`, if there are as many, or more.

    The rank of a result depends on the namespaces that are searched with it, so they are the same as in recall.
    Procedural memories, which recall does not search, are ranked on their own.

    Raises:
        EmbedderUnavailableError: the query could not be embedded.
    """
    limit = math.ceil(limit / RANKED_TOGETHER) * RANKED_TOGETHER
    searched = [*(namespaces.memories(user, kind) for kind in SEARCHED_KINDS), namespaces.inbox(user)]
    found = await batches.search(store, [SearchOp(space, query=query, limit=limit) for space in searched])
    results = dict(zip((*SEARCHED_KINDS, "inbox"), found, strict=True))
    if others := [kind for kind in kinds if kind not in SEARCHED_KINDS]:
        ops = [SearchOp(namespaces.memories(user, kind), query=query, limit=limit) for kind in others]
        results |= dict(zip(others, await batches.search(store, ops), strict=True))
    items = [item for kind in KINDS if kind in kinds for item in results[kind]]
    vector = await recaller.embeddings.aembed_query(query, owner=namespaces.owner(user))
    lowered = weights(items, vector, recaller.calibrator.model, recaller.calibrator.current)
    now = datetime.now(UTC)
    ranks = {item.key: rank_of(item, now) * lowered.get(item.key, 1.0) for item in items}
    return sorted(items, key=lambda item: -ranks[item.key])
