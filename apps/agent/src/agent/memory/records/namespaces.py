"""Where each kind of memory lives in a LangGraph store. No other module spells a namespace."""

import re

from agent.errors import InvalidIdError
from agent.types import Kind, UserId

_USER_ID = re.compile(r"[a-z0-9_-]{1,64}")

Namespace = tuple[str, ...]

INDEXED = ["text"]
"""The one field that is embedded."""


def home(user: UserId) -> Namespace:
    """Return what everything of the user's is under."""
    return ("users", checked_user_id(user))


def memories(user: UserId, kind: Kind) -> Namespace:
    """Return where the user's memories of a kind are."""
    return (*home(user), "memories", kind)


def all_memories(user: UserId) -> Namespace:
    """Return what the user's memories of all kinds are under, to be searched as one."""
    return (*home(user), "memories")


def inbox(user: UserId) -> Namespace:
    """Return where it waits what was said and is not yet distilled."""
    return (*home(user), "inbox")


def profile(user: UserId) -> Namespace:
    """Return where the one document is that says who the user is."""
    return (*home(user), "profile")


def retired(user: UserId) -> Namespace:
    """Return where superseded and edited-away memories are kept, never to be recalled."""
    return (*home(user), "retired")


def checked_user_id(value: object) -> UserId:
    """Return what can name a user; nothing else reaches a key, a namespace or a query.

    Raises:
        InvalidIdError: it cannot.
    """
    if not isinstance(value, str) or not _USER_ID.fullmatch(value):
        raise InvalidIdError("a user id has 1 to 64 of a-z, 0-9, _ and -")
    return UserId(value)
