"""Checks of the search index: vectors, full-text words, and memory."""

from collections.abc import AsyncIterator

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.doctor.finding import Finding, ok, problem, warning
from agent.doctor.queries import SQL, fetch_all
from agent.memory.records import namespaces
from agent.settings import AgentSettings
from agent.store import schema
from agent.store.lock_retry import LOCK
from agent.store.reindex import MAX_BYTES, measure_bloat
from agent.types import KINDS, UserId

_ANY_USER = UserId("x")


async def embedder(connection: AsyncConnection[DictRow], settings: AgentSettings) -> AsyncIterator[Finding]:
    """Check which model created the vectors, and whether a conversion is unfinished."""
    [row] = await fetch_all(connection, SQL.embedder_state, {"lock": LOCK})
    if row["target"] and row["running"]:
        yield ok(f"`keepsake reembed` is converting to {row['target']}")
    elif row["target"]:
        yield warning(f"a conversion to {row['target']} is unfinished: run `keepsake reembed`")
    if row["embedder"] not in (None, f"{settings.embedder}/{settings.dims}"):
        model, _, dims = row["embedder"].rpartition("/")
        yield problem(
            f"the vectors are from {model} ({dims} dimensions), but {settings.embedder} ({settings.dims}) is "
            f"configured: run `keepsake reembed`, or set KEEPSAKE_EMBEDDING_MODEL={model} and "
            f"KEEPSAKE_EMBEDDING_DIMS={dims}"
        )
    yield ok(f"the vectors are from {settings.embedder}, {settings.dims} dimensions")


async def vectors(connection: AsyncConnection[DictRow], settings: AgentSettings) -> AsyncIterator[Finding]:
    """Check the type of the vectors, and for vector indexes that no search uses."""
    rows = await fetch_all(connection, schema.SQL.embedding_type)
    actual, expected = rows[0]["type"] if rows else "missing", f"vector({settings.dims})"
    if actual != expected:
        yield problem(f"their type is {actual}, expected {expected}: run `keepsake reembed`")
    for row in await fetch_all(connection, SQL.unused_vector_indexes):
        drop = "DROP INDEX" if row["is_partitioned"] else "DROP INDEX CONCURRENTLY"
        yield warning(
            f"the {row['kind']} index {row['name']} ({row['size']}) slows down writes, and no search uses it: "
            f"run {drop} {row['name']}"
        )
    yield ok(f"their type is {expected}")


async def completeness(connection: AsyncConnection[DictRow], _: AgentSettings) -> AsyncIterator[Finding]:
    """Count documents without a vector or without words for full-text search."""
    inbox = _suffix(namespaces.inbox(_ANY_USER))
    places = [inbox, *(_suffix(namespaces.memories(_ANY_USER, kind)) for kind in KINDS)]
    rows = await fetch_all(connection, SQL.missing_vectors, {"places": places})
    counts = {row["place"]: row["number"] for row in rows}
    if messages := counts.pop(inbox, 0):
        yield warning(f"{messages} messages have no vector: formation adds them; check that a worker runs")
    if memories := sum(counts.values()):
        yield warning(f"{memories} memories have no vector and are found by words only: export and import them")
    [row] = await fetch_all(connection, SQL.missing_words)
    if row["number"]:
        yield warning(f"{row['number']} vectors have no words: restart `keepsake serve`, which adds them")
    yield ok("all documents have vectors and words")


async def buffers(connection: AsyncConnection[DictRow], settings: AgentSettings) -> AsyncIterator[Finding]:
    """Compare the size of the search index with shared_buffers."""
    [row] = await fetch_all(connection, SQL.buffer_sizes)
    sizes = f"{row['name']} is {row['size']}, and shared_buffers is {row['buffers']}"
    if row["bytes"] > row["buffer_bytes"]:
        command = f"ALTER SYSTEM SET shared_buffers = '{row['bytes'] // 2**20 * 5 // 4}MB'"
        advice = f"run {command} and restart Postgres"
        if settings.database_url is None:
            advice = "move to a Postgres server (DATABASE_URL)"
        yield warning(f"{sizes}: searches read from disk; {advice}")
    yield ok(sizes)


async def packing(connection: AsyncConnection[DictRow], _: AgentSettings) -> AsyncIterator[Finding]:
    """Compare the size of the search index with its size after a rebuild."""
    for index in await measure_bloat(connection):
        if index.is_bloated and index.bytes > MAX_BYTES:
            size, packed = (round(number / 2**30) for number in (index.bytes, index.packed_bytes))
            yield warning(f"{index.name} has {size} GB and could have {packed}: at a quiet time, run {index.rebuild}")
    yield ok("the search index is compact, or is rebuilt automatically")


def _suffix(namespace: tuple[str, ...]) -> str:
    return ".".join(namespace[2:])
