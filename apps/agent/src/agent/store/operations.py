"""A batch of operations at the store's door: whose each is, and whether it can be kept at all."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard

from langgraph.store.base import GetOp, ListNamespacesOp, Op, PutOp, SearchOp, validate_op_namespace

from agent.errors import UnstorableTextError

OWNER_LABELS = 2
"""A namespace belongs to whom its first labels name: `("users", "ada", …)`."""

Numbered = tuple[int, Op]


def by_owner(ops: Iterable[Op]) -> dict[str | None, list[Numbered]]:
    """Return the operations of each owner, numbered as they came; None owns what reaches over owners."""
    owners: dict[str | None, list[Numbered]] = defaultdict(list)
    for numbered in enumerate(ops):
        owners[_owner(numbered[1])].append(numbered)
    return owners


def check(op: Op) -> None:
    """Make sure that Postgres can keep an operation's words.

    Raises:
        UnstorableTextError: there is a NUL or half a surrogate pair in it.
        InvalidNamespaceError: the namespace is none.
    """
    validate_op_namespace(op)
    for label in _namespace(op):
        _check_text(label)
    if isinstance(op, GetOp | PutOp):
        _check_text(op.key)
    if isinstance(op, SearchOp):
        _check_text(op.query or "")
        as_json(op.filter or {})


def as_json(value: Mapping[str, Any]) -> str:
    """Return a value as JSON that Postgres takes.

    Raises:
        UnstorableTextError: there is a NUL or half a surrogate pair in it.
        TypeError: there is something in it that JSON has no form for.
        ValueError: the same, of numbers.
    """
    text = json.dumps(dict(value), ensure_ascii=False, allow_nan=False)
    _check_text(text)
    if "\\u0000" in text:
        _check_no_nul(value)
    return text


def _owner(op: Op) -> str | None:
    labels = _namespace(op)[:OWNER_LABELS]
    reaches_over = isinstance(op, SearchOp | ListNamespacesOp) and (len(labels) < OWNER_LABELS or "*" in labels)
    return None if reaches_over else ".".join(labels)


def is_owner(owner: str | None) -> TypeGuard[str]:
    """Tell whether an owner is one that can be walled in: one label alone may be above many owners."""
    return owner is not None and owner.count(".") == OWNER_LABELS - 1


def _namespace(op: Op) -> tuple[str, ...]:
    """Return the namespace that an operation stays within."""
    if isinstance(op, SearchOp):
        return op.namespace_prefix
    if isinstance(op, ListNamespacesOp):
        prefixes = [tuple(c.path) for c in op.match_conditions or () if c.match_type == "prefix"]
        return prefixes[0] if prefixes else ()
    return op.namespace


def _check_text(text: str) -> None:
    if "\0" in text:
        raise UnstorableTextError("a text holds a NUL")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UnstorableTextError("a text holds half a surrogate pair") from error


def _check_no_nul(value: object) -> None:
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            _check_no_nul(key)
            _check_no_nul(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _check_no_nul(item)
