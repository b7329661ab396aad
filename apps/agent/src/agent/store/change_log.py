"""The log of changes: a bounded list per owner, written in the transaction that changes the items.

Entries contain text. When items are deleted permanently, their entries are deleted in the same transaction.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString

from psycopg import AsyncCursor
from psycopg.rows import DictRow

from agent.database.statements import Statements
from agent.store.key_locks import ItemKey


class SQL(Statements, file="change_log.sql"):
    """Statements of `change_log.sql`."""

    create: LiteralString
    read_items: LiteralString
    purge: LiteralString
    append: LiteralString
    trim: LiteralString
    notify: LiteralString
    listen: LiteralString
    latest: LiteralString
    list_after: LiteralString
    list_before: LiteralString
    delete_expired: LiteralString
    erase: LiteralString


MAX_ENTRIES = 1_000
"""Entries of an owner to keep."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A change of an item."""

    keys: Sequence[str]
    """The items whose text `data` contains."""
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LogUpdate:
    """What a transaction does to the log."""

    entries: Sequence[Entry] = ()
    purged: Set[str] = frozenset()
    """The items whose earlier text must not remain in the log."""


@dataclass(frozen=True, slots=True)
class LoggedEntry:
    """An entry as it is read."""

    seq: int
    data: dict[str, Any]
    at: datetime


Before = Mapping[tuple[tuple[str, ...], str], Mapping[str, Any]]
"""The values of items before a transaction, by namespace and key."""

DescribeChanges = Callable[[Before], LogUpdate]


async def read_before(cursor: AsyncCursor[DictRow], keys: Collection[ItemKey]) -> Before:
    """Read the current values of items."""
    parameters = {"prefixes": [prefix for prefix, _ in keys], "keys": [key for _, key in keys]}
    await cursor.execute(SQL.read_items, parameters)
    return {(tuple(row["prefix"].split(".")), row["key"]): row["value"] for row in await cursor.fetchall()}


async def write(cursor: AsyncCursor[DictRow], owner: str, update: LogUpdate, minutes: float | None) -> None:
    """Update the log in a transaction that holds the owner's lock; entries live for `minutes`, None: unlimited."""
    if update.purged:
        await cursor.execute(SQL.purge, {"owner": owner, "keys": sorted(update.purged)})
    if update.entries:
        entries = [json.dumps({"keys": one.keys, "data": one.data}) for one in update.entries[-MAX_ENTRIES:]]
        await cursor.execute(SQL.append, {"owner": owner, "entries": entries})
        await cursor.execute(SQL.trim, {"owner": owner, "kept": MAX_ENTRIES, "minutes": minutes})
        await cursor.execute(SQL.notify, {"owner": owner})
