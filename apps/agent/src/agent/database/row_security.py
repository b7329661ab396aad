"""Row-level security: even a statement without its condition sees only the rows of one user.

A user's transactions run as a role that owns nothing and cannot bypass policies. The role and the user are set for one
transaction, so a connection carries neither to the next transaction, even if a pooler shares it.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg
from psycopg import AsyncConnection, AsyncCursor, sql
from psycopg.rows import DictRow

from agent.database.errors import translated_errors
from agent.database.fair_queue import SYSTEM
from agent.database.pools import Pool
from agent.database.statements import Statements
from agent.database.transaction import implicit_transaction, pipelined_transaction
from agent.errors import InvalidIdError, SetupError
from agent.types import UserId


class SQL(Statements, file="row_security.sql"):
    """Statements of `row_security.sql`."""

    set_limits: LiteralString
    set_scope: LiteralString
    table_security: LiteralString
    role_membership: LiteralString


_USER_ID = re.compile(r"[a-z0-9_-]{1,64}")

ROLE = "keepsake_user"
"""The role of users' transactions; the first start creates it, for all databases of the server."""

CURRENT_SCOPE: LiteralString = "(SELECT substring(current_setting('keepsake.owner', true) FROM '^[^.]+[.][^.]+$'))"
"""SQL for the scope of the transaction, `users.<label>`; a subquery, so that it is evaluated once per statement.

NULL unless the scope has two labels: the rows of all users start with `users.`.
"""

_CURRENT_USER: LiteralString = "(SELECT substring(current_setting('keepsake.owner', true) FROM '^users[.]([^.]+)$'))"
# As a range, it is found by index; 0 follows / in the order of the operators.
_OWN_CHECKPOINT: LiteralString = f"thread_id ~>=~ ({_CURRENT_USER} || '/') AND thread_id ~<~ ({_CURRENT_USER} || '0')"
ROW_CONDITIONS: dict[str, LiteralString] = {
    "users": f"id = {_CURRENT_USER}",
    "sessions": f"user_id = {_CURRENT_USER}",
    "keys": f"user_id = {_CURRENT_USER}",
    "threads": f"user_id = {_CURRENT_USER}",
    "messages": f"user_id = {_CURRENT_USER}",
    "runs": f"user_id = {_CURRENT_USER}",
    "run_events": f"user_id = {_CURRENT_USER}",
    "formation": f"user_id = {_CURRENT_USER}",
    "usage": f"user_id = {_CURRENT_USER}",
    "open_streams": f"user_id = {_CURRENT_USER}",
    "checkpoints": _OWN_CHECKPOINT,
    "checkpoint_blobs": _OWN_CHECKPOINT,
    "checkpoint_writes": _OWN_CHECKPOINT,
}
"""The condition under which a row belongs to the current user, by table, except the tables of the store.

Tables that are referenced come before those that refer to them.
"""


async def set_scope(connection: AsyncConnection[DictRow], scope: str, *, role: str = ROLE) -> None:
    """Restrict the rest of the transaction to the rows of one user; for the scope, see `scope_of`."""
    await connection.execute(SQL.set_scope, {"role": role, "scope": scope})


def scope_of(user: UserId) -> str:
    """The scope of a user's transactions: the first labels of the user's namespaces, joined by dots.

    Raises:
        InvalidIdError: see `validate_user_id`.
    """
    return f"users.{validate_user_id(user)}"


def validate_user_id(value: object) -> UserId:
    """Validate a user id before it becomes part of a scope, a key, a namespace or a query.

    Raises:
        InvalidIdError: the value is not a string of 1 to 64 of a-z, 0-9, _ and -, or is the label before all user ids.
    """
    if not isinstance(value, str) or not _USER_ID.fullmatch(value) or value == "users":
        raise InvalidIdError("a user id has 1 to 64 of a-z, 0-9, _ and -, and is not users")
    return UserId(value)


Parameters = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ScopedPool:
    """A connection pool whose transactions see the rows of one user.

    The methods with `unscoped` in their name bypass row-level security. They are for what concerns several users or an
    unknown one: the formation queue and other jobs, leases, meters, the lookup of keys and sessions, and values of the
    installation.

    Raises:
        StoreUnavailableError: from each method, if the database is unreachable, busy or too slow.
        ChangedMeanwhileError: from each method, if a row refers to a thread or account that was just deleted.
    """

    pool: Pool

    async def fetch_all(
        self, user: UserId, statement: LiteralString, parameters: Parameters | None = None
    ) -> list[DictRow]:
        """Run one statement in a transaction of its own, and return its rows."""
        return await (await self._run(user, statement, parameters)).fetchall()

    async def fetch_one(
        self, user: UserId, statement: LiteralString, parameters: Parameters | None = None
    ) -> DictRow | None:
        """Run one statement in a transaction of its own, and return its first row, if any."""
        return await (await self._run(user, statement, parameters)).fetchone()

    async def execute(self, user: UserId, statement: LiteralString, parameters: Parameters | None = None) -> None:
        """Run one statement in a transaction of its own."""
        await self._run(user, statement, parameters)

    async def fetch_all_unscoped(self, statement: LiteralString, parameters: Parameters | None = None) -> list[DictRow]:
        """Run one statement for all users, and return its rows."""
        return await (await self._run(None, statement, parameters)).fetchall()

    async def execute_unscoped(self, statement: LiteralString, parameters: Parameters | None = None) -> None:
        """Run one statement for all users."""
        await self._run(None, statement, parameters)

    @asynccontextmanager
    async def for_user(self, user: UserId) -> AsyncIterator[AsyncConnection[DictRow]]:
        """Open a transaction that sees and changes only the user's rows."""
        async with self._transaction(user) as connection:
            await set_scope(connection, scope_of(user))
            yield connection

    @asynccontextmanager
    async def for_users(self) -> AsyncIterator[Callable[[UserId], Awaitable[AsyncConnection[DictRow]]]]:
        """Open one transaction for several users in turn; yield a function that switches it to a user."""
        async with self._transaction(SYSTEM) as connection:

            async def switch_to(user: UserId) -> AsyncConnection[DictRow]:
                await set_scope(connection, scope_of(user))
                return connection

            yield switch_to

    @asynccontextmanager
    async def unscoped(self) -> AsyncIterator[AsyncConnection[DictRow]]:
        """Open a transaction that bypasses row-level security."""
        async with self._transaction(SYSTEM) as connection:
            await connection.execute(SQL.set_limits)
            yield connection

    async def _run(
        self, user: UserId | None, statement: LiteralString, parameters: Parameters | None
    ) -> AsyncCursor[DictRow]:
        """Run one statement in one round trip, for a user or unscoped; the cursor has its rows."""
        with translated_errors():
            async with self.pool.connection_for(user or SYSTEM) as connection, implicit_transaction(connection):
                if user is None:
                    await connection.execute(SQL.set_limits)
                else:
                    await set_scope(connection, scope_of(user))
                return await connection.execute(statement, parameters)

    @asynccontextmanager
    async def _transaction(self, user: str) -> AsyncIterator[AsyncConnection[DictRow]]:
        with translated_errors():
            async with self.pool.connection_for(user) as connection, pipelined_transaction(connection):
                yield connection


async def enable_row_security(
    connection: AsyncConnection[DictRow], tables: dict[str, LiteralString], *, role: str = ROLE
) -> None:
    """Let the role read and write only those rows of each table that fulfil its condition; create it if it is missing.

    The connection is one of the tables' owner, in a transaction. A table whose policy and privileges are up to date is
    not touched, because the statements would wait for all of its users. A restored backup may lack the privileges.
    """
    await _create_role(connection, role)
    for table, condition in tables.items():
        # Postgres stores conditions in a rewritten form; the comment has the original.
        state = await (await connection.execute(SQL.table_security, {"table": table, "role": role})).fetchone()
        if state == {"enabled": True, "granted": True, "condition": condition}:
            continue
        names = {"table": sql.Identifier(table), "role": sql.Identifier(role)}
        for statement in (
            "GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {role}",
            "ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
            "DROP POLICY IF EXISTS own_rows ON {table}",
            "CREATE POLICY own_rows ON {table} TO {role} USING ({condition}) WITH CHECK ({condition})",
            "COMMENT ON POLICY own_rows ON {table} IS {text}",
        ):
            await connection.execute(sql.SQL(statement).format(**names, condition=sql.SQL(condition), text=condition))


async def _create_role(connection: AsyncConnection[DictRow], role: str) -> None:
    name = sql.Identifier(role)
    row = await (await connection.execute(SQL.role_membership, {"role": role})).fetchone()
    try:
        if row is None:
            async with connection.transaction():
                await connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(name))
        if row is None or not row["is_member"]:
            await connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(name))
    except psycopg.errors.InsufficientPrivilege as error:
        raise SetupError(
            f"the database's user may not create the role {role}, which row-level security needs; as an administrator, "
            f"run CREATE ROLE {role} NOLOGIN; GRANT {role} TO the user of DATABASE_URL"
        ) from error
    except (psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
        # Another process created it at the same moment.
        await connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(name))
