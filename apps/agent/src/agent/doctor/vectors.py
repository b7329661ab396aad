"""Checks of the search index: vectors, full-text words, and memory."""

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.doctor.finding import Finding, ok, problem, warning
from agent.doctor.queries import SQL, fetch_all
from agent.memory.records import namespaces
from agent.settings import AgentSettings
from agent.store import schema
from agent.store.lock_retry import LOCK
from agent.store.reindex import MAX_BYTES, REBUILD, measure_bloat
from agent.types import KINDS, UserId

_ANY_USER = UserId("x")


async def embedder(connection: AsyncConnection[DictRow], settings: AgentSettings) -> list[Finding]:
    """Check which model created the vectors, and whether a conversion is unfinished."""
    [row] = await fetch_all(connection, SQL.embedder_state, {"lock": LOCK})
    configured = f"{settings.embedder}/{settings.dims}"
    findings = []
    if row["target"] and row["running"]:
        findings.append(ok("embedder", f"`keepsake reembed` is converting to {row['target']}"))
    elif row["target"]:
        findings.append(warning("embedder", f"a conversion to {row['target']} is unfinished: run `keepsake reembed`"))
    if row["embedder"] not in (None, configured):
        model, _, dims = row["embedder"].rpartition("/")
        findings.append(
            problem(
                "embedder",
                f"the vectors are from {model} ({dims} dimensions), but {settings.embedder} ({settings.dims}) is "
                f"configured: run `keepsake reembed`, or set KEEPSAKE_EMBEDDING_MODEL={model} and "
                f"KEEPSAKE_EMBEDDING_DIMS={dims}",
            )
        )
    return findings or [ok("embedder", f"the vectors are from {settings.embedder}, {settings.dims} dimensions")]


async def vectors(connection: AsyncConnection[DictRow], settings: AgentSettings) -> list[Finding]:
    """Check the type of the vectors, and for vector indexes that no search uses."""
    rows = await fetch_all(connection, schema.SQL.embedding_type)
    expected, findings = f"vector({settings.dims})", []
    if not rows or rows[0]["type"] != expected:
        actual = rows[0]["type"] if rows else "missing"
        findings.append(problem("vectors", f"their type is {actual}, expected {expected}: run `keepsake reembed`"))
    for row in await fetch_all(connection, SQL.unused_vector_indexes):
        findings.append(
            warning(
                "vectors",
                f"the {row['kind']} index {row['name']} ({row['size']}) slows down writes, and no search uses it: "
                f"run DROP INDEX CONCURRENTLY {row['name']}",
            )
        )
    return findings or [ok("vectors", f"their type is {expected}")]


async def completeness(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
    """Count documents without a vector or without words for full-text search."""
    inbox = _suffix(namespaces.inbox(_ANY_USER))
    places = [inbox, *(_suffix(namespaces.memories(_ANY_USER, kind)) for kind in KINDS)]
    rows = await fetch_all(connection, SQL.missing_vectors, {"places": places})
    counts = {row["place"]: row["number"] for row in rows}
    findings = []
    if messages := counts.pop(inbox, 0):
        findings.append(
            warning("recall", f"{messages} messages have no vector: formation adds them; check that a worker runs")
        )
    if memories := sum(counts.values()):
        findings.append(
            warning("recall", f"{memories} memories have no vector and are found by words only: export and import them")
        )
    [row] = await fetch_all(connection, SQL.missing_words)
    if row["number"]:
        findings.append(
            warning("recall", f"{row['number']} vectors have no words: restart `keepsake serve`, which adds them")
        )
    return findings or [ok("recall", "all documents have vectors and words")]


async def buffers(connection: AsyncConnection[DictRow], settings: AgentSettings) -> list[Finding]:
    """Compare the size of the search index with shared_buffers."""
    [row] = await fetch_all(connection, SQL.buffer_sizes)
    sizes = f"{row['name']} is {row['size']}, and shared_buffers is {row['buffers']}"
    if row["bytes"] <= row["buffer_bytes"]:
        return [ok("memory", sizes)]
    if settings.database_url is None:
        return [warning("memory", f"{sizes}: searches read from disk; move to a Postgres server (DATABASE_URL)")]
    megabytes = row["bytes"] // 2**20 * 5 // 4
    command = f"ALTER SYSTEM SET shared_buffers = '{megabytes}MB'"
    return [warning("memory", f"{sizes}: searches read from disk; run {command} and restart Postgres")]


async def packing(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
    """Compare the size of the search index with its size after a rebuild."""
    bloat = await measure_bloat(connection)
    if bloat is None or not bloat.is_bloated or bloat.bytes <= MAX_BYTES:
        return [ok("packing", "the search index is compact, or is rebuilt automatically")]
    size, packed = (round(number / 2**30) for number in (bloat.bytes, bloat.packed_bytes))
    return [
        warning("packing", f"the search index has {size} GB and could have {packed} GB: at a quiet time, run {REBUILD}")
    ]


def _suffix(namespace: tuple[str, ...]) -> str:
    return ".".join(namespace[2:])
