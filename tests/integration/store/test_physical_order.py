"""The results of a search depend neither on the physical order of rows nor on the plan."""

import random
from typing import LiteralString, cast

import pytest
from langgraph.store.base import PutOp

from agent.store.indexing import ExactIndexConfig
from agent.store.search import FUSED, RankedItem
from integration.store.embedder import WORDS, WordEmbedder
from integration.store.stores import EXACT, indexed, opened, rows

HOME = ("users", "ada", "memories")
NAMESPACES = [(*HOME, kind) for kind in ("user", "episodic")]
ROWS = 100  # in each namespace: far more than the mean is computed from
QUERIES = ["apple", "the violin and Zorblax"]  # some items contain all words, others one of them or none
LOWERED: LiteralString = FUSED.fused.replace("20000", "50").replace("DEFAULT 1000", "DEFAULT 30")

CONFIGURATIONS = {
    "conversations": indexed(WordEmbedder(), conversation=("thread", "ts")),
    "several fields": indexed(WordEmbedder(), fields=("text", "title"), conversation=("thread", "ts")),
    "vectors alone": indexed(WordEmbedder(), language=None),
}
REORDERINGS: tuple[tuple[LiteralString, ...], ...] = (
    ("UPDATE store_vectors SET updated_at = now() WHERE hashtext(key) % 2 = 0", "REINDEX TABLE store_vectors"),
    ("CLUSTER store_vectors USING store_vectors_pkey", "CLUSTER store USING store_pkey", "VACUUM ANALYZE"),
)
PLANS = (
    "",
    "enable_indexonlyscan=off enable_indexscan=off",
    "enable_indexonlyscan=off enable_indexscan=off enable_bitmapscan=off",
)


@pytest.mark.parametrize("is_large", [False, True], ids=["small", "large"])
@pytest.mark.parametrize("index", CONFIGURATIONS.values(), ids=CONFIGURATIONS.keys())
async def test_physical_order_does_not_change_results(
    new_database: str, index: ExactIndexConfig, *, is_large: bool
) -> None:
    expected = None
    for seed in range(2):
        await write(new_database, index, seed=seed)
        if is_large:
            await rows(new_database, LOWERED)
        expected = expected or await results(new_database, index, PLANS[0])
        for n, statements in enumerate(((), *REORDERINGS)):
            for statement in statements:
                await rows(new_database, statement)
            # Of the second order of writes, and of the lowered limits, each plan once.
            for plan in PLANS if seed == 0 and not is_large else PLANS[n : n + 1]:
                assert await results(new_database, index, plan) == expected, (seed, statements, plan)


async def write(uri: str, index: ExactIndexConfig, *, seed: int) -> None:
    """Write the same items into empty tables, in an order that depends on the seed; many have the same vector."""
    pick = random.Random(1)
    words = [*WORDS, "weather", "Zorblax", "day", "night"]
    ops = [
        PutOp(
            namespace,
            f"{n:03}",
            {
                "text": " ".join(pick.choices(words, k=3)),
                "title": " ".join(pick.choices(words, k=2)),
                "thread": f"thread-{n % 7}",
                "ts": f"2026-01-{n % 28 + 1:02}",
            },
        )
        for n in range(ROWS)
        for namespace in NAMESPACES
    ]
    random.Random(seed).shuffle(ops)
    async with opened(EXACT, uri, index=index) as store:
        await store.setup()
        await rows(uri, "TRUNCATE store, store_vectors")
        for start in range(0, len(ops), 50):
            await store.abatch(ops[start : start + 50])


async def results(uri: str, index: ExactIndexConfig, plan: str) -> list[list[tuple[str, str, float, float]]]:
    """Namespaces, keys, scores and ranks of every query's first page: in a namespace, below one, and in the store."""
    options = "".join(f"%20-c%20{setting.replace('=', '%3D')}" for setting in plan.split())
    pages = []
    async with opened(EXACT, f"{uri}&options={options}" if plan else uri, index=index) as store:
        for root in (NAMESPACES[0], HOME, ()):
            for query in QUERIES:
                page = cast("list[RankedItem]", await store.asearch(root, query=query, limit=9))
                pages.append([(item.namespace[-1], item.key, item.score or 0, item.rank or 0) for item in page])
    return pages
