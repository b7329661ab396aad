"""Namespaces of a user's data in a LangGraph store. No other module builds a namespace."""

from agent.database.row_security import validate_user_id
from agent.types import Kind, UserId

Namespace = tuple[str, ...]

INDEXED_FIELDS = ["text"]
"""The fields that are embedded."""


def user_root(user: UserId) -> Namespace:
    """The prefix of all namespaces of a user."""
    return ("users", validate_user_id(user))


def owner(user: UserId) -> str:
    """The owner of the user's rows in the store, and of their texts in the cache of embeddings."""
    return ".".join(user_root(user))


def memories(user: UserId, kind: Kind) -> Namespace:
    """The namespace of the user's memories of one kind."""
    return (*user_root(user), "memories", kind)


def all_memories(user: UserId) -> Namespace:
    """The prefix of the user's memories of all kinds, to search them together."""
    return (*user_root(user), "memories")


def is_memory(namespace: Namespace) -> bool:
    """Check whether a namespace contains memories of one kind."""
    return len(namespace) == len(("users", "<label>", "memories", "<kind>")) and namespace[2] == "memories"


def is_retired(namespace: Namespace) -> bool:
    """Check whether a namespace is that of retired documents."""
    return namespace[2:] == ("retired",)


def inbox(user: UserId) -> Namespace:
    """The namespace of the user's messages that formation has not processed."""
    return (*user_root(user), "inbox")


def profile(user: UserId) -> Namespace:
    """The namespace of the user's profile, a single document."""
    return (*user_root(user), "profile")


def retired(user: UserId) -> Namespace:
    """The namespace of the user's retired documents, which are never recalled."""
    return (*user_root(user), "retired")


def items(user: UserId) -> Namespace:
    """The prefix of the namespaces in which clients keep items of their own; nothing is recalled from them."""
    return (*user_root(user), "items")
