"""Checks of what searches read: the vectors, their words, and the memory for them."""

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from agent.doctor.database import SQL
from agent.doctor.finding import Finding, ok, problem, warning
from agent.memory.records import namespaces
from agent.settings import AgentSettings
from agent.store import schema
from agent.store.lock_retry import LOCK
from agent.store.reindex import MOST_BYTES, PACK, measure_bloat
from agent.types import KINDS, UserId

_SOMEBODY = UserId("x")
_INBOX = "inbox"


async def embedder(connection: AsyncConnection[DictRow], settings: AgentSettings) -> list[Finding]:
    """Look at what the vectors were made with, and whether they are being converted."""
    [row] = await (await connection.execute(SQL.installation, {"lock": LOCK})).fetchall()
    configured = f"{settings.embedder}/{settings.dims}"
    found = []
    if row["target"] and row["running"]:
        found.append(ok("embedder", f"`keepsake reembed` is converting to {row['target']}"))
    elif row["target"]:
        found.append(warning("embedder", f"a conversion to {row['target']} is half done: run `keepsake reembed`"))
    if row["embedder"] not in (None, configured):
        model, _, dims = row["embedder"].rpartition("/")
        found.append(
            problem(
                "embedder",
                f"the vectors are of {model} ({dims} dimensions), and {settings.embedder} ({settings.dims}) is "
                f"configured: run `keepsake reembed`, or set KEEPSAKE_EMBEDDING_MODEL={model} and "
                f"KEEPSAKE_EMBEDDING_DIMS={dims}",
            )
        )
    return found or [ok("embedder", f"the vectors are of {settings.embedder}, {settings.dims} dimensions")]


async def vectors(connection: AsyncConnection[DictRow], settings: AgentSettings) -> list[Finding]:
    """Look at the vectors' type, and for indexes that no search uses."""
    rows = await (await connection.execute(schema.SQL.embedding_type)).fetchall()
    wanted, found = f"vector({settings.dims})", []
    if not rows or rows[0]["type"] != wanted:
        is_type = rows[0]["type"] if rows else "nothing"
        found.append(problem("vectors", f"they are {is_type} and should be {wanted}: run `keepsake reembed`"))
    for row in await (await connection.execute(SQL.searched_by_all)).fetchall():
        found.append(
            warning(
                "vectors",
                f"the {row['kind']} index {row['name']} ({row['size']}) costs every write, and no search uses it: "
                f"run DROP INDEX CONCURRENTLY {row['name']}",
            )
        )
    return found or [ok("vectors", f"they are {wanted}")]


async def completeness(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
    """Count what should be found by its meaning, or by its words, and is not."""
    waiting = _place(namespaces.inbox(_SOMEBODY))
    places = [waiting, *(_place(namespaces.memories(_SOMEBODY, kind)) for kind in KINDS)]
    rows = await (await connection.execute(SQL.without_vector, {"places": places})).fetchall()
    number = {row["place"]: row["number"] for row in rows}
    found = []
    if messages := number.pop(waiting, 0):
        found.append(
            warning("recall", f"{messages} messages have no vector: formation fills them in; does a worker run?")
        )
    if memories := sum(number.values()):
        found.append(
            warning("recall", f"{memories} memories have no vector, so only their words find them: import them again")
        )
    [row] = await (await connection.execute(SQL.without_words)).fetchall()
    if row["number"]:
        found.append(
            warning("recall", f"{row['number']} vectors have no words: restart `keepsake serve`, which fills them in")
        )
    return found or [ok("recall", "everything has its vector and its words")]


async def buffers(connection: AsyncConnection[DictRow], settings: AgentSettings) -> list[Finding]:
    """Compare what searches read with Postgres's memory."""
    [row] = await (await connection.execute(SQL.buffers)).fetchall()
    sizes = f"{row['name']} is {row['size']}, and shared_buffers are {row['buffers']}"
    if row["bytes"] <= row["buffer_bytes"]:
        return [ok("memory", sizes)]
    if settings.database_url is None:
        return [warning("memory", f"{sizes}: searches read from disk; move to a Postgres server (DATABASE_URL)")]
    megabytes = row["bytes"] // 2**20 * 5 // 4
    raised = f"ALTER SYSTEM SET shared_buffers = '{megabytes}MB'"
    return [warning("memory", f"{sizes}: searches read from disk; run {raised} and restart Postgres")]


async def packing(connection: AsyncConnection[DictRow], _: AgentSettings) -> list[Finding]:
    """Compare the index that searches read with what it would be if it were made anew."""
    found = await measure_bloat(connection)
    if found is None or not found.is_bloated or found.bytes <= MOST_BYTES:
        return [ok("packing", "what searches read lies close together, or soon will")]
    size, packed = (round(number / 2**30) for number in (found.bytes, found.packed_bytes))
    return [warning("packing", f"searches read {size} GB that could be {packed} GB: in a quiet hour run {PACK}")]


def _place(namespace: tuple[str, ...]) -> str:
    """Return what follows the user in a namespace."""
    return ".".join(namespace[2:])
