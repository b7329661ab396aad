"""The writes of a batch, prepared before a connection is taken."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, LiteralString

from langgraph.store.base import PutOp
from psycopg import AsyncCursor
from psycopg.rows import DictRow

from agent.database.statements import Statements
from agent.store.change_log import SQL as CHANGE_LOG
from agent.store.indexing import Indexing
from agent.store.key_locks import ItemKey
from agent.store.operations import as_json
from agent.store.schema import max_words_bytes
from agent.store.vectors import Vector


class SQL(Statements, file="writes.sql"):
    """Statements of `writes.sql`."""

    lock_owner: LiteralString
    lock_items: LiteralString
    erase_items: LiteralString
    erase_vectors: LiteralString
    delete: LiteralString
    put: LiteralString
    delete_stale_vectors: LiteralString
    put_vector: LiteralString
    add_vector: LiteralString
    update: LiteralString
    refresh_ttl: LiteralString


ERASURES = {"store_vectors": SQL.erase_vectors, "store_changes": CHANGE_LOG.erase, "store": SQL.erase_items}

Vectors = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Put:
    """An item to be written."""

    prefix: str
    key: str
    value: str
    ttl_minutes: float | None
    texts: Mapping[str, str]
    """Texts to embed, by field name."""
    position: tuple[str | None, str | None]
    """The conversation, and the moment in it."""


@dataclass(frozen=True, slots=True)
class Writes:
    """The puts and deletes of a batch; the last one of each key."""

    puts: tuple[Put, ...]
    deletes: tuple[ItemKey, ...]

    @classmethod
    def of(cls, ops: Sequence[PutOp], indexing: Indexing | None) -> "Writes":
        """Prepare the writes of operations; for the errors of values, see `as_json`."""
        last = {(".".join(op.namespace), op.key): op for op in ops}
        puts = [_put(prefix, op, indexing) for (prefix, _), op in last.items() if op.value is not None]
        return cls(tuple(puts), tuple(item for item, op in last.items() if op.value is None))

    @property
    def keys(self) -> list[ItemKey]:
        """The keys of all items that are written or deleted."""
        return [*self.deletes, *((put.prefix, put.key) for put in self.puts)]

    @property
    def texts(self) -> set[str]:
        """All texts to embed."""
        return {text for put in self.puts for text in put.texts.values()}

    async def write(
        self,
        cursor: AsyncCursor[DictRow],
        owner: str,
        vectors: Vectors,
        indexing: Indexing | None,
        language: str | None,
    ) -> None:
        """Execute the writes in the cursor's transaction."""
        if len(self.puts) + len(self.deletes) > 1:
            await cursor.execute(SQL.lock_owner, {"owner": owner})
        if self.deletes:
            prefixes, keys = zip(*self.deletes, strict=True)
            await cursor.execute(SQL.delete, {"prefixes": list(prefixes), "keys": list(keys)})
        if not self.puts:
            return
        await cursor.execute(SQL.put, self._columns())
        if indexing is None:
            return
        await cursor.execute(SQL.delete_stale_vectors, self._columns())
        if rows := [row for put in self.puts for row in vector_rows(put, vectors, indexing, language)]:
            await cursor.executemany(SQL.put_vector, rows)

    def _columns(self) -> dict[str, list[Any]]:
        indexed = [(put.prefix, put.key, field) for put in self.puts for field in put.texts]
        return {
            "prefixes": [put.prefix for put in self.puts],
            "keys": [put.key for put in self.puts],
            "values": [put.value for put in self.puts],
            "minutes": [put.ttl_minutes for put in self.puts],
            "indexed_prefixes": [prefix for prefix, _, _ in indexed],
            "indexed_keys": [key for _, key, _ in indexed],
            "indexed_fields": [field for _, _, field in indexed],
        }


async def lock_unchanged(cursor: AsyncCursor[DictRow], owner: str, expected: Mapping[ItemKey, datetime | None]) -> bool:
    """Check that items are as last updated, None for missing ones, and lock them in the cursor's transaction."""
    await cursor.execute(SQL.lock_owner, {"owner": owner})
    if not expected:
        return True
    prefixes, keys = [prefix for prefix, _ in expected], [key for _, key in expected]
    await cursor.execute(SQL.lock_items, {"prefixes": prefixes, "keys": keys})
    current = {(row["prefix"], row["key"]): row["updated_at"] for row in await cursor.fetchall()}
    return all(current.get(item) == updated_at for item, updated_at in expected.items())


async def erase(cursor: AsyncCursor[DictRow], owner: str, *, indexed: bool) -> dict[str, dict[tuple[str, ...], int]]:
    """Delete all rows of an owner in the cursor's transaction; count them by table and namespace."""
    await cursor.execute(SQL.lock_owner, {"owner": owner})
    counts: dict[str, dict[tuple[str, ...], int]] = {}
    for table, statement in ERASURES.items():
        if table == "store" or indexed:
            await cursor.execute(statement, {"owner": owner})
            rows = await cursor.fetchall()
            counts[table] = {tuple(row["prefix"].split(".")): row["rows"] for row in rows}
    return counts


def split_passages(put: Put) -> list[Put]:
    """Split an item into one with its whole texts and one with their passages, which are embedded later."""
    whole = {field: text for field, text in put.texts.items() if "#" not in field}
    others = {field: text for field, text in put.texts.items() if "#" in field}
    return [replace(put, texts=texts) for texts in (whole, others) if texts]


def vector_rows(put: Put, vectors: Vectors, indexing: Indexing, language: str | None) -> list[dict[str, Any]]:
    """The parameters of `SQL.put_vector` for each text of an item."""
    return [
        {
            "prefix": put.prefix,
            "key": put.key,
            "field": field,
            "vector": Vector(vectors[text]),
            "language": language,
            "body": text,
            "bytes": max_words_bytes(indexing.dims),
            "sequence": put.position[0],
            "moment": put.position[1],
        }
        for field, text in put.texts.items()
    ]


def _put(prefix: str, op: PutOp, indexing: Indexing | None) -> Put:
    assert op.value is not None  # noqa: S101 - the caller keeps deletes apart
    return Put(
        prefix=prefix,
        key=op.key,
        value=as_json(op.value),
        ttl_minutes=op.ttl,
        texts={} if indexing is None else indexing.texts(op.value, op.index),
        position=(None, None) if indexing is None else indexing.position(op.value),
    )
