"""Facts that are added or confirmed, and sentences of the episode and the profile."""

from collections.abc import Sequence

import pytest
from langgraph.store.base import BaseStore, GetOp

from agent.memory.formation.extract import ExtractedMemories, RulesExtractor
from agent.memory.formation.former import process_inbox
from agent.memory.formation.shortlist import KnownMemories
from agent.memory.records import batches, inbox, namespaces
from agent.memory.records.inbox import InboxItem
from agent.memory.records.profile import KEY
from agent.types import FormationResult, UserId
from integration.memory.consolidation.conftest import OSLO, learn_oslo, make_former, process_message
from support.formation import (
    ScriptedExtractor,
    add_to_inbox,
    extraction,
    extractor_returning,
    fact,
    fact_texts,
    inbox_item,
    read_documents,
    recallable_text,
    timestamp_at,
)


async def test_a_fact_is_stored_with_its_source_and_the_message_leaves_the_inbox(
    store: BaseStore, user: UserId
) -> None:
    item = inbox_item("Yes, I live in Oslo.")
    result = await make_former(extractor_returning(OSLO)).process(store, user, await add_to_inbox(store, user, item))
    assert result == FormationResult(added=1)
    [stored] = await read_documents(store, namespaces.memories(user, "user"))
    assert stored["sources"] == [
        {"thread": "garden", "message": item.message, "quote": "I live in Oslo", "ts": item.ts}
    ]
    assert (stored["confirmed"], stored["confidence"], stored["category"]) == (1, 0.9, "personal")
    assert await inbox.list_items(store, user) == []


async def test_the_same_text_confirms_a_fact_once_per_message(store: BaseStore, user: UserId) -> None:
    await process_message(store, user, extractor_returning(OSLO), "I live in Oslo.")
    repeated = fact("lives in  OSLO.", "i live in oslo")
    later = inbox_item("As I said, I live in Oslo.", minute=5)
    assert await make_former(extractor_returning(repeated)).process(
        store, user, await add_to_inbox(store, user, later)
    ) == FormationResult(confirmed=1)
    assert (
        await make_former(extractor_returning(repeated)).process(store, user, await add_to_inbox(store, user, later))
        == FormationResult()
    )
    [stored] = await read_documents(store, namespaces.memories(user, "user"))
    assert (stored["text"], stored["confirmed"], stored["last_seen"]) == ("Lives in Oslo", 2, later.ts)
    assert [source["ts"] for source in stored["sources"]] == [timestamp_at(0), timestamp_at(5)]


async def test_the_number_of_a_known_fact_confirms_it(store: BaseStore, user: UserId) -> None:
    await process_message(store, user, extractor_returning(OSLO), "I live in Oslo.")
    same = ScriptedExtractor(lambda *_: extraction(fact("Has a home in Oslo", "my home is Oslo", same_as=1)))
    assert await process_message(store, user, same, "my home is Oslo", minute=1) == FormationResult(confirmed=1)
    assert await fact_texts(store, user) == {"Lives in Oslo"}


@pytest.mark.parametrize("number", [-1, 0, 2, 99])
async def test_invented_numbers_are_ignored(store: BaseStore, user: UserId, number: int) -> None:
    await process_message(store, user, extractor_returning(OSLO), "I live in Oslo.")
    extractor = extractor_returning(
        fact("Has a cat", "a cat", replaces=number), fact("Has a dog", "a dog", same_as=number)
    )
    assert (await process_message(store, user, extractor, "I have a cat and a dog.", minute=1)).added == 2
    assert await fact_texts(store, user) == {"Lives in Oslo", "Has a cat", "Has a dog"}


async def test_a_memory_of_another_category_is_neither_confirmed_nor_replaced(store: BaseStore, user: UserId) -> None:
    await process_message(store, user, extractor_returning(OSLO), "I live in Oslo.")
    extractor = extractor_returning(
        fact("Likes Oslo", "I like Oslo", category="preference", replaces=1),
        fact("Likes fjords", "its fjords", category="preference", same_as=1),
    )
    assert await process_message(store, user, extractor, "I like Oslo, and its fjords.", minute=1) == FormationResult(
        added=2
    )
    assert "Lives in Oslo" in await fact_texts(store, user)


async def test_similar_facts_are_not_merged(store: BaseStore, user: UserId) -> None:
    rules = make_former(RulesExtractor())
    for minute, text in enumerate(["I like green tea.", "I like black tea.", "I like green tea"]):
        await rules.process(store, user, await add_to_inbox(store, user, inbox_item(text, minute=minute)))
    assert await fact_texts(store, user) == {"Likes green tea", "Likes black tea"}


async def test_a_profile_field_keeps_its_latest_three_sentences(store: BaseStore, user: UserId) -> None:
    for minute, town in enumerate(["Oslo", "Rome", "Bergen", "Paris"]):
        extractor = extractor_returning(top_of_mind=f"Plans a trip to {town}.", work_context="Drives a tram.")
        await process_message(store, user, extractor, f"I drive a tram. I plan a trip to {town}.", minute=minute)
    [profile] = await batches.get(store, [GetOp(namespaces.profile(user), KEY)])
    assert profile is not None
    assert profile.value["top_of_mind"] == "Plans a trip to Rome. Plans a trip to Bergen. Plans a trip to Paris."
    assert profile.value["work_context"] == "Drives a tram."
    assert profile.value["last_updated"] == timestamp_at(3)


async def test_words_of_the_assistant_or_of_memory_reach_neither_episode_nor_profile(
    store: BaseStore, user: UserId
) -> None:
    await learn_oslo(store, user)
    extractor = extractor_returning(
        episode="User asked from Oslo where to eat.",
        personal_context="Is allergic to nuts.",
        work_context="Works for Acme.",
        top_of_mind="Looks for a place to eat.",
    )
    item = inbox_item("Where should I look for a place to eat?", minute=1, answer="You are allergic to nuts; try Acme.")
    result = await make_former(extractor).process(store, user, await add_to_inbox(store, user, item))
    assert result.reasons == {"unsupported": 2}
    profile = str(await read_documents(store, namespaces.profile(user)))
    assert "Looks for a place to eat." in profile
    assert "nuts" not in profile
    assert "Acme" not in profile
    episodes = [document["text"] for document in await read_documents(store, namespaces.memories(user, "episodic"))]
    assert item.text in episodes  # in place of the extractor's sentence
    assert "User asked from Oslo where to eat." not in episodes


async def test_a_message_with_a_secret_does_not_support_any_sentence(store: BaseStore, user: UserId) -> None:
    extractor = extractor_returning(episode="User named Barolo.", top_of_mind="Thinks of Barolo.")
    assert (await process_message(store, user, extractor, "my password is Barolo77, as in Barolo")).reasons == {
        "unsupported": 2
    }


async def test_processing_a_message_twice_gives_the_same_result(store: BaseStore, user: UserId) -> None:
    extractor = extractor_returning(OSLO, episode="User told they live in Oslo.", personal_context="Lives in Oslo.")
    items = await add_to_inbox(store, user, inbox_item("I live in Oslo."))
    await make_former(extractor).process(store, user, items)
    once = await recallable_text(store, user)
    await add_to_inbox(store, user, *items)
    await make_former(extractor).process(store, user, items)
    assert await recallable_text(store, user) == once


async def test_each_thread_is_processed_in_its_own_call(store: BaseStore, user: UserId) -> None:
    def extract(items: Sequence[InboxItem], _: KnownMemories) -> ExtractedMemories:
        return extraction(OSLO) if "Oslo" in str(items) else extraction(fact("Likes tea", "I like tea"))

    extractor = ScriptedExtractor(extract)
    await add_to_inbox(store, user, inbox_item("I live in Oslo.", thread="a"), inbox_item("I like tea.", thread="b"))
    await add_to_inbox(store, user, inbox_item("I live in Oslo, yes.", thread="a", minute=1))
    assert await process_inbox(store, user, make_former(extractor)) == FormationResult(added=2, confirmed=0)
    assert [len(items) for items, _ in extractor.calls] == [2, 1]
    assert await fact_texts(store, user) == {"Lives in Oslo", "Likes tea"}


async def test_the_extractor_reads_the_twenty_nearest_facts_by_category(store: BaseStore, user: UserId) -> None:
    for n in range(10):
        tastes = [fact(f"Likes {noun} {n}", f"{noun} {n}", category="preference") for noun in ("tea", "cake", "jam")]
        await process_message(
            store, user, extractor_returning(*tastes), f"I like tea {n}, cake {n} and jam {n}", minute=n
        )
    await process_message(store, user, extractor_returning(OSLO), "I live in Oslo.", minute=30)
    extractor = extractor_returning()
    await process_message(store, user, extractor, "Likes tea 7", minute=31)
    [(_, known)] = extractor.calls
    lines = str(known).splitlines()
    assert len(known.memories) == 20
    if known.near_duplicates:
        assert lines[:3] == ["Known, nearly as it is said now:", "preference:", "1. Likes tea 7"]
    assert sum(line.partition(". ")[0].isdigit() for line in lines) == 20
    assert "preference:" in lines


async def test_a_profile_field_keeps_standing_sentences_and_moves_others_to_history(
    store: BaseStore, user: UserId
) -> None:
    first = extractor_returning(personal_context="I have epilepsy.")
    await process_message(store, user, first, "I have epilepsy.")
    for minute, town in enumerate(["Oslo", "Rome", "Bergen", "Paris"], 1):
        text = f"I visited {town}."
        await process_message(store, user, extractor_returning(personal_context=text), text, minute=minute)
    [profile] = await read_documents(store, namespaces.profile(user))
    assert profile["personal_context"] == "I have epilepsy. I visited Bergen. I visited Paris."
    retired = await read_documents(store, namespaces.retired(user))
    assert {(one["text"], one["why"]) for one in retired} == {
        ("I visited Oslo.", "evicted"),
        ("I visited Rome.", "evicted"),
    }
