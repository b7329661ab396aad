"""Standing memories in the prompt: which changes make it necessary to write it anew."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from langgraph.store.base import PutOp

from agent.memory.recall.standing import StandingMemories, load_standing
from agent.memory.records import batches, namespaces
from agent.types import Memory
from support.memory_stores import NOW, TS, USER, WordStore, add, add_sentences, add_to_inbox, memory

YESTERDAY = (NOW - timedelta(days=1)).date().isoformat()
EARLIER = (NOW - timedelta(days=30)).isoformat()


@pytest.fixture
def store() -> WordStore:
    return WordStore()


async def _load(
    store: WordStore, *, context: Sequence[str] = (), shown: Sequence[dict[str, Any]] = ()
) -> StandingMemories:
    return await load_standing(store, USER, context_messages=set(context), shown=shown)


def _texts(standing: StandingMemories) -> list[str]:
    return [hit.text for hit in standing.hits]


async def _remove(store: WordStore, one: Memory) -> None:
    await batches.put(store, [PutOp(namespaces.memories(USER, one.kind), one.id, None)])


async def _remove_from_inbox(store: WordStore, message: str) -> None:
    await batches.put(store, [PutOp(namespaces.inbox(USER), message, None)])


async def test_nothing_has_changed_while_the_shown_memories_exist(store: WordStore) -> None:
    await add(store, memory("Is vegan"), memory("Plays chess"), memory("Talked", "episodic"), memory("B", "procedural"))
    await add(store, memory("Likes <b> and\nmore", id="Likes b and more"))
    await add_to_inbox(store, "I live in Oslo.")
    await add_sentences(
        store, ("work_context", "Bakes.", TS), ("work_context", "Paints.", TS), ("recent_months", "Moved.", TS)
    )
    first = await _load(store)
    others = (_shown(memory(text)) for text in ("Plays chess", "Likes b and more"))
    history = {"id": "recent_months", "kind": "profile", "text": "Lately: Moved."}
    shown = [*(hit.as_dict() for hit in first.hits), *others, _shown(memory("Talked", "episodic")), history]
    assert len(shown) == 9
    assert not first.has_changed
    second = await _load(store, shown=shown)
    assert (second.hits, second.has_changed) == (first.hits, False)


@pytest.mark.parametrize("one", [memory("Is vegan"), memory("Plays chess"), memory("Talked", "episodic")])
async def test_a_shown_memory_that_was_edited_or_forgotten_has_changed(store: WordStore, one: Memory) -> None:
    await add(store, one, memory("Is deaf"))
    shown = [_shown(one), _shown(memory("Is deaf"))]
    assert not (await _load(store, shown=shown)).has_changed
    await add(store, memory("Is vegetarian", one.kind, id=one.id))
    assert (await _load(store, shown=shown)).has_changed
    await add(store, one)
    assert not (await _load(store, shown=shown)).has_changed
    await _remove(store, one)
    assert (await _load(store, shown=shown)).has_changed


def _shown(one: Memory) -> dict[str, Any]:
    return {"id": one.id, "kind": one.kind, "text": one.text}


async def test_a_shown_sentence_that_was_dropped_from_the_profile_has_changed(store: WordStore) -> None:
    await add_sentences(store, ("work_context", "Bakes.", TS), ("work_context", "Paints.", TS))
    shown = [hit.as_dict() for hit in (await _load(store)).hits]
    await add_sentences(store, ("work_context", "Paints.", TS))
    assert (await _load(store, shown=shown)).has_changed
    assert not (await _load(store, shown=shown[:1])).has_changed


async def test_a_shown_memory_that_a_pending_message_contradicts_has_changed(store: WordStore) -> None:
    one = memory("Lives in Oslo", ts=EARLIER)
    await add(store, one)
    await add_to_inbox(store, "I moved to Rome.")
    assert (await _load(store, shown=[_shown(one)], context=["I moved to Rome."])).has_changed


async def test_a_shown_memory_whose_last_day_has_passed_has_changed(store: WordStore) -> None:
    one = memory("Is vegan", until=YESTERDAY)
    await add(store, one)
    assert (await _load(store, shown=[_shown(one)])).has_changed


async def test_a_shown_message_stays_valid_when_it_was_processed_into_a_memory(store: WordStore) -> None:
    message = "I live in Oslo."
    await add_to_inbox(store, message)
    shown = [hit.as_dict() for hit in (await _load(store)).hits]
    await _remove_from_inbox(store, message)
    assert (await _load(store, shown=shown)).has_changed
    await add(store, memory("Lives in Oslo", message=message, ts=EARLIER), memory("Is deaf"))
    after = await _load(store, shown=shown)
    assert (_texts(after), after.has_changed) == (["Is deaf"], False)


async def test_a_shown_message_is_invalid_when_its_memory_was_contradicted(store: WordStore) -> None:
    shown = [{"id": "m1", "kind": "inbox", "text": "I live in Oslo."}]
    await add(store, memory("Lives in Oslo", message="m1", ts=EARLIER))
    assert not (await _load(store, shown=shown)).has_changed
    await add_to_inbox(store, "I moved to Rome.")
    after = await _load(store, shown=shown)
    assert (_texts(after), after.has_changed) == (["I moved to Rome."], True)


async def test_the_memory_of_a_shown_message_is_loaded_when_the_prompt_is_written_anew(store: WordStore) -> None:
    shown = [{"id": "m1", "kind": "inbox", "text": "I'm allergic to nuts."}, _shown(memory("Was edited"))]
    await add(store, memory("Is allergic to nuts", message="m1"))
    after = await _load(store, shown=shown)
    assert (_texts(after), after.has_changed) == (["Is allergic to nuts"], True)
