"""The nearest passage of a text counts as much as the whole text."""

from collections.abc import AsyncIterator

import pytest

from agent.store import ExactPostgresStore
from agent.store.search import RankedItem
from integration.store.embedder import WordEmbedder, cosine, vector
from integration.store.stores import EXACT, Namespace, indexed, keys_of, opened, rows

HOME: Namespace = ("users", "ada", "memories")
LONG = "A car and a house. The violin is green. Another car, another house."
QUERY = "Is the violin green?"


class FailingEmbedder(WordEmbedder):
    """Raises an error for one text."""

    failing = ""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        if self.failing in texts:
            raise RuntimeError("the embedder failed")
        return super().embed_documents(texts)


@pytest.fixture
def embedder() -> FailingEmbedder:
    return FailingEmbedder()


@pytest.fixture
async def store(new_database: str, embedder: FailingEmbedder) -> AsyncIterator[ExactPostgresStore]:
    index = indexed(embedder, passages=lambda text: [one for one in text.split(". ") if one != text])
    async with opened(EXACT, new_database, index=index) as store:
        assert isinstance(store, ExactPostgresStore)
        await store.setup()
        yield store


async def test_a_passage_is_found_in_a_long_text(store: ExactPostgresStore) -> None:
    await store.aput(HOME, "long", {"text": LONG})
    await store.aput(HOME, "other", {"text": "a house with a violin"})
    first, second = await store.asearch(HOME, query=QUERY)
    assert keys_of([first, second]) == ["long", "other"]
    near, whole = cosine(vector("The violin is green"), vector(QUERY)), cosine(vector(LONG), vector(QUERY))
    assert near > whole
    assert first.score == pytest.approx((near + whole) / 2)
    assert second.score == pytest.approx(cosine(vector("a house with a violin"), vector(QUERY)))


@pytest.mark.parametrize("root", [HOME, HOME[:2]], ids=["itself", "below"])
async def test_an_item_takes_one_place_and_counts_once(store: ExactPostgresStore, root: Namespace) -> None:
    for n in range(9):
        await store.aput(HOME, str(n), {"text": f"{LONG} Number {n}. The violin is green."})
    found = await store.asearch(root, query=QUERY, limit=5)
    assert len(set(keys_of(found))) == 5
    ranks = {item.rank for item in found if isinstance(item, RankedItem)}
    assert len(ranks) == 1, "the words of a text count for the nearest of its passages"


async def test_passages_of_a_former_text_are_deleted(store: ExactPostgresStore, new_database: str) -> None:
    await store.aput(HOME, "one", {"text": LONG})
    await store.aput(HOME, "one", {"text": "A car. A house"})
    fields = await rows(new_database, "SELECT field_name FROM store_vectors ORDER BY field_name")
    assert fields == [("text",), ("text#0",), ("text#1",)]


async def test_the_vector_of_a_whole_text_does_not_wait_for_those_of_its_passages(
    store: ExactPostgresStore, embedder: FailingEmbedder
) -> None:
    value = {"text": "The violin is green. A red one"}
    await store.aput(HOME, "one", value, index=False)
    embedder.failing = "A red one"
    with pytest.raises(RuntimeError, match="embedder"):
        await store.aindex(HOME, "one", value)
    [found] = await store.asearch(HOME, query=QUERY)
    assert found.score == pytest.approx(cosine(vector(value["text"]), vector(QUERY)))
