"""Invalid operations fail without affecting others (exact store only)."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from langgraph.store.base import GetOp, ListNamespacesOp, MatchCondition, Op, PutOp, SearchOp

from integration.store.bad import BAD
from integration.store.embedder import POISON
from integration.store.stores import Namespace, Store, keys_of

UNWRITABLE = ["\0", "a\0b", "\ud800", "a\udfffb", "\udcff"]


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
async def test_an_invalid_put_fails_alone(exact: Store, home: Namespace, bad: dict[str, Any]) -> None:
    others = [(home[0], f"{home[1]}{n}") for n in range(5)]
    await exact.abatch([PutOp(other, "old", {"text": "violin"}) for other in others])
    asked: list[Coroutine[Any, Any, Any]] = []
    for other in others:
        asked += [exact.aput(other, "new", {"text": "house"}), exact.aget(other, "old")]
        asked += [exact.asearch(other, query="violin"), exact.alist_namespaces(prefix=other)]
    asked.insert(7, exact.aput(home, "bad", bad))
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert [n for n, result in enumerate(results) if isinstance(result, BaseException)] == [7]
    for other in others:
        assert keys_of(await exact.asearch(other)) == ["new", "old"]
    assert await exact.asearch(home) == []


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
async def test_an_invalid_put_does_not_affect_concurrent_calls_of_the_same_user(
    exact: Store, home: Namespace, bad: dict[str, Any]
) -> None:
    await exact.aput(home, "old", {"text": "violin"})
    results = await asyncio.gather(
        exact.aput(home, "a", {"text": "house"}),
        exact.aput(home, "bad", bad),
        exact.aput((*home, "below"), "b", {"text": "house"}),
        exact.aget(home, "old"),
        exact.adelete(home, "never"),
        return_exceptions=True,
    )
    assert [n for n, result in enumerate(results) if isinstance(result, BaseException)] == [1]
    assert sorted(keys_of(await exact.asearch(home))) == ["a", "b", "old"]


async def test_a_failing_query_fails_alone(exact: Store, home: Namespace) -> None:
    await exact.aput(home, "a", {"text": "car"})
    queries = ["car", "a\0b", "car", "\ud800", POISON, "car"]
    results = await asyncio.gather(*(exact.asearch(home, query=query) for query in queries), return_exceptions=True)
    assert [isinstance(result, BaseException) for result in results] == [False, True, False, True, True, False]
    assert [keys_of(result) for result in results if not isinstance(result, BaseException)] == [["a"]] * 3


@pytest.mark.parametrize("text", UNWRITABLE, ids=ascii)
async def test_unstorable_text_is_rejected(exact: Store, home: Namespace, text: str) -> None:
    values: list[dict[str, Any]] = [{"text": text}, {text: 1}, {"a": [{"b": [text]}]}, {"a": {"b": {text: None}}}]
    asked: list[Coroutine[Any, Any, Any]] = [
        *(exact.aput(home, "a", value) for value in values),
        *(exact.aput(home, "a", value, index=False) for value in values),
        exact.aput(home, text, {}),
        exact.aput((*home, text), "a", {}),
        exact.aget(home, text),
        exact.aget((*home, text), "a"),
        exact.adelete(home, text),
        exact.adelete((*home, text), "a"),
        exact.asearch((*home, text)),
        exact.asearch((*home, text), query="car"),
        exact.asearch(home, query=text),
        exact.asearch(home, filter={"a": text}),
        exact.asearch(home, filter={text: 1}),
        exact.asearch(home, filter={"a": {"$gt": text}}, query="car"),
        exact.alist_namespaces(prefix=(*home, text)),
        exact.alist_namespaces(prefix=home, suffix=(text,)),
    ]
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert [n for n, result in enumerate(results) if not isinstance(result, ValueError)] == []
    assert await exact.asearch(home) == []


@pytest.mark.parametrize("text", ["a\0b", "\ud800"], ids=ascii)
async def test_unstorable_text_is_rejected_in_a_batch(exact: Store, home: Namespace, text: str) -> None:
    ops: list[Op] = [
        PutOp(home, "a", {"text": text}),
        PutOp(home, text, {}),
        PutOp(home, text, None),
        PutOp((*home, text), "a", {}),
        GetOp(home, text),
        SearchOp((*home, text)),
        SearchOp(home, query=text),
        ListNamespacesOp((MatchCondition("prefix", (*home, text)),)),
        ListNamespacesOp((MatchCondition("prefix", home), MatchCondition("suffix", (text,)))),
    ]
    for op in ops:
        with pytest.raises(ValueError, match=r".+"):
            await exact.abatch([PutOp(home, "b", {"text": "car"}), op])
    assert await exact.aget(home, "a") is None
    assert await exact.asearch(home) == []


async def test_text_that_resembles_unstorable_text_is_accepted(exact: Store, home: Namespace) -> None:
    texts = ["\\u0000", "\\ud800", "\ufffd", "\U0001f600", "\x01", "\x7f", "\ufeff"]
    for text in texts:
        await exact.aput(home, text, {"text": text, text: text})
    for text in texts:
        item = await exact.aget(home, text)
        assert item is not None
        assert item.value == {"text": text, text: text}
