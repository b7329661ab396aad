"""Who has an account, and what is kept for the whole installation."""

from dataclasses import dataclass

from agent.database import load_statements
from agent.database.errors import translated_errors
from agent.database.wall import Walled
from agent.types import User, UserId

SQL = load_statements(__package__, "users.sql")


@dataclass(frozen=True, slots=True)
class Users:
    """The accounts.

    Raises:
        StoreUnavailableError: from each method, when the database does not answer.
    """

    database: Walled

    async def sign_in(self, user: UserId, *, issuer: str, subject: str) -> User:
        """Return the account, made at the first call."""
        parameters = {"user": user, "issuer": issuer, "subject": subject}
        with translated_errors():
            async with self.database.of(user) as connection:
                row = await (await connection.execute(SQL["sign_in"], parameters)).fetchone()
        # No row: another request made the account in this very moment.
        return User(user, memory_enabled=row["memory_enabled"] if row else True)

    async def set_memory(self, user: UserId, *, enabled: bool) -> User:
        """Switch memory on or off for every turn to come."""
        with translated_errors():
            async with self.database.of(user) as connection:
                await connection.execute(SQL["set_memory"], {"user": user, "enabled": enabled})
        return User(user, memory_enabled=enabled)

    async def kept(self, name: str, candidate: str) -> str:
        """Return what this installation keeps under a name, the candidate if it is the first."""
        with translated_errors():
            async with self.database.everyone() as connection:
                await connection.execute(SQL["keep"], {"name": name, "value": candidate})
                row = await (await connection.execute(SQL["kept"], {"name": name})).fetchone()
        return str(row["value"]) if row else candidate
