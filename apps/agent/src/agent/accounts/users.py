"""User accounts, and values of the whole installation."""

from dataclasses import dataclass, field
from typing import LiteralString, TypedDict, Unpack
from zoneinfo import ZoneInfo

from psycopg.types.json import Jsonb

from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import InvalidInputError
from agent.types import User, UserId


class SQL(Statements, file="users.sql"):
    """Statements of `users.sql`."""

    add: LiteralString
    find: LiteralString
    update: LiteralString
    add_installation_value: LiteralString
    installation_value: LiteralString


MAX_PAUSED = 100_000
"""Size of the cache of users whose memory is paused; messages of further users are embedded needlessly."""


class AccountChanges(TypedDict, total=False):
    """The settings of an account to change; see `User`."""

    memory_enabled: bool
    time_zone: str | None


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
        return self.cache(User(user, **row)) if row else None

    async def update(self, user: UserId, **changes: Unpack[AccountChanges]) -> User:
        """Change the settings that are given, for future messages.

        Raises:
            InvalidInputError: the time zone is unknown.
        """
        if (time_zone := changes.get("time_zone")) is not None:
            _check_time_zone(time_zone)
        row = await self.database.fetch_one(user, SQL.update, {"user": user, "changes": Jsonb(changes)})
        return self.cache(User(user, **(row or {})))

    async def find_installation_value(self, name: str) -> str | None:
        """The value stored under a name; None if there is none."""
        rows = await self.database.fetch_all_unscoped(SQL.installation_value, {"name": name})
        return str(rows[0]["value"]) if rows else None

    async def installation_value(self, name: str, candidate: str) -> str:
        """The value stored under a name; the candidate is stored if there is none."""
        async with self.database.unscoped() as connection:
            await connection.execute(SQL.add_installation_value, {"name": name, "value": candidate})
            [row] = await (await connection.execute(SQL.installation_value, {"name": name})).fetchall()
        return str(row["value"])

    def cache(self, account: User) -> User:
        """Remember whether the memory of an account that was just read is paused; return the account."""
        if account.memory_enabled:
            self._paused.discard(account.id)
        elif len(self._paused) < MAX_PAUSED:
            self._paused.add(account.id)
        return account


def _check_time_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:  # a directory of zones is an OSError
        raise InvalidInputError("time_zone: It must be an IANA name such as Europe/Oslo") from error
