"""Conversion of a store's vectors to another model, while Keepsake reads and writes the old ones.

    store_vectors ──page by page──▶ store_vectors_next ──renamed──▶ store_vectors
         └─trigger─▶ store_vectors_changed ──page by page──┘

Each page is committed, so an interrupted conversion resumes where it stopped: a new row has the `updated_at` of the old
row that it was made from. A trigger records what is written or deleted in the meantime, and the conversion catches up.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, LiteralString, TypeVar

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
    record_changes: LiteralString
    drop: LiteralString
    language: LiteralString
    progress: LiteralString
    unconverted: LiteralString
    changes: LiteralString
    convert: LiteralString
    delete_stale: LiteralString
    delete_changes: LiteralString
    vacuum: LiteralString
    lock: LiteralString
    swap: LiteralString
    installation: LiteralString
    start: LiteralString
    clear_target: LiteralString
    finish: LiteralString


NEXT: LiteralString = "store_vectors_next"

PAGE_SIZE = 64
"""Texts embedded at once, and the most that have to be embedded again after a kill."""
CHANGES_BATCH_SIZE = 1_000
"""Changes processed at once: many are of the same keys, and a busy service must not write faster than we convert."""
CACHE_OWNER = "conversion"  # whose cached vectors serve no user
ATTEMPTS = ((0.0, 64), (2.0, 16), (10.0, 4), (60.0, 1))
"""Delay in seconds before each attempt to embed, and texts per call: a failed call may have been too large."""

MAX_LOCKED_SECONDS = 5.0
"""How long reads and writes may be blocked while the last texts are embedded; few arrive, and most are cached."""

T = TypeVar("T")
Row = Mapping[str, Any]
Embed = Callable[[list[str]], Awaitable[list[Vector]]]


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a conversion, in texts."""

    done: int
    total: int
    dropped: str | None = None
    """Target of an unfinished conversion that was discarded for this one."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """Converts the vectors of a store; for the errors, see `reembed_database`."""

    pool: Pool
    embeddings: CachedEmbeddings
    indexing: Indexing
    """The index configuration of the new vectors."""
    vector_steps: Sequence[str]
    """LangGraph's steps, with the dimensions of the new vectors."""
    attempts: Sequence[tuple[float, int]] = ATTEMPTS

    async def has_started(self) -> bool:
        """Check whether there is a table of new vectors."""
        return bool((await self._vectors())["has_started"])

    async def has_target_type(self) -> bool:
        """Check whether the vectors already have the new type and dimensions."""
        return bool((await self._vectors())["type"] == f"{self.indexing.vector_type}({self.indexing.dims})")

    async def prepare(self) -> None:
        """Create the new table and the trigger, if they are missing."""
        await self._retry(self._prepare)

    async def drop(self) -> None:
        """Discard an unfinished conversion."""
        await self._retry(lambda connection: connection.execute(SQL.drop))

    async def run(self) -> AsyncIterator[Progress]:
        """Embed every text, and catch up with changes until few are left."""
        [counts] = await self._read(SQL.progress)
        done, total = counts["done"], counts["total"]
        yield Progress(done, total)
        last = schema.BEFORE_FIRST
        while rows := await self._read(SQL.unconverted, {**last, "limit": PAGE_SIZE}):
            await self._convert(rows, [])
            done, last = done + len(rows), schema.vector_key(rows[-1])
            yield Progress(min(done, total), total)
        await self._vacuum()
        await self.catch_up()
        if done < total:
            yield Progress(total, total)

    async def catch_up(self) -> None:
        """Apply changes until few are left, or until their number no longer decreases."""
        previous = CHANGES_BATCH_SIZE
        while True:
            changes = await self._read(SQL.changes, {"limit": CHANGES_BATCH_SIZE})
            await self._convert([row for row in changes if row["field_name"] is not None], changes)
            count = len(_ids(changes))
            if count < PAGE_SIZE or (len(changes) < CHANGES_BATCH_SIZE and count >= previous):
                return
            previous = count

    async def swap(self) -> None:
        """Replace the old vectors by the new ones; blocks reads and writes of the store meanwhile.

        Raises:
            LockNotAvailable, DeadlockDetected, TimeoutError: rolled back; try again later.
        """
        async with self._transaction() as connection:
            await connection.execute(SQL.lock)
            async with asyncio.timeout(MAX_LOCKED_SECONDS):
                await self._catch_up_locked(connection)
            await connection.execute(SQL.swap)
            await schema.record_migrations(connection, self.vector_steps, self.indexing)

    async def _vectors(self) -> Row:
        if rows := await self._read(SQL.vectors):
            return rows[0]
        raise SetupError("there is nothing to convert: `keepsake serve` creates the tables")

    async def _prepare(self, connection: AsyncConnection[DictRow]) -> None:
        await schema.create_vector_table(connection, self.vector_steps, self.indexing, NEXT)
        if await _language(connection) is None and self.indexing.language is not None:
            language = await schema.known_language(connection, self.indexing.language)
            comment = sql.SQL("COMMENT ON COLUMN {}.words IS {}")
            await connection.execute(comment.format(sql.Identifier(NEXT), sql.Literal(schema.words_version(language))))
        await enable_row_security(connection, {NEXT: schema.STORE_ROW_CONDITIONS[schema.VECTORS]}, role=ROLE)
        await connection.execute(SQL.record_changes)

    async def _convert(self, rows: Sequence[Row], changes: Sequence[Row]) -> None:
        written = await self._with_vectors(rows, self._embed)
        await self._retry(lambda connection: self._write(connection, written, changes))

    async def _catch_up_locked(self, connection: AsyncConnection[DictRow]) -> None:
        try:
            while changes := await _fetch(connection, SQL.changes, {"limit": CHANGES_BATCH_SIZE}):
                rows = [row for row in changes if row["field_name"] is not None]
                written = await self._with_vectors(rows, self._embed_once)
                await self._write(connection, written, changes)
        except EmbedderUnavailableError as error:
            raise TimeoutError("the model did not answer while the tables were locked") from error

    async def _with_vectors(self, rows: Sequence[Row], embed: Embed) -> list[dict[str, Any]]:
        columns = self.indexing.columns(rows)
        texts = [
            {**schema.vector_key(row), "body": body, "sequence": sequence, "moment": moment}
            for row, body, sequence, moment in zip(
                rows, columns["bodies"], columns["sequences"], columns["moments"], strict=True
            )
            if body
        ]
        vectors = await embed([text["body"] for text in texts])
        for vector in vectors:
            if len(vector) != self.indexing.dims:
                raise SetupError(
                    f"the model returns vectors of {len(vector)} dimensions, and {self.indexing.dims} are configured: "
                    f"set KEEPSAKE_EMBEDDING_DIMS={len(vector)}"
                )
        return [text | {"vector": vector} for text, vector in zip(texts, vectors, strict=True)]

    async def _embed_once(self, texts: list[str]) -> list[Vector]:
        return await self.embeddings.aembed_documents(texts, owner=CACHE_OWNER)

    async def _embed(self, texts: list[str]) -> list[Vector]:
        failure: EmbedderUnavailableError | None = None
        for delay_seconds, batch_size in self.attempts:
            await asyncio.sleep(delay_seconds)
            try:
                batches = [texts[start : start + batch_size] for start in range(0, len(texts), batch_size)]
                return [vector for batch in batches for vector in await self._embed_once(batch)]
            except EmbedderUnavailableError as error:
                failure = error
        raise failure or EmbedderUnavailableError("there was no attempt")

    async def _write(
        self, connection: AsyncConnection[DictRow], written: Sequence[dict[str, Any]], changes: Sequence[Row]
    ) -> None:
        if written:
            shared = {"language": await _language(connection), "bytes": schema.max_words_bytes(self.indexing.dims)}
            async with connection.cursor() as cursor:
                await cursor.executemany(SQL.convert, [row | shared for row in written])
        if changes:
            parameters = {
                "prefixes": [row["prefix"] for row in changes],
                "keys": [row["key"] for row in changes],
                "kept_prefixes": [row["prefix"] for row in written],
                "kept_keys": [row["key"] for row in written],
                "kept_fields": [row["field"] for row in written],
            }
            await connection.execute(SQL.delete_stale, parameters)
            await connection.execute(SQL.delete_changes, {"ids": _ids(changes)})

    async def _vacuum(self) -> None:
        # If it is not possible now, autovacuum does it later.
        with contextlib.suppress(errors.QueryCanceled, errors.LockNotAvailable):
            async with self.pool.connection() as connection:
                await connection.execute(SQL.vacuum)

    async def _read(self, statement: LiteralString, parameters: Row | None = None) -> list[DictRow]:
        return await self._retry(lambda connection: _fetch(connection, statement, parameters or {}))

    async def _retry(self, action: Callable[[AsyncConnection[DictRow]], Awaitable[T]]) -> T:
        """Run an action in a transaction, again after a lock timeout."""

        async def attempt() -> T:
            async with self._transaction() as connection:
                return await action(connection)

        return await retry_on_lock_timeout(attempt)

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


def _ids(changes: Iterable[Row]) -> list[int]:
    return list({number for row in changes for number in row["ids"]})
