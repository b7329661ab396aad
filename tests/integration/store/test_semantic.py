"""Searches by meaning, on both stores."""

import json
from typing import Any

import pytest
from langgraph.store.base import PutOp

from integration.store.embedder import WordEmbedder, cosine, vector
from integration.store.stores import Namespace, Store, indexed, keys_of, opened, rows

TEXTS = {
    "apple": "a red apple",
    "car": "a red car, and another car",
    "house": "the green house",
    "violin": "violin",
    "скрипка": "это скрипка",
    "家": "家 家 house",
}
QUERIES = ["apple", "red car", "green house violin", "скрипка", "家", "nothing of that"]
DOCUMENT: dict[str, Any] = {
    "title": "red",
    "a": {"b": ["apple", "car", {"c": "house"}], "c": [{"d": "violin"}, {"d": "green"}], "n": 7, "none": None},
    "rows": ["apple", "car"],
}
PATHS: list[tuple[str, list[str]]] = [
    ("title", ["red"]),
    ("a.b[0]", ["apple"]),
    ("a.b[-2]", ["car"]),
    ("a.b[2].c", ["house"]),
    ("a.b[*]", ["apple", "car", '{"c": "house"}']),
    ("a.c[*].d", ["violin", "green"]),
    ("rows[*]", ["apple", "car"]),
    ("rows", ['["apple", "car"]']),
    ("a.n", ["7"]),
    ("a.none", []),
    ("nothing.at.all", []),
    ("rows[9]", []),
    ("{title,a.n}", ["red", "7"]),
    ("a.c.*", ['{"d": "violin"}', '{"d": "green"}']),
]


@pytest.fixture
async def shelf(store: Store, home: Namespace) -> Namespace:
    """A namespace with the texts, one of them below it, next to a namespace of another user."""
    for key, text in TEXTS.items():
        await store.aput((*home, "below") if key == "violin" else home, key, {"text": text})
        await store.aput((home[0], f"{home[1]}0"), key, {"text": text})
    return home


async def test_the_score_is_the_cosine(store: Store, shelf: Namespace) -> None:
    for query in QUERIES:
        found = {item.key: item.score for item in await store.asearch(shelf, query=query)}
        expected = {key: cosine(vector(query), vector(text)) for key, text in TEXTS.items()}
        assert found == pytest.approx(expected, abs=1e-6), query


async def test_results_are_ordered_by_score(kind: type[Store], uri: str, shelf: Namespace) -> None:
    async with opened(kind, uri, index=indexed(WordEmbedder(), language=None)) as store:
        for query in QUERIES:
            scores = [item.score or 0 for item in await store.asearch(shelf, query=query)]
            assert scores == sorted(scores, reverse=True), query


async def test_the_limit_applies_to_a_query(store: Store, shelf: Namespace) -> None:
    for limit in range(8):
        found = keys_of(await store.asearch(shelf, query="red apple car", limit=limit))
        assert len(found) == min(limit, len(TEXTS))
        assert found[:2] == ["apple", "car"][:limit]


async def test_a_query_covers_namespaces_below_but_not_beside(store: Store, shelf: Namespace) -> None:
    [violin] = await store.asearch((*shelf, "below"), query="violin")
    assert (violin.key, violin.namespace) == ("violin", (*shelf, "below"))
    assert {item.namespace for item in await store.asearch(shelf, query="violin")} == {shelf, (*shelf, "below")}


async def test_an_item_is_found_once_by_its_best_field(kind: type[Store], uri: str, home: Namespace) -> None:
    async with opened(kind, uri, index=indexed(WordEmbedder(), fields=["title", "body", "tags[*]"])) as store:
        await store.aput(home, "a", {"title": "red apple", "body": "car", "tags": ["house", "violin"]})
        await store.aput(home, "b", {"title": "green apple", "tags": ["car"]})
        for query, best in (("house", "a"), ("violin", "a"), ("red apple", "a"), ("green apple", "b")):
            found = await store.asearch(home, query=query)
            assert sorted(keys_of(found)) == ["a", "b"]
            assert found[0].key == best
            assert found[0].score == pytest.approx(1.0)
        equal = await store.asearch(home, query="car")
        assert [item.score for item in equal] == [pytest.approx(1.0), pytest.approx(1.0)]
        assert len(await store.asearch(home, query="car", limit=1)) == 1


async def test_a_put_selects_the_fields_to_embed(store: Store, home: Namespace, embedder: WordEmbedder) -> None:
    for path, texts in PATHS:
        embedder.texts.clear()
        await store.aput((*home, "paths"), path, DOCUMENT, index=[path])
        assert set(embedder.texts) <= set(texts), path  # a text that was embedded before may be known
        found = {item.key: item.score for text in texts for item in await store.asearch(home, query=text, limit=100)}
        assert (path in found) == bool(texts)
        assert found.get(path) == (pytest.approx(1.0) if texts else None)
        await store.adelete((*home, "paths"), path)


async def test_without_fields_the_whole_value_is_embedded(kind: type[Store], uri: str, home: Namespace) -> None:
    embedder = WordEmbedder()
    async with opened(kind, uri, index={"dims": 8, "embed": embedder}) as store:
        await store.aput(home, "a", {"z": "red", "a": ["car", {"b": "家"}], "n": 1})
        await store.aput(home, "b", {"z": "green house"})
        whole = json.dumps({"a": ["car", {"b": "家"}], "n": 1, "z": "red"}, ensure_ascii=False)
        assert whole in embedder.texts
        found = await store.asearch(home, query="red car 家")
    assert keys_of(found) == ["a", "b"]
    assert found[0].score == pytest.approx(cosine(vector(whole), vector("red car 家")))


async def test_an_item_without_vectors_is_found_only_without_a_query(
    store: Store, home: Namespace, embedder: WordEmbedder
) -> None:
    await store.aput(home, "no", {"text": "red apple"}, index=False)
    await store.aput(home, "field", {"other": "red apple"})
    await store.aput(home, "null", {"text": None})
    assert embedder.texts == []
    await store.aput(home, "yes", {"text": "green car"})
    assert keys_of(await store.asearch(home, query="red apple")) == ["yes"]
    assert [(item.key, item.score) for item in await store.asearch(home)] == [
        ("yes", None),
        ("null", None),
        ("field", None),
        ("no", None),
    ]


async def test_an_updated_item_is_found_only_by_its_new_text(store: Store, home: Namespace) -> None:
    await store.aput(home, "a", {"text": "red apple"})
    await store.aput(home, "b", {"text": "green house"})
    await store.aput(home, "a", {"text": "violin"})
    assert keys_of(await store.asearch(home, query="violin", limit=1)) == ["a"]
    found = {item.key: item.score for item in await store.asearch(home, query="red apple")}
    assert found["a"] == pytest.approx(cosine(vector("violin"), vector("red apple")), abs=1e-6)


async def test_a_delete_removes_the_vectors(store: Store, home: Namespace, uri: str) -> None:
    await store.abatch([PutOp(home, str(n), {"text": f"car {n}"}) for n in range(20)])
    await store.abatch([PutOp(home, str(n), None) for n in range(19)])
    assert keys_of(await store.asearch(home, query="car", limit=20)) == ["19"]
    left = await rows(uri, "SELECT key FROM store_vectors WHERE prefix = %s", ".".join(home))
    assert left == [("19",)]


@pytest.mark.parametrize("embed", ["function", "coroutine", "embeddings"])
async def test_all_kinds_of_embedders_are_supported(kind: type[Store], uri: str, home: Namespace, embed: str) -> None:
    async def coroutine(texts: list[str]) -> list[list[float]]:
        return [vector(text) for text in texts]

    ways: dict[str, Any] = {"function": WordEmbedder().embed_documents, "coroutine": coroutine}
    async with opened(kind, uri, index=indexed(ways.get(embed, WordEmbedder()))) as store:
        await store.aput(home, "a", {"text": "red apple"})
        await store.aput(home, "b", {"text": "green car"})
        assert keys_of(await store.asearch(home, query="green car")) == ["b", "a"]


async def test_long_and_unusual_queries_work(store: Store, shelf: Namespace) -> None:
    for query in ("red car " * 2_000, "red car & | ! : * <-> ( ) '", 'red car \\ % _ " $1 {}', "😀 red car"):
        assert keys_of(await store.asearch(shelf, query=query, limit=1)) == ["car"]
