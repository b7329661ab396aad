"""The value types of personal keys: frozen, without I/O."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from agent.types import User

KeyId = NewType("KeyId", str)
"""A UUID in canonical form that names a personal key; it gives no access."""


@dataclass(frozen=True, slots=True)
class Key:
    """A personal key of one user, without its secret."""

    id: KeyId
    name: str
    created_at: datetime
    last_used_at: datetime | None
    """Time of the last use, to within a minute; None if it was never used."""


@dataclass(frozen=True, slots=True)
class KeyOwner:
    """The account to which a key gives access, and the issuer and subject that it was created for."""

    account: User
    issuer: str
    subject: str
    key_name: str
