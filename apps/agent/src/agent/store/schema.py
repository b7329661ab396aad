"""The store's tables: LangGraph's own, and beside them what exact search reads."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, LiteralString, cast

from langgraph.store.postgres.base import BasePostgresStore
from psycopg import AsyncConnection, AsyncCursor, sql
from psycopg.rows import DictRow

from agent.database.row_security import CURRENT_SCOPE, enable_row_security
from agent.database.statements import Statements
from agent.errors import SetupError
from agent.store.indexing import Indexing
from agent.store.search import functions


class SQL(Statements, file="schema.sql"):
    """Statements of `schema.sql`."""

    signals: LiteralString
    inline: LiteralString
    words: LiteralString
    together: LiteralString
    by_prefix: LiteralString
    wordless: LiteralString
    function_is: LiteralString
    postgres: LiteralString
    embedding_type: LiteralString
    broken_indexes: LiteralString
    language_is: LiteralString
    language_for: LiteralString
    forget_words: LiteralString
    without_words: LiteralString
    set_words: LiteralString


LOCK = 0x65786163
OLDEST_POSTGRES = 14
OLDEST_PGVECTOR = (0, 7)  # halfvec, l2_normalize
INDEX_ROW_BYTES = 2_700
KEY_BYTES = 900  # of an index row, for namespace, key and place in a conversation
MOST_WORDS_BYTES = 900
LEAST_WORDS_BYTES = 250
INLINE_BYTES = 6_400  # of a page of 8 kB, for the halved vector
BACKFILLED_AT_ONCE = 1_000
STOCK_VECTOR_STEPS = 2
VECTORS: LiteralString = "store_vectors"

STORE_TABLES: dict[str, LiteralString] = dict.fromkeys(
    ("store", "store_vectors"), f"(prefix = {CURRENT_SCOPE} OR starts_with(prefix, {CURRENT_SCOPE} || '.'))"
)


def words_bytes(dims: int) -> int:
    """Return how many bytes of words a row may have: in an index they share their row with the vector."""
    room = INDEX_ROW_BYTES - KEY_BYTES - 2 * dims
    return min(MOST_WORDS_BYTES, room) if room >= LEAST_WORDS_BYTES else MOST_WORDS_BYTES


def fits_index(dims: int) -> bool:
    """Tell whether an index row has room for a vector in half precision, and words beside it."""
    return 2 * dims + KEY_BYTES + LEAST_WORDS_BYTES <= INDEX_ROW_BYTES


async def create_tables(
    connection: AsyncConnection[DictRow],
    steps: Iterable[str],
    vector_steps: Iterable[str],
    indexing: Indexing | None,
) -> None:
    """Bring the tables up, in the connection's transaction, one process at a time.

    Args:
        connection: the owner's, in a transaction.
        steps: the stock store's own, numbered from 0.
        vector_steps: the same for its vectors.
        indexing: how texts are indexed; None, they are not.

    Raises:
        SetupError: something is missing or does not fit; the message says what to do.
    """
    async with connection.cursor() as cursor:
        await cursor.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        # In one transaction, with everybody else locked out, an index needs no CONCURRENTLY, and cannot be left broken.
        await _migrate(cursor, "store_migrations", [step.replace(" CONCURRENTLY", "") for step in steps])
        if indexing is not None:
            await _make_vectors(cursor, vector_steps, indexing)
        for name, statement in functions(indexing).items():
            await _make_function(cursor, name, statement)


async def _make_vectors(cursor: AsyncCursor[DictRow], vector_steps: Iterable[str], indexing: Indexing) -> None:
    await _check_versions(cursor)
    await _migrate(cursor, "vector_migrations", vector_steps)
    await _check_vectors(cursor, indexing)
    await _migrate(cursor, "exact_migrations", _exact_steps(indexing))
    await _fill_words(cursor, indexing)


def vector_steps(store: BasePostgresStore[Any]) -> list[str]:
    """Return the stock store's steps for vectors, but for the last: that makes an index of everybody's rows."""
    steps = []
    for step in store.VECTOR_MIGRATIONS[:STOCK_VECTOR_STEPS]:
        parameters = {name: value(store) if callable(value) else value for name, value in (step.params or {}).items()}
        steps.append(step.sql % parameters if parameters else step.sql)
    return [*steps, "SELECT"]


async def create_vector_table(
    connection: AsyncConnection[DictRow], vector_steps: Iterable[str], indexing: Indexing, table: LiteralString
) -> None:
    """Make a table as `store_vectors` is, under another name that begins with its own."""
    renamed = [step.replace(VECTORS, table) for step in vector_steps]
    for statement in (*renamed, *_exact_steps(indexing, table)):
        await connection.execute(cast("sql.SQL", statement))


def step_counts(steps: Sequence[str], indexing: Indexing) -> dict[str, int]:
    """Return how many steps each table of numbers has when all are taken; `steps` are the stock store's own."""
    return {
        "store_migrations": len(steps),
        "vector_migrations": STOCK_VECTOR_STEPS + 1,
        "exact_migrations": len(_exact_steps(indexing)),
    }


async def record_migrations(cursor: AsyncCursor[DictRow], vector_steps: Iterable[str], indexing: Indexing) -> None:
    """Note every step of the vectors' table as taken, where it was made whole."""
    await _migrate(cursor, "vector_migrations", ["SELECT" for _ in vector_steps])
    await _migrate(cursor, "exact_migrations", ["SELECT" for _ in _exact_steps(indexing)])


async def enable_store_row_security(connection: AsyncConnection[DictRow], role: str, *, indexed: bool) -> None:
    """Raise the wall around the tables; see `raise_wall`."""
    await enable_row_security(
        connection, {table: STORE_TABLES[table] for table in STORE_TABLES if indexed or table == "store"}, role=role
    )


def _exact_steps(indexing: Indexing, table: LiteralString = VECTORS) -> list[sql.Composable]:
    dims, normalised = indexing.dims, indexing.distance == "cosine"
    half = sql.SQL("halfvec({})").format(sql.Literal(dims))
    # Of length 1, the cheaper inner product is the cosine.
    near = sql.SQL("l2_normalize(embedding)::{}" if normalised else "embedding::{}").format(half)

    def step(statement: LiteralString) -> sql.SQL:
        return sql.SQL(statement.replace(VECTORS, table))

    return [
        step(SQL.signals).format(near_type=half, near=near),
        step(SQL.inline) if 2 * dims <= INLINE_BYTES else sql.SQL("SELECT"),
        step(SQL.words),
        step(SQL.together if fits_index(dims) else SQL.by_prefix),
        step(SQL.wordless),
    ]


async def _migrate(cursor: AsyncCursor[DictRow], table: LiteralString, steps: Iterable[str | sql.Composable]) -> None:
    """Take the steps that a table of numbers does not have yet, as the stock store does."""
    name = sql.Identifier(table)
    await cursor.execute(sql.SQL("CREATE TABLE IF NOT EXISTS {} (v INTEGER PRIMARY KEY)").format(name))
    await cursor.execute(sql.SQL("SELECT coalesce(max(v), -1) AS v FROM {}").format(name))
    row = await cursor.fetchone()
    done = int(row["v"]) if row else -1
    for number, step in enumerate(steps):
        if number > done:
            await cursor.execute(cast("sql.SQL", step))
            await cursor.execute(sql.SQL("INSERT INTO {} (v) VALUES (%s)").format(name), (number,))


async def _make_function(cursor: AsyncCursor[DictRow], name: str, statement: LiteralString) -> None:
    """Make a function anew where it is not this one: made again for nothing, its plans would be lost to everybody."""
    digest = hashlib.sha256(statement.encode()).hexdigest()
    await cursor.execute(SQL.function_is, {"name": name})
    row = await cursor.fetchone()
    if row is not None and row["digest"] == digest:
        return
    identifier = sql.Identifier(name)
    await cursor.execute(sql.SQL("DROP FUNCTION IF EXISTS {}").format(identifier))
    await cursor.execute(statement)
    await cursor.execute(sql.SQL("COMMENT ON FUNCTION {} IS {}").format(identifier, sql.Literal(digest)))


async def _check_versions(cursor: AsyncCursor[DictRow]) -> None:
    await cursor.execute(SQL.postgres)
    row = await cursor.fetchone()
    assert row is not None  # noqa: S101 - a SELECT without FROM has one row
    if row["postgres"] < OLDEST_POSTGRES:
        raise SetupError(f"this is PostgreSQL {row['postgres']}; {OLDEST_POSTGRES} or newer is needed")
    version = row["pgvector"] or row["installable"]
    if version is None:
        raise SetupError("this PostgreSQL has no pgvector; install it, or use the image pgvector/pgvector:pg18")
    oldest = ".".join(map(str, OLDEST_PGVECTOR))
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST_PGVECTOR:
        raise SetupError(
            f"pgvector {version} is too old: update it to {oldest} or newer, then run ALTER EXTENSION vector UPDATE"
        )


async def _check_vectors(cursor: AsyncCursor[DictRow], indexing: Indexing) -> None:
    await cursor.execute(SQL.embedding_type)
    row = await cursor.fetchone()
    wanted = f"{indexing.vector_type}({indexing.dims})"
    if row is None or row["type"] != wanted:
        found = row["type"] if row else "nothing"
        raise SetupError(
            f"the vectors of this database are {found}, and the store is configured for {wanted}: "
            "convert them with `keepsake reembed`, or configure what they are"
        )
    await cursor.execute(SQL.broken_indexes)
    if broken := [row["name"] for row in await cursor.fetchall()]:
        raise SetupError(
            f"a broken index was left behind: {', '.join(broken)}; it costs every write and serves no search: "
            f"run DROP INDEX {', '.join(broken)}"
        )


async def _fill_words(cursor: AsyncCursor[DictRow], indexing: Indexing) -> None:
    """Give words to what the stock store wrote, or to everything where the language is another than before."""
    if indexing.language is None:
        return
    language = await known_language(cursor.connection, indexing.language)
    await cursor.execute(SQL.language_is)
    row = await cursor.fetchone()
    if row is None or row["language"] != language:
        await cursor.execute(SQL.forget_words)
        comment = sql.SQL("COMMENT ON COLUMN store_vectors.words IS {}").format(sql.Literal(language))
        await cursor.execute(comment)
    limits = {"language": language, "bytes": words_bytes(indexing.dims)}
    last: dict[str, Any] = {"prefix": "", "key": "", "field": ""}
    while True:
        await cursor.execute(SQL.without_words, last | {"limit": BACKFILLED_AT_ONCE})
        rows = await cursor.fetchall()
        if not rows:
            return
        await cursor.execute(SQL.set_words, indexing.columns(rows) | limits)
        last = {"prefix": rows[-1]["prefix"], "key": rows[-1]["key"], "field": rows[-1]["field_name"]}


async def known_language(connection: AsyncConnection[DictRow], language: str) -> str:
    """Return a language that this Postgres has rules for, `simple` where it has none for the one asked for."""
    cursor = await connection.execute(SQL.language_for, {"language": language})
    row = await cursor.fetchone()
    return str(row["language"]) if row else "simple"
