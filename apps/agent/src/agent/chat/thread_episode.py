"""What fell out of a thread's window, as an episode for the user's other threads."""

from collections.abc import Sequence

from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.store.base import BaseStore, GetOp, Item, PutOp, SearchOp

from agent.chat.compression import Summary, grounded_episode
from agent.memory.records import batches, namespaces
from agent.memory.records.changes import Change, commit_change
from agent.memory.records.documents import derived_id, to_document
from agent.timestamps import now
from agent.types import KINDS, Memory, MessageId, Source, ThreadId, UserId

READ_AT_ONCE = 10_000


async def save_episode(
    store: BaseStore, user: UserId, thread: ThreadId, summed: Summary, messages: Sequence[AnyMessage]
) -> None:
    """Keep what a stretch of a thread came to; done twice, the later one stands.

    Raises:
        ChangedMeanwhileError: what vouches for the messages did, again and again.
    """
    said = [MessageId(message.id or "") for message in messages if isinstance(message, HumanMessage)]
    if not said:
        return
    key = derived_id(user, "summary", thread, said[0])

    async def plan() -> Change[None]:
        vouching = [item for item in await _vouching(store, user, said) if item.key != key]
        when = dict(told for item in vouching for told in _told(item))
        text = grounded_episode(summed, messages, when.keys())
        sources = tuple(Source(thread, message, "", when[message]) for message in said if message in when)
        episode = Memory(
            id=key, kind="episodic", text=text, ts=now(), source_thread=thread, sources=sources, last_seen=now()
        )
        place = namespaces.memories(user, "episodic")
        ops = [PutOp(place, key, to_document(episode), index=namespaces.INDEXED_FIELDS)] if text else []
        return Change(ops, batches.read_versions(vouching), None)

    await commit_change(store, plan)


async def _vouching(store: BaseStore, user: UserId, messages: Sequence[MessageId]) -> list[Item]:
    """Return what memory still holds of some messages: what they taught, and what waits to be distilled."""
    wanted = set(messages)
    places = [namespaces.memories(user, kind) for kind in KINDS]
    found = await batches.search(store, [SearchOp(place, limit=READ_AT_ONCE, refresh_ttl=False) for place in places])
    waiting = await batches.get(store, [GetOp(namespaces.inbox(user), one, refresh_ttl=False) for one in messages])
    taught = [item for items in found for item in items if wanted & {message for message, _ in _told(item)}]
    return [*taught, *(item for item in waiting if item is not None)]


def _told(item: Item) -> list[tuple[str, str]]:
    """Return the messages that an item came from, each with its time."""
    if "sources" in item.value:
        return [(source["message"], source["ts"]) for source in item.value["sources"]]
    return [(item.key, item.value.get("ts", ""))]
