"""Who has an account, and what is kept for the whole installation."""

from dataclasses import dataclass, field
from typing import LiteralString

from agent.database.errors import translated_errors
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.types import User, UserId


class SQL(Statements, file="users.sql"):
    """Statements of `users.sql`."""

    make: LiteralString
    find: LiteralString
    set_memory: LiteralString
    keep: LiteralString
    kept: LiteralString


MOST_PAUSED = 100_000  # who is beyond them is embedded for nothing


@dataclass(frozen=True, slots=True)
class Users:
    """The accounts.

    Raises:
        StoreUnavailableError: from each method, when the database does not answer.
    """

    database: ScopedPool
    _paused: set[UserId] = field(default_factory=set)

    def is_paused(self, user: UserId) -> bool:
        """Tell whether a user was last seen here with their memory paused."""
        return user in self._paused

    async def sign_in(self, user: UserId, *, issuer: str, subject: str) -> User:
        """Return the account, made at the first call."""
        known = await self.find(user)
        if known is None:
            parameters = {"user": user, "issuer": issuer, "subject": subject}
            with translated_errors():
                async with self.database.for_user(user) as connection:
                    await connection.execute(SQL.make, parameters)
            # Another request may have made it in this very moment.
            known = User(user)
        return known

    async def find(self, user: UserId) -> User | None:
        """Return the account of somebody who has signed in before, None of anybody else."""
        with translated_errors():
            async with self.database.for_user(user) as connection:
                row = await (await connection.execute(SQL.find, {"user": user})).fetchone()
        return self._seen(User(user, memory_enabled=row["memory_enabled"])) if row else None

    async def set_memory_enabled(self, user: UserId, *, enabled: bool) -> User:
        """Switch memory on or off for every turn to come."""
        with translated_errors():
            async with self.database.for_user(user) as connection:
                await connection.execute(SQL.set_memory, {"user": user, "enabled": enabled})
        return self._seen(User(user, memory_enabled=enabled))

    def _seen(self, user: User) -> User:
        if user.memory_enabled:
            self._paused.discard(user.id)
        elif len(self._paused) < MOST_PAUSED:
            self._paused.add(user.id)
        return user

    async def installation_value(self, name: str, candidate: str) -> str:
        """Return what this installation keeps under a name, the candidate if it is the first."""
        with translated_errors():
            async with self.database.unscoped() as connection:
                await connection.execute(SQL.keep, {"name": name, "value": candidate})
                row = await (await connection.execute(SQL.kept, {"name": name})).fetchone()
        return str(row["value"]) if row else candidate
