"""Forgetting: permanent deletion of a memory, its history, and everything else that came from the same words."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from langgraph.store.base import BaseStore, Item

from agent.errors import MemoryNotFoundError
from agent.language.removal.redaction import Redaction
from agent.memory.records import lookup, namespaces
from agent.memory.records.changes import Change, ChangeSet
from agent.memory.records.documents import quotes_of, redact_document, source_messages, source_threads
from agent.memory.records.history import History
from agent.memory.records.profile import Sentence
from agent.types import FACT_KINDS, KINDS, ThreadId, UserId


async def forget(store: BaseStore, user: UserId, memory: str) -> Change[set[str]]:
    """Plan to delete a current or retired memory permanently, with everything that came from the same words.

    Other statements of the same messages are kept. The result is the ids of the source messages.

    Raises:
        MemoryNotFoundError: the user has no such memory.
    """
    current, history = await lookup.find_memory(store, user, memory), await History.load(store, user)
    versions: list[Item | None] = [*history.lineage({memory})] or [history.latest_version(memory)]
    items = [item for item in (current, *versions) if item is not None]
    if not items:
        raise MemoryNotFoundError("the user has no such memory")
    redaction = Redaction.forgotten(
        [item.value["text"] for item in items],
        quotes=[quote for item in items for quote in quotes_of(item.value)],
        messages={message for item in items for message in source_messages(item.value, item.key)},
    )
    change_set = await ChangeSet.load(store, user)
    change_set.delete(items)
    _redact_history(change_set, redaction, [item for item in history.items if item not in items])
    await change_set.redact(redaction, None, include_facts=True)
    return change_set.build(set(redaction.messages))


def _redact_history(change_set: ChangeSet, redaction: Redaction, items: Sequence[Item]) -> None:
    """Delete the retired documents that state what is forgotten; a fact only loses its words from its sources."""
    for item in items:
        value = redact_document(redaction, item.value, item.value.get("memory", ""))
        if value != item.value:
            is_fact = item.value.get("place") in FACT_KINDS and value is not None
            change_set.write(item, value or {}) if is_fact else change_set.delete([item])


async def forget_thread(store: BaseStore, user: UserId, thread: ThreadId, message_ids: Set[str]) -> Change[int]:
    """Plan to forget what comes only from a thread, including its inbox items; the result is the number of memories.

    Memories that have sources in other threads too are kept, without their sources in this thread. `message_ids` are
    those of the user's messages in the thread.
    """
    # Read in the order in which formation moves documents: what has left one namespace is found in the next.
    pending = await lookup.read_all(store, namespaces.inbox(user))
    change_set = await ChangeSet.load(store, user)
    memories = [item for kind in KINDS for item in await lookup.read_all(store, namespaces.memories(user, kind))]
    history = await History.load(store, user)
    forgotten = {item.key for item in memories if source_threads(item.value) == {thread}}
    forgotten_versions = {item.key for item in history.lineage(forgotten)}
    sources = [source for item in (*memories, *history.items) for source in item.value.get("sources", ())]
    messages = message_ids | {source["message"] for source in sources if source["thread"] == thread}
    for item in (*memories, *pending, *history.items):
        kept = _without_thread(item.value, thread, messages)
        if kept is None or item.key in forgotten_versions:
            change_set.delete([item])
        elif kept != item.value:
            change_set.write(item, kept)
    sentences = {
        name: tuple(
            Sentence.from_dict(kept) for part in parts if (kept := _without_thread(part.as_dict(), thread, messages))
        )
        for name, parts in change_set.profile.sentences.items()
    }
    change_set.profile = replace(change_set.profile, sentences=sentences)
    return change_set.build(len(forgotten))


def _without_thread(value: Mapping[str, Any], thread: ThreadId, messages: Set[str]) -> dict[str, Any] | None:
    if "messages" in value:  # a sentence of the profile
        remaining = [message for message in value["messages"] if message not in messages]
        return {**value, "messages": remaining} if remaining or not value["messages"] else None
    if source_threads(value) == {thread}:
        return None
    sources = [source for source in value.get("sources", ()) if source["thread"] != thread]
    if not sources:
        return dict(value)
    newest = sources[-1]["thread"] if value.get("source_thread") == thread else value.get("source_thread", "")
    return {**value, "sources": sources, "source_thread": newest}
