"""Memories that the user asks for explicitly; they pass the same gates as formation."""

from dataclasses import replace

from langgraph.store.base import BaseStore, PutOp, SearchOp

from agent.errors import InvalidTextError
from agent.language.grounding import is_quoted, normalise, rejection_reason
from agent.memory.records import batches, namespaces
from agent.memory.records.changes import Change, commit_change
from agent.memory.records.documents import derived_id, from_document, to_document
from agent.memory.records.lookup import MAX_READ_ITEMS
from agent.text import MAX_MEMORY_CHARS, validate_text
from agent.timestamps import now
from agent.types import Kind, Memory, Source, UserId


async def remember_text(  # noqa: PLR0913 - the parts of a memory, and its source message
    store: BaseStore, user: UserId, kind: Kind, text: str, source: Source, *, message_text: str
) -> Memory:
    """Add a memory, or confirm the one with the same words.

    Args:
        store: the store of the user's memories.
        user: the owner of the memory.
        kind: `user` or `procedural`.
        text: the text of the memory.
        source: the message that asks for it, with the quote that supports it.
        message_text: the full text of that message.

    Raises:
        InvalidTextError: the text is rejected; the message states the reason.
        ChangedMeanwhileError: the user's memories kept changing concurrently.
    """
    text = validate_text(text, max_chars=MAX_MEMORY_CHARS)
    if not is_quoted(source.quote, [message_text]):
        raise InvalidTextError("the quote does not occur in the user's last message")
    if reason := rejection_reason(text) or rejection_reason(source.quote):
        raise InvalidTextError(f"this is not kept as a memory ({reason})")
    namespace = namespaces.memories(user, kind)

    async def plan() -> Change[Memory]:
        [items] = await batches.search(store, [SearchOp(namespace, limit=MAX_READ_ITEMS, refresh_ttl=False)])
        same = next((item for item in items if normalise(item.value["text"]) == normalise(text)), None)
        if same is None:
            key = derived_id(user, source.message, normalise(text))
            memory = Memory(key, kind, text, source.ts, source.thread, sources=(source,), last_seen=now())
            put = PutOp(namespace, key, to_document(memory), index=namespaces.INDEXED_FIELDS)
            return Change([put], {(namespace, key): None}, memory)
        memory = from_document(same.key, same.value)
        if source.message in {known.message for known in memory.sources}:
            return Change([], {}, memory)
        confirmed = replace(memory, sources=(*memory.sources, source), confirmed=memory.confirmed + 1, last_seen=now())
        value = dict(same.value) | to_document(confirmed)
        put = PutOp(namespace, same.key, value, index=namespaces.INDEXED_FIELDS)
        return Change([put], batches.read_versions([same]), confirmed)

    return await commit_change(store, plan)
