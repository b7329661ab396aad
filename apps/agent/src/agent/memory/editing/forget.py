"""Forgetting: for ever, with what would bring it back, and with its history."""

from collections.abc import Mapping, Set
from dataclasses import replace
from typing import Any

from langgraph.store.base import BaseStore

from agent.errors import MemoryNotFoundError
from agent.memory.records import lookup, namespaces
from agent.memory.records.change_set import ChangeSet
from agent.memory.records.changes import Change
from agent.memory.records.history import History, messages_of
from agent.memory.records.profile import Profile
from agent.types import KINDS, ThreadId, UserId


async def forget(store: BaseStore, user: UserId, memory: str) -> Change[set[str]]:
    """Plan to forget a memory, known or retired, and everything that it has been.

    Returns:
        A change that comes to the messages that it all came from.

    Raises:
        MemoryNotFoundError: the user has none of that id, and never had.
    """
    known, history = await lookup.find_memory(store, user, memory), await History.of(store, user)
    version = history.latest(memory)
    versions = history.chain({memory}) or ([version] if version else [])
    gone = [*([known] if known else []), *versions]
    if not gone:
        raise MemoryNotFoundError("the user has no such memory")
    messages = {message for item in gone for message in messages_of(item.value, item.key)}
    exchange = await ChangeSet.of(store, user)
    await exchange.delete_derived(messages)
    exchange.delete([*gone, *history.derived(messages)])
    return exchange.change(messages)


async def forget_thread(store: BaseStore, user: UserId, thread: ThreadId, said: Set[str]) -> Change[int]:
    """Plan to forget what only a thread has taught, and what is still to be learned from it.

    What other threads have taught too stays, and does not name this one any more.

    Args:
        store: where everything is.
        user: whose thread it is.
        thread: which.
        said: the ids of its messages.

    Returns:
        A change that comes to how many memories go.
    """
    # In the order in which a drain moves things: what has left one place before it is read is in the next.
    waiting = await lookup.read_all(store, namespaces.inbox(user))
    exchange = await ChangeSet.of(store, user)
    memories = [item for kind in KINDS for item in await lookup.read_all(store, namespaces.memories(user, kind))]
    history = await History.of(store, user)
    gone = {item.key for item in memories if _threads(item.value) == {thread}}
    past = {item.key for item in history.chain(gone)}
    said = set(said).union(*(_messages(item.value, thread) for item in (*memories, *history.items)))
    for item in (*memories, *waiting, *history.items):
        kept = _without(item.value, thread, said)
        if kept is None or item.key in past:
            exchange.delete([item])
        elif kept != item.value:
            exchange.write(item, kept)
    exchange.profile = _profile_without(exchange.profile, said)
    return exchange.change(len(gone))


def _threads(value: Mapping[str, Any]) -> set[str]:
    """Return the threads that vouch for a document; for what was typed in by hand none does."""
    return {source["thread"] for source in value.get("sources", ())} or {value.get("source_thread", "")}


def _messages(value: Mapping[str, Any], thread: ThreadId) -> set[str]:
    return {source["message"] for source in value.get("sources", ()) if source["thread"] == thread}


def _without(value: Mapping[str, Any], thread: ThreadId, said: Set[str]) -> dict[str, Any] | None:
    """Return a document without what a thread vouches for; None if nothing else does."""
    if "messages" in value:  # a sentence of the profile
        messages = [message for message in value["messages"] if message not in said]
        return {**value, "messages": messages} if messages or not value["messages"] else None
    if _threads(value) == {thread}:
        return None
    sources = [source for source in value.get("sources", ()) if source["thread"] != thread]
    if not sources:
        return dict(value)
    newest = sources[-1]["thread"] if value.get("source_thread") == thread else value.get("source_thread", "")
    return {**value, "sources": sources, "source_thread": newest}


def _profile_without(profile: Profile, said: Set[str]) -> Profile:
    """Return the profile without the sentences that came from these messages only."""
    kept = {
        name: tuple(
            replace(sentence, messages=tuple(one for one in sentence.messages if one not in said))
            for sentence in sentences
            if not sentence.messages or not set(sentence.messages) <= said
        )
        for name, sentences in profile.sentences.items()
    }
    return replace(profile, sentences=kept)
