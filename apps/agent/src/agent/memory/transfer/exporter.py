"""Export of a user's memory as JSON lines."""

from collections.abc import AsyncIterator

from langgraph.store.base import BaseStore, SearchItem

from agent.memory.records import lookup, namespaces
from agent.memory.transfer.jsonl import format_line
from agent.types import KINDS, UserId


async def export_lines(store: BaseStore, user: UserId) -> AsyncIterator[bytes]:
    """Export the user's inbox, memories, profile and history, several hundred complete lines at a time."""
    # Documents move from the inbox to the memories, and from there to history. In this order, none is missed.
    async for page in lookup.iter_pages(store, namespaces.inbox(user)):
        yield b"".join(format_line(item, place="inbox", id=item.key) for item in page)
    for kind in KINDS:
        async for page in lookup.iter_pages(store, namespaces.memories(user, kind)):
            yield b"".join(format_line(item, id=item.key, kind=kind) for item in page)
    async for page in lookup.iter_pages(store, namespaces.profile(user)):
        yield b"".join(format_line(item, place="profile") for item in page)
    async for page in lookup.iter_pages(store, namespaces.retired(user)):
        yield b"".join(format_line(item, place="retired", id=item.key, kind=_kind(item)) for item in page)


def _kind(retired: SearchItem) -> str:
    return str(retired.value.get("place") or retired.value.get("type", "user"))
