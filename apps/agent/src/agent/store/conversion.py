"""Converting the vectors of a store to another model, beside a Keepsake that reads and writes the old ones.

    store_vectors ──page by page──▶ store_vectors_next ──renamed──▶ store_vectors
         └─trigger─▶ store_vectors_changed ──page by page──┘

Every page is committed, so whoever is stopped, or killed, goes on where they were: a new row bears the time of the old
row that it was made from. What is written or forgotten meanwhile is noted by the trigger, and caught up with.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, LiteralString

from psycopg import AsyncConnection, errors, sql
from psycopg.rows import DictRow

from agent.database.pools import Pool
from agent.database.row_security import ROLE, enable_row_security
from agent.database.statements import Statements
from agent.errors import EmbedderUnavailableError, SetupError
from agent.models.embeddings import CachedEmbeddings, Vector
from agent.store import schema
from agent.store.indexing import Indexing
from agent.store.lock_retry import limit_lock_wait, retry_on_lock_timeout


class SQL(Statements, file="conversion.sql"):
    """Statements of `conversion.sql`."""

    vectors: LiteralString
    note_changes: LiteralString
    drop: LiteralString
    language: LiteralString
    progress: LiteralString
    waiting: LiteralString
    changes: LiteralString
    convert: LiteralString
    forget: LiteralString
    caught_up: LiteralString
    settle: LiteralString
    lock: LiteralString
    swap: LiteralString
    kept: LiteralString
    begin: LiteralString
    abandon: LiteralString
    end: LiteralString


NEXT: LiteralString = "store_vectors_next"

PAGE = 64
"""Texts that are embedded at once, and what a kill can cost."""
CHANGES = 1_000
"""Writes that are caught up with at once: many are of the same few keys, and a busy service must not outrun us."""
ATTEMPTS = ((0.0, 64), (2.0, 16), (10.0, 4), (60.0, 1))
"""Seconds before each attempt to embed, and texts a call: what fails may have been too much at once."""

LOCKED_SECONDS = 5.0
"""For so long everybody may wait while the last texts are embedded; in that time few come, and most are cached."""
NOWHERE: Mapping[str, str] = {"prefix": "", "key": "", "field": ""}

Row = Mapping[str, Any]
Embed = Callable[[list[str]], Awaitable[list[Vector]]]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a conversion is, in texts."""

    done: int
    total: int
    dropped: str | None = None
    """The other target of a half-done conversion that was dropped for this one."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """The conversion of a store's vectors.

    Raises:
        StoreUnavailableError: from each method, when tables stay locked.
    """

    pool: Pool
    embeddings: CachedEmbeddings
    indexing: Indexing
    """How the new vectors are."""
    vector_steps: Sequence[str]
    """The stock store's, for the new vectors."""
    attempts: Sequence[tuple[float, int]] = ATTEMPTS

    async def begun(self) -> bool:
        """Tell whether there is a table of new vectors."""
        return bool((await self._vectors())["begun"])

    async def fits(self) -> bool:
        """Tell whether the vectors are of the new type and dimensions already."""
        return bool((await self._vectors())["type"] == self._type)

    async def prepare(self) -> None:
        """Make what the conversion needs, where it is not there yet."""
        await retry_on_lock_timeout(self._prepare)

    async def drop(self) -> None:
        """Take a half-done conversion away."""
        await retry_on_lock_timeout(self._drop)

    async def run(self) -> AsyncIterator[Progress]:
        """Give every text a new vector, and catch up with what was written meanwhile until little is left.

        Raises:
            EmbedderUnavailableError: the model failed in every attempt.
            SetupError: its vectors have other dimensions than it is said to have.
        """
        [counts] = await self._read(SQL.progress)
        done, total = counts["done"], counts["total"]
        yield Progress(done, total)
        last = NOWHERE
        while rows := await self._read(SQL.waiting, {**last, "limit": PAGE}):
            await self._convert(rows, [])
            done, last = done + len(rows), _place(rows[-1])
            yield Progress(min(done, total), total)
        await self._settle()
        await self.catch_up()
        if done < total:
            yield Progress(total, total)

    async def catch_up(self) -> None:
        """Convert what was written since it was read, and forget what was forgotten, until little is left.

        Or until it does not get any less: whoever writes that fast has to wait for a moment.
        """
        before = CHANGES
        while True:
            changes = await self._read(SQL.changes, {"limit": CHANGES})
            await self._convert([row for row in changes if row["field_name"] is not None], changes)
            left = len(_ids(changes))
            if left < PAGE or (len(changes) < CHANGES and left >= before):
                return
            before = left

    async def swap(self) -> None:
        """Put the new vectors in the place of the old ones; while it lasts, nobody reads or writes the store.

        Raises:
            LockNotAvailable, DeadlockDetected, TimeoutError: not now; nothing has happened.
        """
        async with self._transaction() as connection:
            await connection.execute(SQL.lock)
            async with asyncio.timeout(LOCKED_SECONDS):
                await self._catch_up_locked(connection)
            await connection.execute(SQL.swap)
            await schema.record_migrations(connection, self.vector_steps, self.indexing)

    @property
    def _type(self) -> str:
        return f"{self.indexing.vector_type}({self.indexing.dims})"

    async def _vectors(self) -> Row:
        """Return what the vectors are.

        Raises:
            SetupError: there are none.
        """
        if rows := await self._read(SQL.vectors):
            return rows[0]
        raise SetupError("there is nothing to convert: `keepsake serve` makes the tables")

    async def _prepare(self) -> None:
        async with self._transaction() as connection:
            await schema.create_vector_table(connection, self.vector_steps, self.indexing, NEXT)
            if await _language(connection) is None and self.indexing.language is not None:
                language = await schema.known_language(connection, self.indexing.language)
                comment = sql.SQL("COMMENT ON COLUMN {}.words IS {}")
                await connection.execute(comment.format(sql.Identifier(NEXT), sql.Literal(language)))
            await enable_row_security(connection, {NEXT: schema.STORE_TABLES[schema.VECTORS]}, role=ROLE)
            await connection.execute(SQL.note_changes)

    async def _drop(self) -> None:
        async with self._transaction() as connection:
            await connection.execute(SQL.drop)

    async def _convert(self, rows: Sequence[Row], changes: Sequence[Row]) -> None:
        """Give rows their new vectors, and take changes off the list."""
        written = await self._embedded(rows, self._embed)

        async def write() -> None:
            async with self._transaction() as connection:
                await self._write(connection, written, changes)

        await retry_on_lock_timeout(write)

    async def _catch_up_locked(self, connection: AsyncConnection[DictRow]) -> None:
        try:
            while changes := await _fetch(connection, SQL.changes, {"limit": CHANGES}):
                rows = [row for row in changes if row["field_name"] is not None]
                written = await self._embedded(rows, self.embeddings.aembed_documents)
                await self._write(connection, written, changes)
        except EmbedderUnavailableError as error:
            raise TimeoutError("the model did not answer; it is asked again when nobody waits for it") from error

    async def _embedded(self, rows: Iterable[Row], embed: Embed) -> list[dict[str, Any]]:
        """Return what is written of rows: of those whose text is not empty, with their new vectors."""
        rows = list(rows)
        columns = self.indexing.columns(rows)
        texts = [
            {
                "prefix": row["prefix"],
                "key": row["key"],
                "field": row["field_name"],
                "body": body,
                "sequence": sequence,
                "moment": moment,
            }
            for row, body, sequence, moment in zip(
                rows, columns["bodies"], columns["sequences"], columns["moments"], strict=True
            )
            if body
        ]
        vectors = await embed([text["body"] for text in texts])
        for vector in vectors:
            if len(vector) != self.indexing.dims:
                raise SetupError(
                    f"the model gives vectors of {len(vector)} dimensions, and {self.indexing.dims} are configured: "
                    f"set KEEPSAKE_EMBEDDING_DIMS={len(vector)}"
                )
        return [text | {"vector": vector} for text, vector in zip(texts, vectors, strict=True)]

    async def _embed(self, texts: list[str]) -> list[Vector]:
        failure: EmbedderUnavailableError | None = None
        for pause_seconds, at_once in self.attempts:
            await asyncio.sleep(pause_seconds)
            try:
                pieces = [texts[start : start + at_once] for start in range(0, len(texts), at_once)]
                return [vector for piece in pieces for vector in await self.embeddings.aembed_documents(piece)]
            except EmbedderUnavailableError as error:
                failure = error
        raise failure or EmbedderUnavailableError("there was no attempt")

    async def _write(
        self, connection: AsyncConnection[DictRow], written: Sequence[dict[str, Any]], changes: Sequence[Row]
    ) -> None:
        if written:
            same = {"language": await _language(connection), "bytes": schema.max_words_bytes(self.indexing.dims)}
            async with connection.cursor() as cursor:
                await cursor.executemany(SQL.convert, [row | same for row in written])
        if changes:
            places = {
                "prefixes": [row["prefix"] for row in changes],
                "keys": [row["key"] for row in changes],
                "kept_prefixes": [row["prefix"] for row in written],
                "kept_keys": [row["key"] for row in written],
                "kept_fields": [row["field"] for row in written],
            }
            await connection.execute(SQL.forget, places)
            await connection.execute(SQL.caught_up, {"ids": _ids(changes)})

    async def _settle(self) -> None:
        # Where it may not, autovacuum does it some time later.
        with contextlib.suppress(errors.QueryCanceled, errors.LockNotAvailable):
            async with self.pool.connection() as connection:
                await connection.execute(SQL.settle)

    async def _read(self, statement: LiteralString, parameters: Row | None = None) -> list[DictRow]:
        async def read() -> list[DictRow]:
            async with self._transaction() as connection:
                return await _fetch(connection, statement, parameters or {})

        return await retry_on_lock_timeout(read)

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection[DictRow]]:
        async with self.pool.connection() as connection, connection.transaction():
            await limit_lock_wait(connection)
            yield connection


async def _fetch(connection: AsyncConnection[DictRow], statement: LiteralString, parameters: Row) -> list[DictRow]:
    return await (await connection.execute(statement, parameters)).fetchall()


async def _language(connection: AsyncConnection[DictRow]) -> str | None:
    rows = await _fetch(connection, SQL.language, {})
    return rows[0]["language"] if rows else None


def _place(row: Row) -> dict[str, str]:
    return {"prefix": row["prefix"], "key": row["key"], "field": row["field_name"]}


def _ids(changes: Iterable[Row]) -> list[int]:
    return list({number for row in changes for number in row["ids"]})
