"""Completeness for users with more memories than fit into one page, on LangGraph's in-memory store."""

import pytest
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore

from agent.memory.editing.library import Library
from agent.memory.editing.remember import remember_text
from agent.memory.records import batches, documents, lookup, namespaces
from agent.types import Kind, Memory, MemoryId, Source, UserId

USER = UserId("ada")
OTHER_MEMORIES = 10_001
TS = "2026-05-01T09:30:00+00:00"


def _memory(memory: str, kind: Kind, text: str, message: str) -> Memory:
    return Memory(MemoryId(memory), kind, text, TS, "garden", sources=(Source("garden", message, text, TS),))


async def _put(store: BaseStore, *memories: Memory) -> None:
    await batches.put(store, [documents.put_op(USER, memory) for memory in memories])


async def _put_others(store: BaseStore, kind: Kind) -> None:
    await _put(store, *(_memory(f"{kind} {n}", kind, f"Other {n}", f"message {n}") for n in range(OTHER_MEMORIES)))


@pytest.mark.parametrize("position", ["first", "last"])
async def test_forgetting_deletes_an_episode_beyond_the_first_page(position: str) -> None:
    store = InMemoryStore()
    fact, episode = _memory("fact", "user", "Lives in Oslo", "oslo"), _memory("episode", "episodic", "Oslo", "oslo")
    if position == "first":
        await _put(store, fact, episode)
    await _put_others(store, "episodic")
    if position == "last":
        await _put(store, fact, episode)
    await Library(store).forget(USER, fact.id)
    episodes = await lookup.read_all(store, namespaces.memories(USER, "episodic"))
    assert len(episodes) == OTHER_MEMORIES
    assert "Oslo" not in str([item.value for item in episodes])


@pytest.mark.parametrize("position", ["first", "last"])
async def test_a_repeated_fact_beyond_the_first_page_is_confirmed(position: str) -> None:
    store, known = InMemoryStore(), _memory("fact", "user", "Lives in Oslo", "oslo")
    if position == "first":
        await _put(store, known)
    await _put_others(store, "user")
    if position == "last":
        await _put(store, known)
    source = Source("kitchen", "oslo again", "I live in Oslo", TS)
    memory = await remember_text(store, USER, "user", "lives in Oslo", source, message_text="I live in Oslo.")
    assert (memory.id, memory.confirmed) == (known.id, 2)
