"""Recall: what concerns a message, limits, duplicates and degradation, on LangGraph's in-memory store."""

from datetime import UTC, datetime

import pytest

from agent.memory.recall.recall import EXTRA_INBOX_ITEMS, MIN_RESULTS
from agent.memory.records import batches, namespaces
from agent.memory.records.documents import document_op, to_document
from agent.memory.records.inbox import InboxItem
from agent.models.embeddings import CachedEmbeddings, Embed
from agent.types import Kind, MessageId, ThreadId
from support.memory_stores import (
    OWN_QUERY,
    QUERY,
    TS,
    USER,
    RankingStore,
    WordStore,
    add,
    add_sentences,
    add_to_inbox,
    days_ago,
    embed,
    memory,
    recall,
    texts,
    unavailable,
)

ABOUT_ME = "What do you know about me?"
UNAVAILABLE = CachedEmbeddings(unavailable)


@pytest.fixture
def store() -> WordStore:
    return WordStore()


async def test_hits_of_all_kinds_are_ordered_by_score(store: WordStore) -> None:
    await add(store, memory("fact 0.6"), memory("trip 0.9"), memory("episode 0.8", "episodic"))
    await add_to_inbox(store, "said 0.7")
    result = await recall(store)
    assert texts(result) == ["trip 0.9", "episode 0.8", "said 0.7", "fact 0.6"]
    assert [hit.kind for hit in result.hits] == ["user", "episodic", "inbox", "user"]
    assert [hit.score for hit in result.hits] == pytest.approx([0.9, 0.8, 0.7, 0.6])
    assert [hit.id for hit in result.hits] == texts(result)
    assert [hit.source_thread for hit in result.hits] == ["t", "t", "other", "t"]
    assert {hit.why for hit in result.hits} == {"recalled"}
    assert (result.standing, result.degraded, result.has_failed, result.has_changed) == ((), False, False, False)
    assert not result.lists_everything


@pytest.mark.parametrize(("message", "shown"), [(QUERY, ["b 0.3"]), (OWN_QUERY, ["b 0.3", "a 0.2"])])
async def test_a_message_about_other_things_needs_more_similar_memories(
    store: WordStore, message: str, shown: list[str]
) -> None:
    await add(store, memory("a 0.2"), memory("b 0.3"), memory("c 0.01"))
    assert texts(await recall(store, message)) == shown


async def test_hits_far_behind_the_best_are_dropped(store: WordStore) -> None:
    await add(store, memory("a 0.9"), memory("b 0.35"), memory("c 0.37", "episodic"))
    await add_to_inbox(store, "dogs 0.34", "eels 0.38")
    assert texts(await recall(store)) == ["a 0.9", "eels 0.38", "c 0.37"]


@pytest.mark.parametrize("message", ["Hi there!", "Thanks a lot.", "Guten Morgen", "你好"])
@pytest.mark.parametrize("embeddings", [None, UNAVAILABLE])
async def test_small_talk_recalls_only_standing_memories(
    store: WordStore, message: str, embeddings: CachedEmbeddings | None
) -> None:
    await add(store, memory("Is vegan 0.9"), memory(f"{message} 0.9"))
    result = await recall(store, message, embeddings=embeddings)
    assert ([hit.text for hit in result.standing], texts(result)) == (["Is vegan 0.9"], [])


async def test_standing_memories_are_recalled_whatever_the_message_is(store: WordStore) -> None:
    await add(store, memory("Is vegan 0.0"), memory("chess 0.0", pinned=True), memory("Be brief 0.0", "procedural"))
    await add(store, memory("fact 0.9"))
    await add_to_inbox(store, "I live in Oslo 0.0")
    for message in (QUERY, OWN_QUERY, "Hello!", ABOUT_ME):
        result = await recall(store, message)
        assert {hit.text for hit in result.standing} == {
            "Is vegan 0.0", "chess 0.0", "Be brief 0.0", "I live in Oslo 0.0"
        }  # fmt: skip
        assert {hit.why for hit in result.standing} == {"standing"}
    assert texts(result) == ["fact 0.9"]


async def test_a_shown_memory_that_was_forgotten_has_changed(store: WordStore) -> None:
    await add(store, memory("Is vegan"))
    shown = [hit.as_dict() for hit in (await recall(store)).standing]
    assert not (await recall(store, shown=shown)).has_changed
    assert (await recall(WordStore(), shown=shown)).has_changed


async def test_standing_memories_are_hits_too_if_they_concern_the_message(store: WordStore) -> None:
    await add(store, memory("Is vegan 0.9"), memory("a 0.35"), memory("b 0.37"), memory("Is coeliac 0.1"))
    result = await recall(store)
    assert texts(result) == ["Is vegan 0.9", "b 0.37"]
    assert {hit.text for hit in result.standing} == {"Is vegan 0.9", "Is coeliac 0.1"}


async def test_procedural_memories_are_not_searched(store: WordStore) -> None:
    await add(store, memory("Be brief 0.9", "procedural"), memory("fact 0.3"))
    assert texts(await recall(store)) == ["fact 0.3"]


@pytest.mark.parametrize("embeddings", [None, UNAVAILABLE])
async def test_the_number_of_hits_is_limited(store: WordStore, embeddings: CachedEmbeddings | None) -> None:
    kinds: tuple[Kind, ...] = ("user", "episodic")
    for n in range(3):
        await add(store, *(memory(f"the {kind} {n} 0.{5 + n}", kind) for kind in kinds))
        await add_to_inbox(store, f"the message {n} 0.{5 + n}")
    result = await recall(store, limit=2, embeddings=embeddings)
    assert len(result.hits) == 6
    if not embeddings:
        assert {text.rsplit(" ", 1)[-1] for text in texts(result)} == {"0.7", "0.6"}


async def test_standing_memories_do_not_use_up_the_limit(store: WordStore) -> None:
    standing = [memory(f"Is vegan {n} 0.9", standing=True) for n in range(5)]
    await add(store, *standing, memory("fact 0.8"), memory("other 0.7"))
    assert texts(await recall(store, limit=1))[5:] == ["fact 0.8", "other 0.7"]


async def test_all_hits_may_be_of_one_kind(store: WordStore) -> None:
    await add(store, *(memory(f"{chr(97 + n) * 5} 0.5") for n in range(20)))
    assert len((await recall(store, limit=4)).hits) == 12
    assert len((await recall(store, limit=14)).hits) == 14


@pytest.mark.parametrize("embedder", [embed, unavailable])
async def test_messages_of_the_current_thread_are_not_recalled_and_do_not_use_up_the_limit(
    store: WordStore, embedder: Embed
) -> None:
    own = [f"the own {n} 0.9" for n in range(EXTRA_INBOX_ITEMS)]
    await add_to_inbox(store, *own, "the flute 0.5")
    result = await recall(store, limit=1, context=own, embeddings=CachedEmbeddings(embedder))
    assert texts(result) == ["the flute 0.5"]


async def test_memories_only_of_the_current_thread_are_not_recalled_and_do_not_use_up_the_limit(
    store: WordStore,
) -> None:
    own = memory("own 0.9", message="m1")
    both = memory("both 0.8", message="m1")
    both = memory("both 0.8", sources=(*both.sources, *memory("x", message="elsewhere").sources))
    await add(store, own, both, memory("episode 0.7", "episodic", message="m1"), memory("Is vegan", message="m1"))
    result = await recall(store, context=["m1"], limit=1)
    assert (texts(result), result.standing) == (["both 0.8"], ())
    assert len((await recall(store, context=[])).hits) == 3


async def test_an_inbox_item_without_a_vector_is_found_by_its_words(store: WordStore) -> None:
    own = [f"the own {n} 0.9" for n in range(EXTRA_INBOX_ITEMS + 20)]
    await add_to_inbox(store, *own)
    await add_to_inbox(store, "the violin 0.5", embedded=False)
    result = await recall(store, limit=1, context=own)
    assert (texts(result), result.degraded) == (["the violin 0.5"], False)


async def test_an_inbox_item_is_not_recalled_together_with_a_memory_of_it(store: WordStore) -> None:
    await add_to_inbox(store, "the violin 0.8", "the cello 0.7", "the harp 0.5")
    await add(store, memory("plays violin 0.9", message="the violin 0.8"))
    await add(store, memory("played cello 0.9", "episodic", message="the cello 0.7"))
    assert [hit.text for hit in (await recall(store)).hits if hit.kind == "inbox"] == ["the harp 0.5"]


async def test_an_inbox_item_that_is_not_recallable_is_not_recalled(store: WordStore) -> None:
    await add_to_inbox(store, "my password is Tr0ub4dor&3, the one with 0.9", embedded=False)
    await add_to_inbox(store, "the flute 0.5")
    assert texts(await recall(store)) == ["the flute 0.5"]


async def test_an_inbox_item_without_a_vector_is_recalled_once(store: WordStore) -> None:
    await add_to_inbox(store, "the violin 0.8", embedded=False)
    await add_to_inbox(store, "cello 0.7")
    assert sorted(texts(await recall(store))) == ["cello 0.7", "the violin 0.8"]


async def test_a_newer_statement_does_not_displace_a_more_relevant_one(store: WordStore) -> None:
    await add(store, memory("has a Tesla car 0.8", last_seen=days_ago(9)), memory("chess 0.9"))
    await add(store, memory("washed the car 0.75"))
    assert texts(await recall(store)) == ["chess 0.9", "has a Tesla car 0.8", "washed the car 0.75"]


async def test_a_newer_statement_about_a_standing_memory_precedes_it(store: WordStore) -> None:
    await add(store, memory("Lives in Oslo with a harbour view", ts=days_ago(9), last_seen=days_ago(9)))
    await add(store, memory("Sold the Oslo flat 0.9"), memory("chess 0.8"))
    result = await recall(store)
    assert [hit.text for hit in result.standing] == ["Sold the Oslo flat 0.9", "Lives in Oslo with a harbour view"]
    assert texts(result) == ["Sold the Oslo flat 0.9", "chess 0.8"]


async def test_the_best_inbox_items_by_rank_are_recalled() -> None:
    ranking_store = RankingStore()
    for text, rank in (("low 0.9", 0.2), ("high 0.8", 0.9)):
        value = InboxItem(MessageId(text), ThreadId("other"), text, TS).as_value() | {"rank": rank}
        await batches.put(ranking_store, [document_op(namespaces.inbox(USER), text, value)])
    assert texts(await recall(ranking_store, limit=1))[0] == "high 0.8"


async def test_hits_of_several_kinds_are_ordered_by_the_rank_of_the_store() -> None:
    ranking_store = RankingStore()
    kinds: tuple[Kind, ...] = ("user", "episodic")
    for (text, rank), kind in zip((("second 0.8", 0.5), ("first 0.3", 0.9)), kinds, strict=True):
        value = to_document(memory(text, kind)) | {"rank": rank}
        await batches.put(ranking_store, [document_op(namespaces.memories(USER, kind), text, value)])
    assert texts(await recall(ranking_store)) == ["first 0.3", "second 0.8"]


async def test_a_question_for_everything_lists_all_memories_by_weight(store: WordStore) -> None:
    await add(store, *(memory(f"fact {n} 0.0", confidence=0.7 + n / 100, message="m1") for n in range(15)))
    await add(store, memory("episode 0.0", "episodic"), memory("Is vegan"))
    await add_to_inbox(store, "said 0.0", "own 0.0")
    await add_sentences(store, ("recent_months", "Moved.", TS), ("work_context", "Bakes.", TS))
    result = await recall(store, ABOUT_ME, limit=1, context=["m1", "own 0.0"])
    facts = [f"fact {n} 0.0" for n in reversed(range(15))]
    assert texts(result) == [*facts, "episode 0.0", "said 0.0", "Lately: Moved."]
    assert [hit.text for hit in result.standing] == ["Is vegan", "Bakes."]
    assert {hit.score for hit in result.hits} == {None}
    assert result.lists_everything


async def test_history_is_recalled_only_if_the_message_concerns_it(store: WordStore) -> None:
    await add_sentences(
        store,
        ("recent_months", "Moved house.", days_ago(3)),
        ("recent_months", "Sold the house.", days_ago(2)),
        ("earlier_context", "Built a boat.", TS),
        ("long_term_background", "Grew up in a house by the sea.", TS),
    )
    await add(store, memory("fact 0.9"))
    result = await recall(store, "Tell me about my house", embeddings=UNAVAILABLE)
    assert texts(result) == [
        "Lately: Sold the house.",
        "Lately: Moved house.",
        "Long ago: Grew up in a house by the sea.",
    ]
    assert {hit.kind for hit in result.hits} == {"profile"}
    assert [(hit.id, hit.ts) for hit in result.hits[1:]] == [
        ("recent_months", days_ago(3)),
        ("long_term_background", TS),
    ]
    assert texts(await recall(store, "My boat?", embeddings=UNAVAILABLE)) == ["Some months ago: Built a boat."]
    assert texts(await recall(store)) == ["fact 0.9"]


async def test_the_local_date_decides_whether_a_memory_has_expired(store: WordStore) -> None:
    await add(store, memory("Is vegan", until="2100-01-01"))
    for now, shown in ((datetime(2100, 1, 1, tzinfo=UTC), ["Is vegan"]), (datetime(2100, 1, 2, tzinfo=UTC), [])):
        assert [hit.text for hit in (await recall(store, now=now)).standing] == shown


async def test_many_standing_memories_do_not_displace_those_that_concern_the_message(store: WordStore) -> None:
    await add(store, *(memory(f"Is allergic to {n} 0.9") for n in range(MIN_RESULTS)), memory("trip 0.8"))
    assert texts(await recall(store))[-1] == "trip 0.8"
