"""Sessions: random values in the cookies of browsers that stand for a signed-in user.

As for personal keys, only the SHA-256 is stored, and each request looks it up, so that a session that has ended is
refused at once by every process.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString

from agent.accounts.users import Users
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.types import User, UserId


class SQL(Statements, file="sessions.sql"):
    """Statements of `sessions.sql`."""

    add: LiteralString
    trim: LiteralString
    find_owner: LiteralString
    delete: LiteralString


MAX_SESSIONS = 50
"""Maximum number of sessions of a user; a further one ends the oldest."""
_RANDOM_BYTES = 32
_SECRET = re.compile("[A-Za-z0-9_-]{43}")  # base64url of 32 bytes


@dataclass(frozen=True, slots=True)
class SessionOwner:
    """The account of a session, and the issuer and subject that it was created for."""

    account: User
    issuer: str
    subject: str


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions of all users.

    Raises:
        StoreUnavailableError: from each method, if the database does not answer.
    """

    database: ScopedPool
    users: Users

    async def create(self, user: UserId, *, seconds: float) -> tuple[str, datetime]:
        """Start a session of an existing account; return its secret, and when it expires."""
        secret = secrets.token_urlsafe(_RANDOM_BYTES)
        parameters = {"user": user, "hash": _hash(secret), "seconds": seconds, "kept": MAX_SESSIONS}
        async with self.database.for_user(user) as connection:
            [row] = await (await connection.execute(SQL.add, parameters)).fetchall()
            await connection.execute(SQL.trim, parameters)
        return secret, row["expires_at"]

    async def find_owner(self, secret: str) -> SessionOwner | None:
        """Find the account of a session; None if it is unknown, has ended or has expired."""
        if not _SECRET.fullmatch(secret):
            return None
        rows = await self.database.fetch_all_unscoped(SQL.find_owner, {"hash": _hash(secret)})
        if not rows:
            return None
        [row] = rows
        account = User(UserId(row["id"]), memory_enabled=row["memory_enabled"], time_zone=row["time_zone"])
        return SessionOwner(self.users.cache(account), row["issuer"], row["subject"])

    async def end(self, secret: str) -> None:
        """End a session, if it exists."""
        if _SECRET.fullmatch(secret):
            await self.database.execute_unscoped(SQL.delete, {"hash": _hash(secret)})


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
