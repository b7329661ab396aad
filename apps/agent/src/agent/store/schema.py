"""The store's tables: LangGraph's own, and what exact search adds to them."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, LiteralString

from langgraph.store.postgres.base import BasePostgresStore
from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow

from agent.database.migration import STORE_PREFIX, applied_migrations, apply_migrations, record_migration
from agent.database.row_security import CURRENT_SCOPE, enable_row_security
from agent.database.statements import Statements
from agent.errors import SetupError
from agent.store.change_log import SQL as CHANGE_LOG
from agent.store.indexing import Indexing
from agent.store.lock_retry import limit_lock_wait, retry_on_lock_timeout
from agent.store.operations import WordSearchOp
from agent.store.partitions import partition_counts, partition_tables
from agent.store.search import WORD_FUNCTIONS, functions


class SQL(Statements, file="schema.sql"):
    """Statements of `schema.sql`."""

    search_columns: LiteralString
    inline_storage: LiteralString
    covering_index: LiteralString
    prefix_index: LiteralString
    wordless_index: LiteralString
    history_values: LiteralString
    convert_numbered_migrations: LiteralString
    function_digest: LiteralString
    versions: LiteralString
    embedding_type: LiteralString
    invalid_indexes: LiteralString
    words_version: LiteralString
    known_language: LiteralString
    rows_to_fill: LiteralString
    set_words: LiteralString


SETUP_LOCK = 0x65786163
MIN_POSTGRES = 14
MIN_PGVECTOR = (0, 7)  # halfvec, l2_normalize
MAX_INDEX_ROW_BYTES = 2_700
KEY_BYTES = 900  # of an index row, for namespace, key and place in a conversation
MAX_WORDS_BYTES = 900
MIN_WORDS_BYTES = 250
MAX_INLINE_BYTES = 6_400  # of a page of 8 kB, for the vector in half precision
BACKFILL_BATCH_SIZE = 200
STOCK_VECTOR_STEPS = 2
WORDS_VERSION = 2
"""Increase it if `store_words()` extracts other words: `fill_words` then extracts those of all rows again."""
VECTORS: LiteralString = "store_vectors"

STORE_ROW_CONDITIONS: dict[str, LiteralString] = dict.fromkeys(
    ("store", "store_vectors", "store_changes"),
    f"(prefix = {CURRENT_SCOPE} OR starts_with(prefix, {CURRENT_SCOPE} || '.'))",
)
"""The condition under which a row belongs to the user of a transaction, by table."""

BEFORE_FIRST: Mapping[str, str] = {"prefix": "", "key": "", "field": ""}
"""A key before those of all vectors; see `vector_key`."""


def max_words_bytes(dims: int) -> int:
    """How many bytes of words a row may have: they share an index row with the vector."""
    room = MAX_INDEX_ROW_BYTES - KEY_BYTES - 2 * dims
    return min(MAX_WORDS_BYTES, room) if room >= MIN_WORDS_BYTES else MAX_WORDS_BYTES


def word_search_parameters(op: WordSearchOp, indexing: Indexing | None, language: str | None) -> dict[str, Any]:
    """The parameters of a search by words, with where it finds those of items that have none in `store_vectors`."""
    return {
        "prefixes": [".".join(op.namespace_prefix)],
        "query": op.query,
        "limit": op.limit,
        "unindexed": op.unindexed,
        "language": language or "simple",
        "field": indexing.fields[0] if indexing else "text",
        "bytes": max_words_bytes(indexing.dims if indexing else 0),
    }


def fits_index(dims: int) -> bool:
    """Check whether an index row has room for a vector in half precision and for words."""
    return 2 * dims + KEY_BYTES + MIN_WORDS_BYTES <= MAX_INDEX_ROW_BYTES


def vector_key(row: Mapping[str, Any]) -> dict[str, str]:
    """The primary key of a row of `store_vectors`, as parameters."""
    return {"prefix": row["prefix"], "key": row["key"], "field": row["field_name"]}


async def create_tables(
    connection: AsyncConnection[DictRow],
    stock_steps: Iterable[str],
    vector_steps: Iterable[str],
    indexing: Indexing | None,
    partitions: int = 0,
) -> None:
    """Create or update the tables in a transaction of their owner, one process at a time.

    LangGraph's steps are numbered from 0; those for vectors are applied only if texts are indexed. A new database gets
    `partitions` (0: none) of each table; existing tables keep their number, which a table that is added shares.
    """
    await connection.execute("SELECT pg_advisory_xact_lock(%s)", (SETUP_LOCK,))
    existing = await partition_counts(connection)
    # In a transaction that holds the lock, an index needs no CONCURRENTLY, and cannot be left invalid.
    steps = [step.replace(" CONCURRENTLY", "") for step in stock_steps]
    await _apply_numbered(connection, "store_migrations", steps)
    if indexing is not None:
        await _check_versions(connection)
        await _apply_numbered(connection, "vector_migrations", vector_steps)
        await _check_vectors(connection, indexing)
        await applied_migrations(connection)  # creates the table
        await connection.execute(SQL.convert_numbered_migrations)
        done = {name for name in await applied_migrations(connection) if name.startswith(STORE_PREFIX)}
        await apply_migrations(connection, search_migrations(indexing), done)
    if count := existing.get("store", partitions):
        created = [table for table in await partition_counts(connection) if table not in existing]
        await partition_tables(connection, created, count)
    await _create_functions(connection, functions(indexing))


def vector_steps(store: BasePostgresStore[Any]) -> list[str]:
    """LangGraph's steps for vectors, except the last one, which creates an index over the rows of all users."""
    steps = []
    for step in store.VECTOR_MIGRATIONS[:STOCK_VECTOR_STEPS]:
        parameters = {name: value(store) if callable(value) else value for name, value in (step.params or {}).items()}
        steps.append(step.sql % parameters if parameters else step.sql)
    return [*steps, "SELECT"]


def search_migrations(indexing: Indexing, table: LiteralString = VECTORS) -> dict[str, LiteralString]:
    """The steps that add what exact search needs, by name; `schema.sql` shows which parts of them are replaced."""
    dims = indexing.dims
    statements: dict[str, LiteralString] = {
        "search_columns": SQL.search_columns,
        "inline_storage": SQL.inline_storage if 2 * dims <= MAX_INLINE_BYTES else "SELECT",
        "words_function": "SELECT",  # in a migration until it became one of `functions`
        "covering_index": SQL.covering_index if fits_index(dims) else SQL.prefix_index,
        "wordless_index": SQL.wordless_index,
        "change_log": CHANGE_LOG.create,
        "history_values": SQL.history_values,
    }
    return {
        f"{STORE_PREFIX}{number:04}_{name}": _adapt(statement, indexing, table)
        for number, (name, statement) in enumerate(statements.items(), start=1)
    }


async def create_vector_table(
    connection: AsyncConnection[DictRow], vector_steps: Iterable[str], indexing: Indexing, table: LiteralString
) -> None:
    """Create a table like `store_vectors` under another name, which must start with `store_vectors`.

    It has as many partitions.
    """
    is_new = not await partition_counts(connection, [table])
    renamed = [step.replace(VECTORS, table) for step in vector_steps]
    for statement in (*renamed, *search_migrations(indexing, table).values()):
        await connection.execute(statement)
    count = (await partition_counts(connection))[VECTORS]
    if is_new and count:
        await partition_tables(connection, [table], count)
    await _create_functions(connection, WORD_FUNCTIONS)


def stock_migration_counts(steps: Sequence[str]) -> dict[str, int]:
    """The number of LangGraph's steps, by the table in which it records them."""
    return {"store_migrations": len(steps), "vector_migrations": STOCK_VECTOR_STEPS + 1}


async def record_migrations(
    connection: AsyncConnection[DictRow], vector_steps: Iterable[str], indexing: Indexing
) -> None:
    """Record all steps of the vectors' table as completed."""
    await _apply_numbered(connection, "vector_migrations", ["SELECT" for _ in vector_steps])
    await applied_migrations(connection)  # creates the table
    for name in search_migrations(indexing):
        await record_migration(connection, name)


async def enable_store_row_security(connection: AsyncConnection[DictRow], role: str, *, indexed: bool) -> None:
    """Restrict the role to the rows of one user; see `enable_row_security`."""
    tables = {table: condition for table, condition in STORE_ROW_CONDITIONS.items() if indexed or table == "store"}
    await enable_row_security(connection, tables, role=role)


async def known_language(connection: AsyncConnection[DictRow], language: str) -> str:
    """The language if this Postgres has a text search configuration for it, and otherwise `simple`."""
    row = await (await connection.execute(SQL.known_language, {"language": language})).fetchone()
    return str(row["language"]) if row else "simple"


def words_version(language: str) -> str:
    """What the words of a table depend on; the comment of their column."""
    return f"{language} {WORDS_VERSION}"


async def fill_words(connection: AsyncConnection[DictRow], indexing: Indexing, language: str) -> None:
    """Extract the words of rows that have none, or those of all rows if the language or the functions have changed.

    Each batch is a transaction. Rows keep their old words until then, so that searches find them all the time.
    """
    row = await (await connection.execute(SQL.words_version)).fetchone()
    is_stale = row is None or row["version"] != words_version(language)
    page = {**BEFORE_FIRST, "limit": BACKFILL_BATCH_SIZE, "all": is_stale}
    limits = {"language": language, "bytes": max_words_bytes(indexing.dims)}
    while rows := await (await connection.execute(SQL.rows_to_fill, page)).fetchall():
        parameters = indexing.columns(rows) | limits | {"updated": [row["updated_at"] for row in rows]}
        await retry_on_lock_timeout(partial(_set_words, connection, parameters))
        page |= vector_key(rows[-1])
    if is_stale:
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock(%s)", (SETUP_LOCK,))
            comment = sql.SQL("COMMENT ON COLUMN store_vectors.words IS {}")
            await connection.execute(comment.format(sql.Literal(words_version(language))))


async def _set_words(connection: AsyncConnection[DictRow], parameters: Mapping[str, Any]) -> None:
    async with connection.transaction():
        await limit_lock_wait(connection)
        await connection.execute(SQL.set_words, parameters)


def _adapt(statement: LiteralString, indexing: Indexing, table: LiteralString) -> LiteralString:
    adapted = statement.replace(VECTORS, table).replace("1536", str(indexing.dims))
    if indexing.distance != "cosine":
        adapted = adapted.replace("l2_normalize(embedding)", "embedding")
    return adapted


async def _apply_numbered(connection: AsyncConnection[DictRow], table: LiteralString, steps: Iterable[str]) -> None:
    name = sql.Identifier(table)
    await connection.execute(sql.SQL("CREATE TABLE IF NOT EXISTS {} (v INTEGER PRIMARY KEY)").format(name))
    last = await (await connection.execute(sql.SQL("SELECT max(v) AS v FROM {}").format(name))).fetchone()
    done = -1 if last is None or last["v"] is None else int(last["v"])
    for number, step in enumerate(steps):
        if number > done:
            await connection.execute(step)
            await connection.execute(sql.SQL("INSERT INTO {} (v) VALUES (%s)").format(name), (number,))


async def _create_functions(connection: AsyncConnection[DictRow], statements: Mapping[str, LiteralString]) -> None:
    for name, statement in statements.items():
        await _create_function(connection, name, statement)


async def _create_function(connection: AsyncConnection[DictRow], name: str, statement: LiteralString) -> None:
    """Create a function again only if it changed, because every session loses its cached plans."""
    digest = hashlib.sha256(statement.encode()).hexdigest()
    row = await (await connection.execute(SQL.function_digest, {"name": name})).fetchone()
    if row is not None and row["digest"] == digest:
        return
    identifier = sql.Identifier(name)
    await connection.execute(sql.SQL("DROP FUNCTION IF EXISTS {}").format(identifier))
    await connection.execute(statement)
    await connection.execute(sql.SQL("COMMENT ON FUNCTION {} IS {}").format(identifier, sql.Literal(digest)))


async def _check_versions(connection: AsyncConnection[DictRow]) -> None:
    [row] = await (await connection.execute(SQL.versions)).fetchall()
    if row["postgres"] < MIN_POSTGRES:
        raise SetupError(f"this is PostgreSQL {row['postgres']}; {MIN_POSTGRES} or newer is needed")
    version = row["pgvector"] or row["installable"]
    if version is None:
        raise SetupError("this PostgreSQL has no pgvector; install it, or use the image pgvector/pgvector:pg18")
    if tuple(int(part) for part in version.split(".")[:2]) < MIN_PGVECTOR:
        oldest = ".".join(map(str, MIN_PGVECTOR))
        raise SetupError(
            f"pgvector {version} is too old: update it to {oldest} or newer, then run ALTER EXTENSION vector UPDATE"
        )


async def _check_vectors(connection: AsyncConnection[DictRow], indexing: Indexing) -> None:
    row = await (await connection.execute(SQL.embedding_type)).fetchone()
    configured = f"{indexing.vector_type}({indexing.dims})"
    actual = row["type"] if row else "nothing"
    if actual != configured:
        raise SetupError(
            f"the vectors of this database are {actual}, and the store is configured for {configured}: "
            "convert them with `keepsake reembed`, or configure what they are"
        )
    rows = await (await connection.execute(SQL.invalid_indexes)).fetchall()
    if invalid := ", ".join(row["name"] for row in rows):
        raise SetupError(
            f"a failed CREATE INDEX left an invalid index, which costs every write and serves no search: {invalid}; "
            f"run DROP INDEX {invalid}"
        )
