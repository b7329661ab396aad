"""Undo what a message has stated, changed or asked to remember."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langgraph.store.base import BaseStore, SearchItem

from agent.errors import MemoryNotFoundError, NothingToUndoError
from agent.language.references.antecedents import without_antecedent
from agent.language.revision.value_statements import without_marker
from agent.memory.editing.library import Library
from agent.memory.editing.selection import Statement, load_statements
from agent.memory.recall.pending_changes import PendingChanges
from agent.memory.records import lookup, namespaces
from agent.memory.records.documents import source_messages
from agent.text_process import analyse
from agent.types import KINDS, MemoryId, MessageId, UserId


@dataclass(frozen=True, slots=True)
class MessageUndo:
    """What was undone."""

    removed: tuple[str, ...] = ()
    """Texts that are no longer remembered."""
    restored: Mapping[str, str] | None = None
    """Texts that are remembered again, by the ids of their memories."""


async def undo_message(library: Library, user: UserId, message: MessageId, *, keep_edited: bool = False) -> MessageUndo:
    """Undo the changes of memories that come from a message; what it only confirms remains.

    A message that is not processed yet is withdrawn from the inbox. This can be undone, like forgetting.

    Args:
        library: contains the memories.
        user: their owner.
        message: the message.
        keep_edited: whether memories that the user has edited or pinned since remain.
    """
    before = await _current(library.store, user)
    await _withdraw_pending(library, user, message)
    for memory in await _formed_of(library, user, message):
        if keep_edited and await _is_edited(library, user, memory):
            continue
        try:
            await library.undo(user, memory)
        except (MemoryNotFoundError, NothingToUndoError):  # an earlier step has undone it, too
            continue
    after = await _current(library.store, user)
    known, current = set(before.values()), set(after.values())
    removed = dict.fromkeys(without_marker(without_antecedent(text)) for text in before.values() if text not in current)
    return MessageUndo(tuple(removed), {key: text for key, text in after.items() if text not in known})


async def _withdraw_pending(library: Library, user: UserId, message: MessageId) -> None:
    pending = [one for one in await library.find_by_ids(user, [message]) if one.id == message]
    if pending:
        others = [one for one in await load_statements(library.store, user) if one.id != message]
        await library.withdraw(user, pending, spared=others, request=f"{message} stated")


async def _formed_of(library: Library, user: UserId, message: MessageId) -> list[MemoryId]:
    """The memories that a message has added or changed, and not only confirmed."""
    statements = [one for one in await load_statements(library.store, user) if message in one.messages]
    ids = list(dict.fromkeys(MemoryId(one.id) for one in statements))
    return [memory for memory in ids if await _is_changed_by(library, user, memory, statements, message)]


async def _is_edited(library: Library, user: UserId, memory: MemoryId) -> bool:
    try:
        versions = await library.history(user, memory)
        return (bool(versions) and versions[0].reason == "edited") or (await library.get(user, memory)).pinned
    except MemoryNotFoundError:  # an earlier step has undone it
        return False


async def _is_changed_by(
    library: Library, user: UserId, memory: MemoryId, statements: Sequence[Statement], message: MessageId
) -> bool:
    if any(one.id == memory and one.messages == {message} for one in statements):
        return True
    sources = (await library.get(user, memory)).sources
    said_at = next(one.ts for one in sources if one.message == message)
    versions = await library.history(user, memory)
    return bool(versions) and versions[0].retired_at >= said_at == max(one.ts for one in sources)


async def _current(store: BaseStore, user: UserId) -> dict[str, str]:
    """What is remembered, with the changes of pending messages, by the ids of the memories and messages."""
    spaces = [*(namespaces.memories(user, kind) for kind in KINDS), namespaces.inbox(user)]
    items = [item for space in spaces for item in await lookup.read_all(store, space)]
    return await analyse(_applied, items, chars=sum(len(item.value["text"]) for item in items))


def _applied(items: Sequence[SearchItem]) -> dict[str, str]:
    recallable = [item for item in items if item.value.get("recallable", True)]
    memories = [item for item in recallable if item.namespace[-1] != "inbox"]
    processed = {message for item in memories for message in source_messages(item.value, item.key)}
    current = [item for item in recallable if item.key not in processed]
    return {item.key: item.value["text"] for item in PendingChanges.of(current).apply(current)}
