"""Which texts are embedded, and how often; stale vectors are removed (exact store only)."""

from collections import Counter
from typing import Any, Literal

import pytest
from langgraph.store.base import PutOp, SearchOp

from integration.store.embedder import WordEmbedder, cosine, vector
from integration.store.stores import EXACT, Namespace, Store, indexed, keys_of, opened, rows

BLANK = ["", " ", "\n", "\t \r\n", "\u00a0", "\u3000"]


async def _fields(uri: str, namespace: Namespace) -> set[tuple[str, str]]:
    found = await rows(uri, "SELECT key, field_name FROM store_vectors WHERE prefix = %s", ".".join(namespace))
    return {(key, field) for key, field in found}


@pytest.mark.parametrize(
    ("value", "index"),
    [
        ({"text": "red apple"}, False),
        ({"text": "red apple"}, ["nothing"]),
        ({"other": "red apple"}, None),
        ({"text": None}, None),
        ({"text": " "}, None),
        ({}, None),
    ],
)
async def test_an_item_put_without_index_loses_its_vectors(
    exact: Store, exact_uri: str, home: Namespace, value: dict[str, Any], index: Literal[False] | list[str] | None
) -> None:
    await exact.aput(home, "a", {"text": "green car"})
    await exact.aput(home, "a", value, index=index)
    assert await exact.asearch(home, query="green car") == []
    assert await _fields(exact_uri, home) == set()
    [item] = await exact.asearch(home)
    assert item.value == value


async def test_a_put_removes_vectors_of_other_fields(exact: Store, exact_uri: str, home: Namespace) -> None:
    await exact.aput(home, "a", {"text": "car", "title": "apple"}, index=["text", "title"])
    await exact.aput(home, "a", {"text": "house", "title": "apple"}, index=["text"])
    [item] = await exact.asearch(home, query="apple")
    assert item.score == pytest.approx(cosine(vector("house"), vector("apple")), abs=1e-6)
    await exact.aput(home, "a", {"text": "house", "title": "apple"}, index=["title"])
    [item] = await exact.asearch(home, query="house")
    assert item.score == pytest.approx(cosine(vector("apple"), vector("house")), abs=1e-6)
    assert await _fields(exact_uri, home) == {("a", "title")}


async def test_a_shorter_list_has_fewer_vectors(exact: Store, exact_uri: str, home: Namespace) -> None:
    for tags in (["car", "apple", "house"], ["car", "apple"], ["violin"]):
        await exact.aput(home, "a", {"tags": tags}, index=["tags[*]"])
        assert len(await _fields(exact_uri, home)) == len(tags)
    [item] = await exact.asearch(home, query="apple")
    assert item.score == pytest.approx(cosine(vector("violin"), vector("apple")), abs=1e-6)


async def test_a_put_does_not_change_vectors_of_other_items(exact: Store, exact_uri: str, home: Namespace) -> None:
    for namespace in (home, (*home, "below")):
        await exact.abatch([PutOp(namespace, key, {"text": "car"}) for key in ("a", "b")])
    await exact.aput(home, "a", {"text": "car"}, index=False)
    assert await _fields(exact_uri, home) == {("b", "text")}
    assert await _fields(exact_uri, (*home, "below")) == {("a", "text"), ("b", "text")}


async def test_blank_text_is_not_embedded(exact: Store, home: Namespace, embedder: WordEmbedder) -> None:
    await exact.abatch([PutOp(home, str(n), {"text": text}) for n, text in enumerate(BLANK)])
    await exact.aput(home, "list", {"text": ["", "car", " "]}, index=["text[*]"])
    assert embedder.texts == ["car"]
    assert keys_of(await exact.asearch(home, query="car")) == ["list"]
    for n, text in enumerate(BLANK):
        item = await exact.aget(home, str(n))
        assert item is not None
        assert item.value == {"text": text}
    assert len(await exact.asearch(home)) == len(BLANK) + 1


async def test_a_blank_query_is_ignored(exact: Store, home: Namespace, embedder: WordEmbedder) -> None:
    for key in ("a", "b"):
        await exact.aput(home, key, {"text": "car"})
    embedder.texts.clear()
    for text in BLANK:
        found = await exact.asearch(home, query=text)
        assert [(item.key, item.score) for item in found] == [("b", None), ("a", None)]
    assert embedder.texts == []


async def test_a_batch_embeds_a_text_once(exact: Store, home: Namespace, embedder: WordEmbedder) -> None:
    await exact.abatch(
        [
            *(PutOp(home, str(n), {"text": f"car {n % 3}", "title": "car 0"}, ["text", "title"]) for n in range(12)),
            *(SearchOp((*home, str(n)), query=f"apple {n % 2}") for n in range(6)),
        ]
    )
    assert Counter(embedder.texts) == Counter({"car 0", "car 1", "car 2", "apple 0", "apple 1"})
    assert len(await exact.asearch(home, query="car", limit=100)) == 12


async def test_a_text_replaced_in_the_same_batch_is_not_found(exact: Store, home: Namespace) -> None:
    await exact.abatch([PutOp(home, "a", {"text": "apple"}), PutOp(home, "a", {"text": "car"}, index=False)])
    assert await exact.asearch(home, query="apple") == []


async def test_stale_vectors_of_the_stock_store_are_removed_by_the_next_put(
    exact: Store, exact_uri: str, home: Namespace
) -> None:
    await exact.aput(home, "a", {"text": "car"})
    leave = "INSERT INTO store_vectors (prefix, key, field_name, embedding) VALUES (%s, 'a', 'title', %s::vector)"
    await rows(exact_uri, leave, ".".join(home), str(vector("apple")))
    await exact.aput(home, "a", {"text": "house"})
    assert await _fields(exact_uri, home) == {("a", "text")}


async def test_fields_of_an_earlier_configuration_are_removed(exact_uri: str, home: Namespace) -> None:
    for fields in (["title"], ["text"]):
        async with opened(EXACT, exact_uri, index=indexed(WordEmbedder(), fields=fields)) as store:
            await store.aput(home, "a", {"text": "car", "title": "apple"})
    assert await _fields(exact_uri, home) == {("a", "text")}


async def test_the_score_is_that_of_the_best_field(exact: Store, home: Namespace) -> None:
    fields = {"text": "violin and car", "title": "nothing known"}
    await exact.aput(home, "a", fields, index=list(fields))
    [item] = await exact.asearch(home, query="green car")
    scores = [cosine(vector(text), vector("green car")) for text in fields.values()]
    assert scores[0] < scores[1]
    assert item.score == pytest.approx(scores[1], abs=1e-6)
