"""Account erasure: deletes a user's data from every table and from the store."""

from collections import Counter
from dataclasses import dataclass
from typing import LiteralString, Protocol

from langgraph.store.base import BaseStore
from psycopg import sql

from agent.database.row_security import ROW_CONDITIONS, ScopedPool
from agent.database.statements import Statements
from agent.memory.records import batches, namespaces
from agent.types import UserId


class SQL(Statements, file="erasure.sql"):
    """Statements of `erasure.sql`."""

    lock_user: LiteralString
    lock_threads: LiteralString


MAX_ROUNDS = 10


class ThreadEraser(Protocol):
    """Deletes threads outside the database."""

    async def delete_all(self, user: UserId) -> int:
        """Delete all threads of a user; return their number."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """Deletes accounts from the database and from the store, which may be a separate database."""

    database: ScopedPool
    store: BaseStore
    server_threads: ThreadEraser | None = None
    """The threads of the agent server, if there is one."""

    async def erase(self, user: UserId) -> dict[str, int]:
        """Delete an account and all of its data; return the number of deleted rows by table.

        The transcript is deleted first: from then on, concurrent runs and drains of the user cannot commit. Rows that
        they committed just before are deleted in the next round.

        Raises:
            StoreUnavailableError: the database does not answer; part of the data may be deleted, so erase again.
        """
        receipt: Counter[str] = Counter()
        for _ in range(MAX_ROUNDS):
            before = receipt.total()
            receipt.update(await self._delete_rows(user))
            erased = await batches.erase(self.store, namespaces.user_root(user))
            receipt.update({table: sum(rows.values()) for table, rows in erased.items()})
            if self.server_threads:
                receipt["agent_server_threads"] += await self.server_threads.delete_all(user)
            if receipt.total() == before:
                break
        return dict(receipt)

    async def _delete_rows(self, user: UserId) -> dict[str, int]:
        """Delete the user's rows, referencing tables before referenced ones; count them by table."""
        async with self.database.for_user(user) as connection:
            await connection.execute(SQL.lock_user, {"user": user})
            await connection.execute(SQL.lock_threads, {"user": user})
            deleted = {
                table: await connection.execute(_delete(table, condition))
                for table, condition in reversed(ROW_CONDITIONS.items())
            }
        return {table: deleted[table].rowcount for table in ROW_CONDITIONS}


def _delete(table: str, condition: LiteralString) -> sql.Composed:
    return sql.SQL("DELETE FROM {} WHERE {}").format(sql.Identifier(table), sql.SQL(condition))
