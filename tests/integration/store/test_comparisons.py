"""Comparisons of filters: numbers with numbers, texts with texts (exact store only)."""

import asyncio
import operator
from collections.abc import Callable
from typing import Any

import pytest
from langgraph.store.base import GetOp, Item, PutOp, SearchOp

from integration.store.stores import Namespace, Store

VALUES: list[Any] = [
    *(9, 10, 10.0, 100, 9.5, 0, -1, -10, 1e-3, 2**53, 2**53 + 1, 2**70, 1e300),
    *("9", "10", "100", "a", "ab", "b", "", "10 "),
    *(True, False, None, [10], {"n": 10}),
]
OPERANDS: list[float | str] = [10, 9.5, -1, 0, 2**53, 1e22, "10", "9", "a", ""]
OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


def _is_comparable(value: object, operand: float | str) -> bool:
    if isinstance(operand, str):
        return isinstance(value, str)
    return isinstance(value, int | float) and not isinstance(value, bool)


@pytest.fixture
async def shelf(exact: Store, home: Namespace) -> Namespace:
    """A namespace with an item for each value, and an item without a value."""
    await exact.abatch([PutOp(home, str(n), {"text": "car", "n": value}) for n, value in enumerate(VALUES)])
    await exact.aput(home, "without", {"text": "car"})
    return home


@pytest.mark.parametrize("query", [None, "car"])
async def test_only_values_of_the_same_type_are_compared(exact: Store, shelf: Namespace, query: str | None) -> None:
    asked = [(name, operand) for name in OPERATORS for operand in OPERANDS]
    results = await exact.abatch([SearchOp(shelf, {"n": {name: operand}}, 100, query=query) for name, operand in asked])
    for (name, operand), found in zip(asked, results, strict=True):
        assert isinstance(found, list)
        expected = [
            str(n)
            for n, value in enumerate(VALUES)
            if _is_comparable(value, operand) and OPERATORS[name](value, operand)
        ]
        assert sorted(item.key for item in found if isinstance(item, Item)) == sorted(expected), (name, operand)


async def test_several_comparisons_are_combined(exact: Store, shelf: Namespace) -> None:
    between = await exact.asearch(shelf, filter={"n": {"$gt": 9, "$lte": 10}}, limit=100)
    assert {item.value["n"] for item in between} == {9.5, 10}
    assert len(between) == 3
    assert await exact.asearch(shelf, filter={"n": {"$gt": 9, "$lt": "b"}}) == []


async def test_an_unknown_operator_fails_alone(exact: Store, shelf: Namespace) -> None:
    wrong = {"n": {"$foo": 1}}
    results = await asyncio.gather(
        exact.asearch(shelf, filter=wrong),
        exact.aput(shelf, "new", {"text": "house"}),
        exact.aget(shelf, "without"),
        exact.asearch(shelf, filter=wrong, query="car"),
        exact.asearch(shelf, filter={"n": 9}),
        return_exceptions=True,
    )
    assert [isinstance(result, ValueError) for result in results] == [True, False, False, True, False]
    assert not any(isinstance(result, BaseException) for result in (results[1], results[2], results[4]))
    assert await exact.aget(shelf, "new") is not None
    with pytest.raises(ValueError, match=r"\$foo"):
        await exact.abatch([GetOp(shelf, "new"), SearchOp(shelf, wrong)])
