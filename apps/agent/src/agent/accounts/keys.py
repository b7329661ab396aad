"""Personal keys: random values that stand for a user, for clients that support only an address and a key.

Only a key's SHA-256 is stored: a slow hash protects guessable secrets, and 256 random bits cannot be guessed. Each
request looks the key up, so that a revoked key is refused at once by every process.
"""

import hashlib
import logging
import re
import secrets
import unicodedata
import uuid
from dataclasses import dataclass
from typing import LiteralString

from psycopg.rows import DictRow

from agent.accounts.key import Key, KeyId, KeyOwner
from agent.accounts.users import Users
from agent.background import Spawn
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import InvalidTextError, KeyNotFoundError, StoreUnavailableError, TooManyKeysError
from agent.text import validate_text
from agent.types import User, UserId

logger = logging.getLogger(__name__)


class SQL(Statements, file="keys.sql"):
    """Statements of `keys.sql`."""

    lock_account: LiteralString
    add: LiteralString
    list_keys: LiteralString
    delete: LiteralString
    find_owner: LiteralString
    record_use: LiteralString


KEY_PREFIX = "ks_"
MAX_KEYS = 50
MAX_KEY_NAME_CHARS = 100
LAST_USE_PRECISION_SECONDS = 60.0

_RANDOM_BYTES = 32
_KEY = re.compile(re.escape(KEY_PREFIX) + "[A-Za-z0-9_-]{43}")  # base64url of 32 bytes


@dataclass(frozen=True, slots=True)
class Keys:
    """The personal keys of all users.

    Raises:
        StoreUnavailableError: from each method, if the database does not answer.
    """

    database: ScopedPool
    users: Users
    spawn: Spawn

    async def create(self, user: UserId, *, name: str) -> tuple[Key, str]:
        """Create a key for an existing account; return it with its secret, which cannot be read again.

        Raises:
            InvalidTextError: the name is empty or too long, or contains control characters.
            TooManyKeysError: the user has as many keys as allowed.
        """
        secret = KEY_PREFIX + secrets.token_urlsafe(_RANDOM_BYTES)
        parameters = {
            "user": user,
            "key": str(uuid.uuid4()),
            "name": _validate_name(name),
            "hash": _hash(secret),
            "max_keys": MAX_KEYS,
        }
        async with self.database.for_user(user) as connection:
            await connection.execute(SQL.lock_account, {"user": user})
            row = await (await connection.execute(SQL.add, parameters)).fetchone()
        if row is None:
            raise TooManyKeysError(f"the limit is {MAX_KEYS} keys; revoke some of them")
        return _key(row), secret

    async def list_keys(self, user: UserId) -> tuple[Key, ...]:
        """List the user's keys, the latest first."""
        return tuple(map(_key, await self.database.fetch_all(user, SQL.list_keys, {"user": user})))

    async def revoke(self, user: UserId, key: KeyId) -> None:
        """Delete a key; requests that have begun continue.

        Raises:
            KeyNotFoundError: the user has no such key.
        """
        if await self.database.fetch_one(user, SQL.delete, {"user": user, "key": key}) is None:
            raise KeyNotFoundError("the user has no such key")

    async def find_owner(self, secret: str) -> KeyOwner | None:
        """Find the account to which a key gives access; None if the key is unknown or revoked."""
        if not _KEY.fullmatch(secret):
            return None
        parameters = {"hash": _hash(secret), "precision_seconds": LAST_USE_PRECISION_SECONDS}
        rows = await self.database.fetch_all_unscoped(SQL.find_owner, parameters)
        if not rows:
            return None
        [row] = rows
        account = User(UserId(row["id"]), memory_enabled=row["memory_enabled"], time_zone=row["time_zone"])
        if row["is_outdated"]:
            self.spawn(self._record_use(account.id, KeyId(str(row["key_id"]))))
        return KeyOwner(self.users.cache(account), row["issuer"], row["subject"], row["key_name"])

    async def _record_use(self, user: UserId, key: KeyId) -> None:
        parameters = {"user": user, "key": key, "precision_seconds": LAST_USE_PRECISION_SECONDS}
        try:
            await self.database.execute(user, SQL.record_use, parameters)
        except StoreUnavailableError:
            logger.warning("The last use of a key was not recorded")


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _validate_name(name: str) -> str:
    name = validate_text(name, max_chars=MAX_KEY_NAME_CHARS)
    if any(unicodedata.category(char) == "Cc" for char in name):
        raise InvalidTextError("the name contains control characters")
    return name


def _key(row: DictRow) -> Key:
    return Key(KeyId(str(row["id"])), row["name"], row["created_at"], row["last_used_at"])
