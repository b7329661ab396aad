"""Memories that the user asks for explicitly; they pass the same gates as formation."""

from dataclasses import replace

from langgraph.store.base import BaseStore

from agent.errors import InvalidTextError
from agent.language.grounding import is_quoted, normalise, rejection_reason
from agent.memory.records import batches, lookup, namespaces
from agent.memory.records.changes import Change, commit_change
from agent.memory.records.documents import derived_id, document_op, from_document, put_op, to_document
from agent.text import MAX_MEMORY_CHARS, validate_text
from agent.timestamps import now
from agent.types import Kind, Memory, Source, UserId


async def remember_text(  # noqa: PLR0913 - the parts of a memory, and its source message
    store: BaseStore, user: UserId, kind: Kind, text: str, source: Source, *, message_text: str
) -> Memory:
    """Add a fact with the message that asks for it as its source, or confirm the fact with the same words.

    Raises:
        InvalidTextError: the text or the quote is rejected; the message states the reason.
    """
    text = validate_text(text, max_chars=MAX_MEMORY_CHARS)
    if not is_quoted(source.quote, [message_text]):
        raise InvalidTextError("the quote does not occur in the user's last message")
    if reason := rejection_reason(text) or rejection_reason(source.quote):
        raise InvalidTextError(f"this is not kept as a memory ({reason})")
    namespace = namespaces.memories(user, kind)

    async def plan() -> Change[Memory]:
        items = await lookup.read_all(store, namespace)
        same = next((item for item in items if normalise(item.value["text"]) == normalise(text)), None)
        if same is None:
            key = derived_id(user, source.message, normalise(text))
            memory = Memory(key, kind, text, source.ts, source.thread, sources=(source,), last_seen=now())
            return Change([put_op(user, memory)], {(namespace, key): None}, memory)
        memory = from_document(same.key, same.value)
        if source.message in {known.message for known in memory.sources}:
            return Change([], {}, memory)
        confirmed = replace(memory, sources=(*memory.sources, source), confirmed=memory.confirmed + 1, last_seen=now())
        put = document_op(namespace, same.key, same.value | to_document(confirmed))
        return Change([put], batches.read_versions([same]), confirmed)

    return await commit_change(store, plan)
