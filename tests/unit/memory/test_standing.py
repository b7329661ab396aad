"""Standing memories: which ones, and in which order."""

from collections.abc import Sequence
from datetime import date, timedelta

import pytest
from langgraph.store.base import PutOp

from agent.memory.recall.standing import MAX_STANDING, StandingMemories, has_expired, load_standing
from agent.memory.recall.tip import TipBudget, write_tip
from agent.memory.records import batches, namespaces
from agent.timestamps import to_local
from agent.types import RecallResult
from support.memory_stores import (
    NOW,
    TS,
    USER,
    UnavailableStore,
    WordStore,
    add,
    add_sentences,
    add_to_inbox,
    memory,
)

YESTERDAY, TODAY = ((NOW - timedelta(days=days)).date().isoformat() for days in (1, 0))
EARLIER = (NOW - timedelta(days=30)).isoformat()


@pytest.fixture
def store() -> WordStore:
    return WordStore()


async def _load(store: WordStore, *, context: Sequence[str] = ()) -> StandingMemories:
    return await load_standing(store, USER, context_messages=set(context))


def _texts(standing: StandingMemories) -> list[str]:
    return [hit.text for hit in standing.hits]


async def test_the_order_is_pinned_safety_procedural_confidence_confirmations_time(store: WordStore) -> None:
    await add(
        store,
        memory("Plays chess"),
        memory("Lives in Oslo", confidence=0.8, confirmed=9),
        memory("Speaks Norwegian", confidence=0.9, confirmed=2),
        memory("Works as a baker", confidence=0.9, confirmed=3, ts=EARLIER, last_seen=TS),
        memory("Has two children", confidence=0.9, ts=EARLIER, last_seen=TS[:-7]),
        memory("Is married", confidence=0.9, ts=EARLIER, last_seen=TS),
        memory("Be brief", "procedural", confidence=0.7),
        memory("Is vegan", confidence=0.7),
        memory("Likes tea", pinned=True, confidence=0.7),
        memory("Answer in verse", "procedural", pinned=True, confidence=0.7),
        memory("Is allergic to nuts", pinned=True, confidence=0.7),
    )
    assert _texts(await _load(store)) == [
        "Is allergic to nuts",
        "Answer in verse",
        "Likes tea",
        "Is vegan",
        "Be brief",
        "Works as a baker",
        "Speaks Norwegian",
        "Is married",
        "Has two children",
        "Lives in Oslo",
    ]


async def test_an_old_fact_counts_less(store: WordStore) -> None:
    await add(store, memory("Lives in Oslo", last_seen="2020-01-01T00:00:00+00:00"))
    await add(store, memory("Is married", confidence=0.7))
    assert _texts(await _load(store)) == ["Is married", "Lives in Oslo"]


@pytest.mark.parametrize(
    "text", ["I have asthma.", "I live in Oslo. I'm deaf.", f"I'm deaf. {'I like it. ' * 30}".strip()]
)
async def test_a_pending_message_about_a_safety_topic_precedes_other_facts(store: WordStore, text: str) -> None:
    await add(store, memory("Lives in Rome", confidence=1.0, confirmed=9), memory("Be brief", "procedural"))
    await add_to_inbox(store, text, "I work as a nurse.", "I like jazz.", "Is vegan food cheap?")
    assert _texts(await _load(store))[:2] == [text, "Be brief"]
    assert "I work as a nurse." in _texts(await _load(store))
    assert "I like jazz." not in _texts(await _load(store))
    assert "Is vegan food cheap?" not in _texts(await _load(store))


async def test_a_question_about_a_safety_topic_gives_a_message_no_precedence(store: WordStore) -> None:
    text = "I live in Oslo. Which vegan restaurants are there?"
    await add(store, memory("Be brief", "procedural"))
    await add_to_inbox(store, text)
    assert _texts(await _load(store)) == ["Be brief", text]


async def test_the_newest_message_comes_first(store: WordStore) -> None:
    await add_to_inbox(store, "I work as a nurse.", ts=EARLIER)
    await add_to_inbox(store, "I live in Oslo.")
    assert _texts(await _load(store)) == ["I live in Oslo.", "I work as a nurse."]


async def test_hits_describe_the_memories(store: WordStore) -> None:
    await add(store, memory("Is vegan", until="2999-01-01", last_seen=TS, ts=EARLIER))
    await add_to_inbox(store, "I live in Oslo.")
    fact, message = (await _load(store)).hits
    assert (fact.id, fact.kind, fact.score, fact.source_thread) == ("Is vegan", "user", None, "t")
    assert (fact.ts, fact.last_seen, fact.why, fact.until) == (EARLIER, TS, "standing", "2999-01-01")
    assert (message.kind, message.source_thread, message.ts, message.last_seen) == ("inbox", "other", TS, "")
    assert (message.why, message.until) == ("standing", None)


async def test_a_document_of_another_writer_may_omit_fields(store: WordStore) -> None:
    for kind, text in (("user", "A"), ("procedural", "B")):
        value = {"text": text, "pinned": True}
        await batches.put(store, [PutOp((*namespaces.user_root(USER), "memories", kind), text, value, index=False)])
    hits = (await _load(store)).hits
    assert [(hit.text, hit.kind, hit.source_thread, hit.ts, hit.last_seen) for hit in hits] == [
        ("B", "user", "", "", ""),
        ("A", "user", "", "", ""),
    ]


async def test_all_procedural_memories_are_loaded_and_shown_until_the_budget_is_full(store: WordStore) -> None:
    await add(store, *(memory(f"Wish {n:03} of the user", "procedural") for n in range(MAX_STANDING)))
    await add(store, memory("Lives in Oslo"))
    hits = (await _load(store)).hits
    assert [hit.kind for hit in hits] == ["procedural"] * MAX_STANDING + ["user"]
    tip = write_tip(RecallResult(standing=hits), TipBudget())
    assert {hit["kind"] for hit in tip.memories} == {"procedural"}
    assert len(tip.memories) + len(tip.omitted) == len(hits)


async def test_a_memory_that_comes_only_from_the_threads_messages_is_not_loaded(store: WordStore) -> None:
    sources = (*memory("x", message="m1").sources, *memory("x", message="elsewhere").sources)
    await add(store, memory("Is vegan", message="m1"), memory("Lives in Oslo", sources=sources), memory("Is married"))
    await add(store, memory("Be brief", "procedural", message="m1"))
    await add_to_inbox(store, "I'm allergic to nuts.")
    assert set(_texts(await _load(store, context=["m1", "I'm allergic to nuts."]))) == {"Lives in Oslo", "Is married"}


async def test_a_pending_message_is_not_loaded_together_with_a_memory_of_it(store: WordStore) -> None:
    await add_to_inbox(store, "I'm allergic to nuts.", "I live in Oslo.")
    await add(store, memory("Is allergic to nuts", message="I'm allergic to nuts."))
    assert _texts(await _load(store)) == ["Is allergic to nuts", "I live in Oslo."]


async def test_a_message_that_may_not_be_recalled_is_not_loaded(store: WordStore) -> None:
    await add_to_inbox(store, "I'm allergic to nuts. My password is Tr0ub4dor&3.", embedded=False)
    assert _texts(await _load(store)) == []


async def test_a_memory_is_valid_on_its_last_day_and_history_afterwards(store: WordStore) -> None:
    await add(store, memory("Is vegan", until=YESTERDAY), memory("Is on a diet", until=TODAY), memory("Is deaf"))
    assert set(_texts(await _load(store))) == {"Is on a diet", "Is deaf"}
    assert [has_expired({"until": until}, date(2026, 3, 4)) for until in (None, "", "2026-03-03", "2026-03-04")] == [
        False,
        False,
        True,
        False,
    ]


async def test_a_pending_message_replaces_the_memories_and_messages_that_it_contradicts(store: WordStore) -> None:
    await add(store, memory("Lives in Oslo", ts=EARLIER), memory("Is vegan", ts=EARLIER))
    assert _texts(await _load(store)) == ["Is vegan", "Lives in Oslo"]
    await add_to_inbox(store, "I live in Bergen.", ts=EARLIER)
    assert _texts(await _load(store)) == ["Is vegan", "I live in Bergen."]
    await add_to_inbox(store, "I moved to Rome.")
    assert _texts(await _load(store)) == ["Is vegan", "I moved to Rome."]
    assert _texts(await _load(store, context=["I moved to Rome."])) == ["Is vegan"]


async def test_a_pending_message_leaves_the_rest_of_a_memory(store: WordStore) -> None:
    await add(store, memory("I'm vegan and allergic to nuts.", "episodic", standing=True, ts=EARLIER))
    await add_to_inbox(store, "I'm not vegan anymore.")
    texts = _texts(await _load(store, context=["I'm not vegan anymore."]))
    assert texts == ["allergic to nuts."]


async def test_a_pending_message_leaves_the_memories_that_come_from_it(store: WordStore) -> None:
    message = "I lived in Oslo. Now I live in Bergen."
    await add(store, memory("Lives in Oslo", message=message))
    await add_to_inbox(store, message)
    assert "Lives in Oslo" in _texts(await _load(store))


async def test_a_message_about_the_past_replaces_nothing(store: WordStore) -> None:
    await add(store, memory("Lives in Oslo"))
    await add_to_inbox(store, "I moved to Paris in 2010.")
    assert "Lives in Oslo" in _texts(await _load(store))


async def test_the_latest_sentence_of_each_field_of_the_profile_comes_first(store: WordStore) -> None:
    await add_sentences(
        store,
        ("work_context", "Was a baker.", "2026-01-01"),
        ("work_context", "Is a painter.", "2026-01-02"),
        ("earlier_context", "Learned to swim.", TS),
        ("top_of_mind", "Plans a trip.", "2026-01-04"),
    )
    await add(store, memory("Is married", confidence=0.1))
    standing = await _load(store)
    assert _texts(standing) == ["Is married", "Is a painter.", "Plans a trip.", "Was a baker."]
    hit = standing.hits[1]
    assert (hit.id, hit.kind, hit.score, hit.source_thread, hit.ts, hit.why) == (
        "work_context",
        "profile",
        None,
        "",
        "2026-01-02",
        "standing",
    )
    assert standing.profile.text("earlier_context") == "Learned to swim."


async def test_an_unavailable_store_is_an_error() -> None:
    with pytest.raises(ConnectionError):
        await load_standing(UnavailableStore(), USER, context_messages=set())


@pytest.mark.parametrize(
    ("time_zone", "current"),
    [("Pacific/Kiritimati", False), ("Europe/Oslo", True), ("America/Los_Angeles", True), ("", True)],
)
async def test_the_last_day_of_a_memory_ends_at_the_users_midnight(
    store: WordStore, time_zone: str, *, current: bool
) -> None:
    await add(store, memory("Is on a diet", until="2026-11-22", standing=True))
    now = to_local("2026-11-22T22:30:00+00:00", time_zone)
    standing = await load_standing(store, USER, context_messages=set(), now=now)
    assert _texts(standing) == (["Is on a diet"] if current else [])
    later = to_local("2026-11-23T09:30:00+00:00", "America/Los_Angeles")
    assert _texts(await load_standing(store, USER, context_messages=set(), now=later)) == []
