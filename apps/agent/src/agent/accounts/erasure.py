"""Erasure: an account out of every table, with a receipt."""

from collections import Counter
from dataclasses import dataclass
from typing import LiteralString

from langgraph.store.base import BaseStore
from psycopg import sql

from agent.database.errors import translated_errors
from agent.database.row_security import TABLES, ScopedPool
from agent.database.statements import Statements
from agent.memory.records import batches, namespaces
from agent.types import UserId


class SQL(Statements, file="erasure.sql"):
    """Statements of `erasure.sql`."""

    hold: LiteralString
    hold_threads: LiteralString
    delete: LiteralString


ROUNDS = 10


@dataclass(frozen=True, slots=True)
class Erasure:
    """Takes accounts out of the database, and of the store, wherever that is."""

    database: ScopedPool
    store: BaseStore

    async def erase(self, user: UserId) -> dict[str, int]:
        """Delete an account, and everything that hangs on it.

        The transcript goes first: from then on nothing vouches for what was said, and whoever still works for the user
        cannot commit it. What they left at the very last is found when everything is looked through again.

        Returns:
            How many rows of each table went.

        Raises:
            StoreUnavailableError: the database does not answer; some may be deleted, do it again.
        """
        receipt: Counter[str] = Counter()
        with translated_errors():
            for _ in range(ROUNDS):
                before = receipt.total()
                receipt.update(await self._delete_rows(user))
                gone = await batches.erase(self.store, namespaces.home(user))
                receipt.update({table: sum(rows.values()) for table, rows in gone.items()})
                if receipt.total() == before:
                    break
        return dict(receipt)

    async def _delete_rows(self, user: UserId) -> dict[str, int]:
        """Delete a user's rows of our tables, the tables that hang on others first; return how many of each."""
        counts: dict[str, int] = {}
        async with self.database.for_user(user) as connection:
            await connection.execute(SQL.hold, {"user": user})
            await connection.execute(SQL.hold_threads, {"user": user})
            for table, mine in reversed(TABLES.items()):
                statement = sql.SQL(SQL.delete).format(table=sql.Identifier(table), mine=sql.SQL(mine))
                row = await (await connection.execute(statement)).fetchone()
                counts[table] = row["rows"] if row else 0
        return dict(reversed(counts.items()))
