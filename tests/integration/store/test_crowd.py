"""A user with very many rows is searched in a thriftier way, which finds the same."""

import random
from collections.abc import Sequence
from typing import cast

from langgraph.store.base import PutOp

from agent.store.indexing import Indexing
from agent.store.search import RankedItem, functions
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


async def _ranked(store: Store, places: Sequence[Namespace]) -> list[list[tuple[str, float | None, float]]]:
    found = [
        cast("list[RankedItem]", await store.asearch(place, query=query, limit=limit))
        for place in places
        for query in QUERIES
        for limit in (1, 7)
    ]
    return [[(item.key, item.score, round(item.rank or 0, 9)) for item in items] for items in found]


async def test_a_crowd_is_searched_to_the_same_end(new_database: str) -> None:
    pick = random.Random(1)
    home = ("users", "ada", "memories")
    index = indexed(WordEmbedder())
    async with opened(EXACT, new_database, index=index) as store:
        await store.setup()
        words = [*WORDS, "weather", "Zorblax", "day", "night"]
        puts = [
            PutOp((*home, pick.choice(["user", "episodic"])), str(n), {"text": " ".join(pick.choices(words, k=5))})
            for n in range(ROWS)
        ]
        await store.abatch(puts)
        places = [home, (*home, "user")]
        expected = await _ranked(store, places)
        made = functions(Indexing.of(index), crowd=50, sampled_crowd=30)["store_fused"]
        await rows(new_database, made.replace("%", "%%"))
        assert await _ranked(store, places) == expected
