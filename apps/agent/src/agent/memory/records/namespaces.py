"""Namespaces of a user's data in a LangGraph store. No other module builds a namespace."""

import re

from agent.errors import InvalidIdError
from agent.types import Kind, UserId

_USER_ID = re.compile(r"[a-z0-9_-]{1,64}")

Namespace = tuple[str, ...]

INDEXED_FIELDS = ["text"]
"""The fields that are embedded."""


def user_root(user: UserId) -> Namespace:
    """The prefix of all namespaces of a user."""
    return ("users", validate_user_id(user))


def memories(user: UserId, kind: Kind) -> Namespace:
    """The namespace of the user's memories of one kind."""
    return (*user_root(user), "memories", kind)


def all_memories(user: UserId) -> Namespace:
    """The prefix of the user's memories of all kinds, to search them together."""
    return (*user_root(user), "memories")


def inbox(user: UserId) -> Namespace:
    """The namespace of the user's messages that formation has not processed."""
    return (*user_root(user), "inbox")


def profile(user: UserId) -> Namespace:
    """The namespace of the user's profile, a single document."""
    return (*user_root(user), "profile")


def retired(user: UserId) -> Namespace:
    """The namespace of the user's retired documents, which are never recalled."""
    return (*user_root(user), "retired")


def validate_user_id(value: object) -> UserId:
    """Validate a user id before it becomes part of a key, a namespace or a query.

    Raises:
        InvalidIdError: the value is not a string of 1 to 64 of a-z, 0-9, _ and -.
    """
    if not isinstance(value, str) or not _USER_ID.fullmatch(value):
        raise InvalidIdError("a user id has 1 to 64 of a-z, 0-9, _ and -")
    return UserId(value)
