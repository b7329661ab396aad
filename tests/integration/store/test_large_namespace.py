"""A large namespace is searched by a cheaper method with the same results."""

import random
from typing import cast

from langgraph.store.base import PutOp

from agent.store.search import FUSED, RankedItem
from integration.store.embedder import WORDS, WordEmbedder
from integration.store.stores import EXACT, Namespace, Store, indexed, opened, rows

ROWS = 150
QUERIES = [
    *WORDS,
    "a red car",
    "the violin and Zorblax",
    "weather",
    "Zorblax",
    "nothing of all this",
    "weather in a house",
]
HOME = ("users", "ada", "memories")


async def ranking(store: Store, namespace: Namespace) -> list[list[tuple[str, float | None, float]]]:
    """Keys, scores and ranks of every query's first page."""
    pages = [
        cast("list[RankedItem]", await store.asearch(namespace, query=query, limit=limit))
        for query in QUERIES
        for limit in (1, 7)
    ]
    return [[(item.key, item.score, round(item.rank or 0, 9)) for item in page] for page in pages]


async def test_a_large_namespace_has_the_same_results(new_database: str) -> None:
    pick = random.Random(1)
    async with opened(EXACT, new_database, index=indexed(WordEmbedder())) as store:
        await store.setup()
        words = [*WORDS, "weather", "Zorblax", "day", "night"]
        puts = [
            PutOp((*HOME, pick.choice(["user", "episodic"])), str(n), {"text": " ".join(pick.choices(words, k=5))})
            for n in range(ROWS)
        ]
        await store.abatch(puts)
        expected = [await ranking(store, namespace) for namespace in (HOME, (*HOME, "user"))]
        lowered = FUSED.fused.replace("20000", "50").replace("DEFAULT 1000", "DEFAULT 30")
        assert lowered != FUSED.fused
        await rows(new_database, lowered)
        assert [await ranking(store, namespace) for namespace in (HOME, (*HOME, "user"))] == expected
