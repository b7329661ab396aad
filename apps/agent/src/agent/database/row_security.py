"""The second wall: row-level security, so that even a statement without its condition sees one user's rows only.

The role that a user's transactions run as owns nothing and bypasses nothing. Role and user hold for one transaction,
so a connection, also one that a pooler shares, carries neither to the next.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg
from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow

from agent.database.errors import translated_errors
from agent.database.pools import Pool
from agent.database.transaction import pipelined_transaction
from agent.errors import SetupError
from agent.types import UserId

ROLE = "keepsake_user"
"""What a user's transactions run as; made by the first start, one for all databases of a cluster."""

CURRENT_SCOPE: LiteralString = "(SELECT nullif(current_setting('keepsake.owner', true), ''))"
"""SQL for whose transaction it is, as the first labels of their namespaces; evaluated once a statement."""

_MY_ID: LiteralString = f"substr({CURRENT_SCOPE}, 7)"  # what follows "users."
_MY_CHECKPOINT: LiteralString = f"starts_with(thread_id, {_MY_ID} || '/')"
TABLES: dict[str, LiteralString] = {
    "users": f"id = {_MY_ID}",
    "threads": f"user_id = {_MY_ID}",
    "messages": f"user_id = {_MY_ID}",
    "runs": f"user_id = {_MY_ID}",
    "run_events": f"user_id = {_MY_ID}",
    "formation": f"user_id = {_MY_ID}",
    "checkpoints": _MY_CHECKPOINT,
    "checkpoint_blobs": _MY_CHECKPOINT,
    "checkpoint_writes": _MY_CHECKPOINT,
}
"""What is whose in every table of ours and of the checkpointer's; the store raises its own wall."""

# A statement or a client that hangs must not hold a row for longer than anybody would wait.
_LIMITS: LiteralString = (
    "set_config('statement_timeout', '60s', true), set_config('idle_in_transaction_session_timeout', '60s', true)"
)
_ENTER: LiteralString = "set_config('role', %s, true), set_config('keepsake.owner', %s, true)"


async def set_scope(connection: AsyncConnection[DictRow], owner: str, *, role: str = ROLE) -> None:
    """Make the rest of the transaction the owner's.

    Args:
        connection: one in a transaction.
        owner: the first labels of the owner's namespaces, joined by dots: `users.<label>`.
        role: whom the policies speak of.
    """
    await connection.execute(f"SELECT {_LIMITS}, {_ENTER}", (role, owner))


def scope_of(user: UserId) -> str:
    """Return what a user is called at the wall."""
    return f"users.{user}"


Parameters = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ScopedPool:
    """A connection pool whose transactions see the rows of one user.

    The methods with `unscoped` in their name bypass row-level security. They are for the formation queue and for
    data of the whole installation.

    Raises:
        StoreUnavailableError: from each method, if the database is unreachable, busy or too slow.
        ChangedMeanwhileError: from each method, if a row refers to a thread or account that was just deleted.
    """

    pool: Pool

    async def fetch_all(
        self, user: UserId, statement: LiteralString, parameters: Parameters | None = None
    ) -> list[DictRow]:
        """Run one statement in a transaction of its own, and return its rows."""
        async with self.for_user(user) as connection:
            return await (await connection.execute(statement, parameters)).fetchall()

    async def fetch_one(
        self, user: UserId, statement: LiteralString, parameters: Parameters | None = None
    ) -> DictRow | None:
        """Run one statement in a transaction of its own, and return its first row, if any."""
        async with self.for_user(user) as connection:
            return await (await connection.execute(statement, parameters)).fetchone()

    async def execute(self, user: UserId, statement: LiteralString, parameters: Parameters | None = None) -> None:
        """Run one statement in a transaction of its own."""
        async with self.for_user(user) as connection:
            await connection.execute(statement, parameters)

    async def fetch_all_unscoped(self, statement: LiteralString, parameters: Parameters | None = None) -> list[DictRow]:
        """Run one statement for all users, and return its rows."""
        async with self.unscoped() as connection:
            return await (await connection.execute(statement, parameters)).fetchall()

    async def execute_unscoped(self, statement: LiteralString, parameters: Parameters | None = None) -> None:
        """Run one statement for all users."""
        async with self.unscoped() as connection:
            await connection.execute(statement, parameters)

    @asynccontextmanager
    async def for_user(self, user: UserId) -> AsyncIterator[AsyncConnection[DictRow]]:
        """Open a transaction that sees and changes only the user's rows."""
        async with self._transaction() as connection:
            await set_scope(connection, scope_of(user))
            yield connection

    @asynccontextmanager
    async def for_users(self) -> AsyncIterator[Callable[[UserId], Awaitable[AsyncConnection[DictRow]]]]:
        """Open one transaction for several users in turn.

        Yields:
            A function that switches the transaction to a user, until it is called for the next one.
        """
        async with self._transaction() as connection:

            async def switch_to(user: UserId) -> AsyncConnection[DictRow]:
                await set_scope(connection, scope_of(user))
                return connection

            yield switch_to

    @asynccontextmanager
    async def unscoped(self) -> AsyncIterator[AsyncConnection[DictRow]]:
        """Open a transaction that bypasses row-level security."""
        async with self._transaction() as connection:
            await connection.execute(f"SELECT {_LIMITS}")
            yield connection

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection[DictRow]]:
        with translated_errors():
            async with self.pool.connection() as connection, pipelined_transaction(connection):
                yield connection


async def enable_row_security(
    connection: AsyncConnection[DictRow], tables: dict[str, LiteralString], *, role: str = ROLE
) -> None:
    """Let the role see and change a row of each table only where its condition holds.

    Where that is so already nothing is touched: the statements would wait for everybody who uses the table.

    Args:
        connection: the owner's, in a transaction.
        tables: a condition on a row of each table, in terms of `ME`.
        role: made if it is not there.

    Raises:
        SetupError: the role cannot be made; the message says what an administrator must do.
    """
    await _make_role(connection, role)
    for table, condition in tables.items():
        if await _condition_of(connection, table) == condition:
            continue
        names = {
            "table": sql.Identifier(table),
            "role": sql.Identifier(role),
            "mine": sql.SQL(condition),
            "text": condition,
        }
        for statement in (
            "GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {role}",
            "ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
            "DROP POLICY IF EXISTS own_rows ON {table}",
            "CREATE POLICY own_rows ON {table} TO {role} USING ({mine}) WITH CHECK ({mine})",
            "COMMENT ON POLICY own_rows ON {table} IS {text}",
        ):
            await connection.execute(sql.SQL(statement).format(**names))


async def _condition_of(connection: AsyncConnection[DictRow], table: str) -> str | None:
    """Return the condition that a table's policy was made of; Postgres itself keeps it only rewritten."""
    found = await connection.execute(
        "SELECT obj_description(oid, 'pg_policy') AS condition FROM pg_policy "
        "WHERE polrelid = %s::regclass AND polname = 'own_rows'",
        (table,),
    )
    row = await found.fetchone()
    return row["condition"] if row else None


async def _make_role(connection: AsyncConnection[DictRow], role: str) -> None:
    name = sql.Identifier(role)
    found = await connection.execute(
        "SELECT pg_has_role(current_user, oid, 'MEMBER') AS member FROM pg_roles WHERE rolname = %s", (role,)
    )
    row = await found.fetchone()
    try:
        if row is None:
            async with connection.transaction():
                await connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(name))
        if row is None or not row["member"]:
            await connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(name))
    except psycopg.errors.InsufficientPrivilege as error:
        raise SetupError(
            f"the database's user may not make the role {role}, which keeps users apart; as an administrator run "
            f"CREATE ROLE {role} NOLOGIN; GRANT {role} TO the user of DATABASE_URL"
        ) from error
    except (psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
        await connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(name))  # another database's start made it
