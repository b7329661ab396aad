"""What a batch writes: made out, with its vectors, before a connection is taken."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString

from langgraph.store.base import PutOp
from psycopg import AsyncCursor
from psycopg.rows import DictRow

from agent.database.statements import Statements
from agent.store.indexing import Indexing
from agent.store.key_locks import Place
from agent.store.operations import as_json
from agent.store.schema import max_words_bytes
from agent.store.vectors import Vector


class SQL(Statements, file="writes.sql"):
    """Statements of `writes.sql`."""

    alone: LiteralString
    as_read: LiteralString
    erase_items: LiteralString
    erase_vectors: LiteralString
    delete: LiteralString
    put: LiteralString
    forget_vectors: LiteralString
    put_vector: LiteralString
    update: LiteralString
    refresh: LiteralString


Vectors = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Put:
    """An item as it will stand in the tables."""

    prefix: str
    key: str
    value: str
    minutes: float | None
    texts: Mapping[str, str]
    """What is embedded, by the name of its field."""
    place: tuple[str | None, str | None]
    """Its conversation, and its moment there."""


@dataclass(frozen=True, slots=True)
class Writes:
    """The puts and deletes of a batch, of each key the last."""

    puts: tuple[Put, ...]
    deletes: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, ops: Sequence[PutOp], indexing: Indexing | None) -> "Writes":
        """Make out what operations write.

        Raises:
            UnstorableTextError, TypeError, ValueError: a value cannot be kept; see `as_json`.
        """
        last = {(".".join(op.namespace), op.key): op for op in ops}
        puts = [_put(prefix, op, indexing) for (prefix, _), op in last.items() if op.value is not None]
        return cls(tuple(puts), tuple(place for place, op in last.items() if op.value is None))

    @property
    def places(self) -> list[tuple[str, str]]:
        """Where everything goes: the namespace, joined by dots, and the key."""
        return [*self.deletes, *((put.prefix, put.key) for put in self.puts)]

    @property
    def texts(self) -> set[str]:
        """Every text that needs a vector."""
        return {text for put in self.puts for text in put.texts.values()}

    async def write(
        self,
        cursor: AsyncCursor[DictRow],
        owner: str,
        vectors: Vectors,
        indexing: Indexing | None,
        language: str | None,
    ) -> None:
        """Write everything, in the cursor's transaction."""
        if len(self.puts) + len(self.deletes) > 1:
            await cursor.execute(SQL.alone, {"owner": owner})
        if self.deletes:
            prefixes, keys = zip(*self.deletes, strict=True)
            await cursor.execute(SQL.delete, {"prefixes": list(prefixes), "keys": list(keys)})
        if not self.puts:
            return
        await cursor.execute(SQL.put, self._columns())
        if indexing is None:
            return
        await cursor.execute(SQL.forget_vectors, self._columns())
        if rows := [row for put in self.puts for row in vector_rows(put, vectors, indexing, language)]:
            await cursor.executemany(SQL.put_vector, rows)

    def _columns(self) -> dict[str, list[Any]]:
        indexed = [(put.prefix, put.key, field) for put in self.puts for field in put.texts]
        return {
            "prefixes": [put.prefix for put in self.puts],
            "keys": [put.key for put in self.puts],
            "values": [put.value for put in self.puts],
            "minutes": [put.minutes for put in self.puts],
            "indexed_prefixes": [prefix for prefix, _, _ in indexed],
            "indexed_keys": [key for _, key, _ in indexed],
            "indexed_fields": [field for _, _, field in indexed],
        }


async def as_read(cursor: AsyncCursor[DictRow], owner: str, read: Mapping[Place, datetime | None]) -> bool:
    """Tell whether items are as they were read, and keep them so for the rest of the cursor's transaction.

    Args:
        cursor: one in a transaction.
        owner: whose they are.
        read: when each was last updated; None for one that was not there.
    """
    await cursor.execute(SQL.alone, {"owner": owner})
    prefixes, keys = [prefix for prefix, _ in read], [key for _, key in read]
    await cursor.execute(SQL.as_read, {"prefixes": prefixes, "keys": keys})
    found = {(row["prefix"], row["key"]): row["updated_at"] for row in await cursor.fetchall()}
    return all(found.get(place) == moment for place, moment in read.items())


async def erase(cursor: AsyncCursor[DictRow], owner: str, *, indexed: bool) -> dict[str, dict[tuple[str, ...], int]]:
    """Delete everything of an owner's in the cursor's transaction; return how many rows, by table and namespace."""
    await cursor.execute(SQL.alone, {"owner": owner})
    gone: dict[str, dict[tuple[str, ...], int]] = {}
    for table, statement in (("store_vectors", SQL.erase_vectors), ("store", SQL.erase_items)):
        if table == "store" or indexed:
            await cursor.execute(statement, {"owner": owner})
            rows = await cursor.fetchall()
            gone[table] = {tuple(row["prefix"].split(".")): row["rows"] for row in rows}
    return gone


def vector_rows(put: Put, vectors: Vectors, indexing: Indexing, language: str | None) -> list[dict[str, Any]]:
    """Return the rows of an item's vectors."""
    return [
        {
            "prefix": put.prefix,
            "key": put.key,
            "field": field,
            "vector": Vector(vectors[text]),
            "language": language,
            "body": text,
            "bytes": max_words_bytes(indexing.dims),
            "sequence": put.place[0],
            "moment": put.place[1],
        }
        for field, text in put.texts.items()
    ]


def _put(prefix: str, op: PutOp, indexing: Indexing | None) -> Put:
    assert op.value is not None  # noqa: S101 - the caller keeps deletes apart
    return Put(
        prefix=prefix,
        key=op.key,
        value=as_json(op.value),
        minutes=op.ttl,
        texts={} if indexing is None else indexing.texts(op.value, op.index),
        place=(None, None) if indexing is None else indexing.place(op.value),
    )
