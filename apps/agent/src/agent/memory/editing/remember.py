"""What the user asks to be kept, in so many words: it passes the gates of formation, and shows where it was said."""

from dataclasses import replace

from langgraph.store.base import BaseStore, PutOp, SearchOp

from agent.errors import InvalidTextError
from agent.language.grounding import is_quoted, normalise, rejection_reason
from agent.memory.records import batches, namespaces
from agent.memory.records.changes import Change, commit_change
from agent.memory.records.documents import derived_id, from_document, to_document
from agent.text import MAX_MEMORY_CHARS, validate_text
from agent.timestamps import now
from agent.types import Kind, Memory, Source, UserId

READ_AT_ONCE = 10_000


async def remember_text(  # noqa: PLR0913 - a memory's parts, and what vouches for them
    store: BaseStore, user: UserId, kind: Kind, text: str, source: Source, *, said: str
) -> Memory:
    """Keep a memory, or confirm the one that says the same.

    Args:
        store: where memories are.
        user: whose it is.
        kind: a fact, or a way to help.
        text: the memory.
        source: the message that asks for it, with the words that it rests on.
        said: the whole of that message.

    Raises:
        InvalidTextError: it cannot be kept; the message says why.
        ChangedMeanwhileError: the user's memories were changing all the time.
    """
    text = validate_text(text, max_chars=MAX_MEMORY_CHARS)
    if not is_quoted(source.quote, [said]):
        raise InvalidTextError("the quote does not stand in the user's last message")
    if reason := rejection_reason(text) or rejection_reason(source.quote):
        raise InvalidTextError(f"this is not kept as a memory ({reason})")
    place = namespaces.memories(user, kind)

    async def plan() -> Change[Memory]:
        [known] = await batches.search(store, [SearchOp(place, limit=READ_AT_ONCE, refresh_ttl=False)])
        same = next((item for item in known if normalise(item.value["text"]) == normalise(text)), None)
        if same is None:
            moment = now()
            key = derived_id(user, source.message, normalise(text))
            memory = Memory(key, kind, text, source.ts, source.thread, sources=(source,), last_seen=moment)
            return Change(
                [PutOp(place, key, to_document(memory), index=namespaces.INDEXED)], {(place, key): None}, memory
            )
        memory = from_document(same.key, same.value)
        if source.message in {one.message for one in memory.sources}:
            return Change([], {}, memory)
        confirmed = replace(memory, sources=(*memory.sources, source), confirmed=memory.confirmed + 1, last_seen=now())
        put = PutOp(place, same.key, dict(same.value) | to_document(confirmed), index=namespaces.INDEXED)
        return Change([put], batches.read_versions([same]), confirmed)

    return await commit_change(store, plan)
