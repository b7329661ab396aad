"""Each class opens the data of the other."""

import pytest
from langgraph.store.base import PutOp

from integration.store.embedder import WordEmbedder, cosine, vector
from integration.store.stores import EXACT, STOCK, Namespace, Store, indexed, keys_of, opened, rows

TEXTS = {"a": "red apple", "b": "green car", "c": "violin and car"}
ADA = ("users", "ada")

pytestmark = pytest.mark.parametrize(
    ("writer", "reader"), [(STOCK, EXACT), (EXACT, STOCK)], ids=["stock-exact", "exact-stock"]
)


async def _write(kind: type[Store], uri: str, namespace: Namespace = ADA) -> None:
    async with opened(kind, uri, index=indexed(WordEmbedder(), fields=["text", "tags[*]"])) as store:
        await store.setup()
        await store.abatch(
            [PutOp(namespace, key, {"text": text, "tags": ["x", "house"]}) for key, text in TEXTS.items()]
        )
        await store.aput((*namespace, "below"), "d", {"text": "red"}, index=False, ttl=10)


async def test_either_class_reads_the_items_of_the_other(empty: str, writer: type[Store], reader: type[Store]) -> None:
    await _write(writer, empty)
    async with opened(reader, empty, index=indexed(WordEmbedder(), language=None)) as store:
        await store.setup()
        found = await store.asearch(ADA, query="green car")
        assert keys_of(found)[0] == "b"
        best = {
            key: max(cosine(vector(t), vector("green car")) for t in (text, "x", "house"))
            for key, text in TEXTS.items()
        }
        assert {item.key: item.score for item in found} == pytest.approx(best, abs=1e-6)
        item = await store.aget((*ADA, "below"), "d")
        assert item is not None
        assert item.value == {"text": "red"}
        assert sorted(keys_of(await store.asearch(ADA))) == ["a", "b", "c", "d"]
        assert await store.alist_namespaces(prefix=ADA) == [ADA, (*ADA, "below")]


async def test_either_class_changes_the_items_of_the_other(
    empty: str, writer: type[Store], reader: type[Store]
) -> None:
    await _write(writer, empty)
    async with opened(reader, empty, index=indexed(WordEmbedder(), fields=["text", "tags[*]"])) as store:
        await store.setup()
        await store.aput(ADA, "a", {"text": "скрипка", "tags": ["x", "x"]})
        await store.adelete(ADA, "c")
    async with opened(writer, empty, index=indexed(WordEmbedder())) as store:
        await store.setup()
        [found, *_] = await store.asearch(ADA, query="скрипка")
        assert found.key == "a"
        assert found.score == pytest.approx(1.0)
        assert await store.aget(ADA, "c") is None
        assert sorted(keys_of(await store.asearch(ADA, query="violin"))) == ["a", "b"]


async def test_both_classes_work_on_one_database_concurrently(
    empty: str, writer: type[Store], reader: type[Store]
) -> None:
    await _write(writer, empty)
    index = indexed(WordEmbedder())
    async with opened(writer, empty, index=index) as one, opened(reader, empty, index=index) as other:
        await other.setup()
        for n in range(10):
            await (one, other)[n % 2].aput((*ADA, "both"), str(n), {"text": f"house {n}"})
        for store in (one, other):
            assert keys_of(await store.asearch((*ADA, "both"))) == [str(n) for n in range(9, -1, -1)]
            assert len(await store.asearch((*ADA, "both"), query="house")) == 10


async def test_either_class_sweeps_the_expired_items_of_the_other(
    empty: str, writer: type[Store], reader: type[Store]
) -> None:
    await _write(writer, empty)
    await rows(empty, "UPDATE store SET expires_at = now() - interval '1 minute' WHERE ttl_minutes = 10")
    async with opened(reader, empty, index=indexed(WordEmbedder())) as store:
        await store.setup()
        assert await store.sweep_ttl() == 1
        assert sorted(keys_of(await store.asearch(ADA))) == ["a", "b", "c"]
