"""User accounts, and values of the whole installation."""

from dataclasses import dataclass, field
from typing import LiteralString

from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.types import User, UserId


class SQL(Statements, file="users.sql"):
    """Statements of `users.sql`."""

    add: LiteralString
    find: LiteralString
    set_memory_enabled: LiteralString
    add_installation_value: LiteralString
    installation_value: LiteralString


MAX_PAUSED = 100_000
"""Size of the cache of users whose memory is paused; messages of further users are embedded needlessly."""


@dataclass(frozen=True, slots=True)
class Users:
    """The accounts.

    Raises:
        StoreUnavailableError: from each method, if the database does not answer.
    """

    database: ScopedPool
    _paused: set[UserId] = field(default_factory=set)

    def is_paused(self, user: UserId) -> bool:
        """Check whether the user's memory was paused when this process last read the account."""
        return user in self._paused

    async def sign_in(self, user: UserId, *, issuer: str, subject: str) -> User:
        """The user's account, which is created at the first call."""
        account = await self.find(user)
        if account is None:
            await self.database.execute(user, SQL.add, {"user": user, "issuer": issuer, "subject": subject})
            account = User(user)
        return account

    async def find(self, user: UserId) -> User | None:
        """The user's account; None if the user has never signed in."""
        row = await self.database.fetch_one(user, SQL.find, {"user": user})
        return self._cache(User(user, memory_enabled=row["memory_enabled"])) if row else None

    async def set_memory_enabled(self, user: UserId, *, enabled: bool) -> User:
        """Turn memory on or off for future messages."""
        await self.database.execute(user, SQL.set_memory_enabled, {"user": user, "enabled": enabled})
        return self._cache(User(user, memory_enabled=enabled))

    async def installation_value(self, name: str, candidate: str) -> str:
        """The value stored under a name; the candidate is stored if there is none."""
        async with self.database.unscoped() as connection:
            await connection.execute(SQL.add_installation_value, {"name": name, "value": candidate})
            [row] = await (await connection.execute(SQL.installation_value, {"name": name})).fetchall()
        return str(row["value"])

    def _cache(self, account: User) -> User:
        if account.memory_enabled:
            self._paused.discard(account.id)
        elif len(self._paused) < MAX_PAUSED:
            self._paused.add(account.id)
        return account
