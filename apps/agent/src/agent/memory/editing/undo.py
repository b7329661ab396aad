"""Undo: restores the documents that a change retired, and retires their successor.

Undo is itself such a change, so it can be undone.
"""

from dataclasses import replace

from langgraph.store.base import BaseStore, Item

from agent.errors import MemoryNotFoundError, NothingToUndoError
from agent.language.removal.redaction import Redaction
from agent.memory.records import lookup
from agent.memory.records.changes import Change, ChangeSet
from agent.memory.records.documents import from_document, quotes_of, rest_id, source_messages
from agent.memory.records.history import SUPERSEDED_REASONS, History, Retirement, is_version, original_document
from agent.types import Memory, UserId


async def undo(store: BaseStore, user: UserId, memory: str) -> Change[Memory | None]:
    """Plan to undo the last change of a memory.

    The last edit or replacement of a current memory is undone; without one, the memory is retired. A retired memory, or
    one of its versions, is restored in place of its successor. A message that was forgotten before it was processed is
    restored to the inbox.

    Returns:
        The restored memory; None if one was only retired, or a message is restored.

    Raises:
        MemoryNotFoundError: the user has no current or retired memory, or forgotten message, with this id.
        NothingToUndoError: the retired document does not say in which change it was retired.
    """
    current, history = await lookup.find_memory(store, user, memory), await History.load(store, user)
    version = history.predecessor(memory) if current else history.latest_version(memory)
    if current is None and version is None:
        version = history.latest_message(memory)
    change_set = await ChangeSet.load(store, user)
    if version is None:
        if current is None:
            raise MemoryNotFoundError("the user has no such memory")
        await retire(change_set, current, Retirement("user", "undone"))
        return change_set.build(None)
    change_id = version.value.get("change")
    if not change_id:
        raise NothingToUndoError("the history of this memory does not record the change")
    restored = from_document(version.value["memory"], original_document(version.value))
    retirement = Retirement("user", "undone")
    pins: dict[str, bool] = {}
    if successor := await _current_successor(store, user, history, version):
        retirement = _retirement_of_successor(version, successor)
        await retire(change_set, successor, retirement, restored=restored.text)
        pins = {restored.id: bool(successor.value.get("pinned"))}
    versions = [item for item in history.items if item.value.get("change") == change_id]
    for replaced in versions:
        rest = await lookup.find_memory(store, user, rest_id(user, replaced.value["memory"]))
        change_set.retire([rest] if rest else [], retirement)
    await change_set.restore(versions, retirement, pins=pins)
    is_message = not is_version(version.value)
    return change_set.build(None if is_message else replace(restored, pinned=pins.get(restored.id, restored.pinned)))


async def retire(change_set: ChangeSet, item: Item, retirement: Retirement, *, restored: str = "") -> None:
    """Retire a memory, with what else states it, in favour of the text that is restored, if any.

    An edit changed nothing else, so neither does undoing it.
    """
    change_set.retire([item], retirement)
    if retirement.successor != item.key:
        text, quotes = item.value["text"], quotes_of(item.value)
        messages = source_messages(item.value, item.key)
        outdated = Redaction.outdated(text, restored, quotes=quotes, messages=messages)
        forgotten = Redaction.forgotten([text], quotes=quotes, messages=messages)
        await change_set.redact(outdated if restored else forgotten, retirement, include_facts=bool(restored))


def _retirement_of_successor(version: Item, successor: Item) -> Retirement:
    """An undone version is restored by repeating the edit or replacement; any other by undoing it."""
    memory, reason = version.value["memory"], version.value["why"]
    if reason != "undone":
        return Retirement("user", "undone", successor=memory)
    return Retirement("user", "edited" if successor.key == memory else "replaced", successor=memory)


async def _current_successor(store: BaseStore, user: UserId, history: History, version: Item) -> Item | None:
    """The current memory in place of a version: the memory itself, its successor, or a later successor of that."""
    visited: set[str] = set()
    current = await lookup.find_memory(store, user, version.value["memory"])
    successor = version.value.get("by")
    while current is None and successor and successor not in visited:
        visited.add(successor)
        current, later = await lookup.find_memory(store, user, successor), history.latest_version(successor)
        successor = later.value.get("by") if later and later.value["why"] in SUPERSEDED_REASONS else None
    return current
