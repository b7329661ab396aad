"""`keepsake repartition`: the composition root for the conversion of the store to another number of partitions."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import psycopg
from psycopg import AsyncConnection, IsolationLevel, errors, sql
from psycopg.rows import DictRow

from agent.database import open_database
from agent.database.errors import translated_errors
from agent.database.migration import connect
from agent.database.row_security import ROLE
from agent.errors import SetupError
from agent.settings import AgentSettings
from agent.store import schema
from agent.store.factory import store_uri
from agent.store.lock_retry import exclusive_conversion
from agent.store.partitions import SQL, partition_counts, partition_names, partition_tables

LOCK_TIMEOUT = "3s"
"""More than deadlock_timeout (1 s), after which Postgres cancels an autovacuum that holds the lock."""

# Causes in the database's schema or settings; `translated_errors` translates the others.
_FAILURES = (
    psycopg.ProgrammingError,
    psycopg.InternalError,
    psycopg.NotSupportedError,
    psycopg.DataError,
    psycopg.IntegrityError,
    errors.OutOfMemory,  # max_locks_per_transaction
)


@dataclass(frozen=True, slots=True)
class Repartition:
    """The tables of the store after the command."""

    partitions: int
    """Number of partitions of each table; 0: not partitioned."""
    rows: Mapping[str, int]
    """Copied rows, by table; empty if the tables had as many partitions before."""


async def repartition_database(settings: AgentSettings, *, lock_timeout: str = LOCK_TIMEOUT) -> Repartition:
    """Convert the store's tables to the configured number of partitions, in one transaction that blocks all others.

    Raises:
        SetupError: there are no tables, other processes use them, or they cannot be converted; nothing has changed.
        StoreUnavailableError: the database did not answer; nothing has changed.
    """
    if settings.store_type != "postgres":
        raise SetupError(f"the memories are in a store of type {settings.store_type}, which has no partitions")
    with translated_errors():
        async with open_database(settings) as uri:
            dsn = store_uri(settings, uri)
            async with exclusive_conversion(dsn), await connect(dsn) as connection:
                # Otherwise, rows that are committed before the lock is granted might be missing from the copy.
                await connection.set_isolation_level(IsolationLevel.READ_COMMITTED)
                with _explained():
                    async with connection.transaction():
                        await connection.execute(SQL.limits, {"lock_timeout": lock_timeout})
                        rows = await _repartition(connection, settings.store_partitions)
                if rows:
                    await _vacuum(connection, await partition_names(connection))
    return Repartition(settings.store_partitions, rows)


async def _repartition(connection: AsyncConnection[DictRow], partitions: int) -> dict[str, int]:
    await connection.execute("SELECT pg_advisory_xact_lock(%s)", (schema.SETUP_LOCK,))
    counts = await partition_counts(connection)
    if "store" not in counts:
        raise SetupError("there are no tables yet: `keepsake serve` creates them with the configured partitions")
    if set(counts.values()) == {partitions}:
        return {}
    [row] = await (await connection.execute(SQL.conversion_started)).fetchall()
    if row["started"]:
        raise SetupError("the vectors are being converted to another model: run `keepsake reembed` to its end before")
    tables = list(counts)
    lock = sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE")
    await connection.execute(lock.format(sql.SQL(", ").join(map(sql.Identifier, tables))))
    rows = await partition_tables(connection, tables, partitions)
    await schema.enable_store_row_security(connection, ROLE, indexed=schema.VECTORS in tables)
    return rows


async def _vacuum(connection: AsyncConnection[DictRow], tables: Sequence[str]) -> None:
    """Mark all pages as visible for index-only scans, and collect statistics."""
    # If it is not possible now, autovacuum does it later.
    with contextlib.suppress(errors.QueryCanceled, errors.LockNotAvailable):
        for table in tables:
            await connection.execute(sql.SQL("VACUUM (ANALYZE) {}").format(sql.Identifier(table)))


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except errors.LockNotAvailable as error:
        raise SetupError(
            "other processes use the tables of memories (see pg_stat_activity): stop Keepsake, and run "
            "`keepsake repartition` again; nothing has changed"
        ) from error
    except _FAILURES as error:
        reason = error.diag.message_primary
        if isinstance(error, errors.DependentObjectsStillExist):
            reason = f"{reason}: {error.diag.message_detail}"
        raise SetupError(f"the tables of memories cannot be converted: {reason}; nothing has changed") from error
