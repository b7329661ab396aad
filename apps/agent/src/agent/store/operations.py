"""Operations: their owners, and whether Postgres can store their texts."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard

from langgraph.store.base import GetOp, ListNamespacesOp, Op, PutOp, SearchOp, validate_op_namespace

from agent.errors import UnstorableTextError

OWNER_LABELS = 2
"""The first labels of a namespace identify its owner: `("users", "ada", …)`."""

Numbered = tuple[int, Op]


class WordSearchOp(SearchOp):
    """A search for items of one namespace that share a word with the query, the best first, without a score."""

    unindexed = False
    """Whether it finds only items without a vector, which no other search with a query finds."""


class UnindexedSearchOp(WordSearchOp):
    """A search by words for items without a vector."""

    unindexed = True


_ESCAPED_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")  # after an odd number of backslashes, not a text about NUL


def by_owner(ops: Iterable[Op]) -> dict[str | None, list[Numbered]]:
    """Group operations, numbered by position, by owner; those that span owners are under None."""
    owners: dict[str | None, list[Numbered]] = defaultdict(list)
    for numbered in enumerate(ops):
        owners[_owner(numbered[1])].append(numbered)
    return owners


def check(op: Op) -> None:
    """Check that the namespace is valid, and that Postgres can store the texts of an operation."""
    validate_op_namespace(op)
    for label in _labels(op):
        _check_text(label)
    if isinstance(op, GetOp | PutOp):
        _check_text(op.key)
    if isinstance(op, SearchOp):
        _check_text(op.query or "")
        as_json(op.filter or {})


def as_json(value: Mapping[str, Any]) -> str:
    """Serialise a value as JSON that Postgres accepts.

    Raises:
        UnstorableTextError: a text contains a NUL or an unpaired surrogate.
        TypeError: an object is not serialisable.
        ValueError: a number is not finite.
    """
    text = json.dumps(dict(value), ensure_ascii=False, allow_nan=False)
    _check_text(text)
    if "\\u0000" in text and _ESCAPED_NUL.search(text):
        raise UnstorableTextError("a text contains a NUL")
    return text


def _owner(op: Op) -> str | None:
    labels = _namespace(op)[:OWNER_LABELS]
    spans_owners = isinstance(op, SearchOp | ListNamespacesOp) and (len(labels) < OWNER_LABELS or "*" in labels)
    return None if spans_owners else ".".join(labels)


def is_owner(owner: str | None) -> TypeGuard[str]:
    """Check whether row-level security can be scoped to the owner; a single label may have several owners below it."""
    return owner is not None and owner.count(".") == OWNER_LABELS - 1


def _namespace(op: Op) -> tuple[str, ...]:
    if isinstance(op, SearchOp):
        return op.namespace_prefix
    if isinstance(op, ListNamespacesOp):
        prefixes = [tuple(c.path) for c in op.match_conditions or () if c.match_type == "prefix"]
        return prefixes[0] if prefixes else ()
    return op.namespace


def _labels(op: Op) -> tuple[str, ...]:
    if isinstance(op, ListNamespacesOp):
        return tuple(label for condition in op.match_conditions or () for label in condition.path)
    return _namespace(op)


def _check_text(text: str) -> None:
    if "\0" in text:
        raise UnstorableTextError("a text contains a NUL")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UnstorableTextError("a text contains an unpaired surrogate") from error
