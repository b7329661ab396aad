"""What a message tells becomes known, once: what is new is added, what is known confirmed, an echo is neither."""

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
from integration.memory.consolidation.conftest import OSLO, form, former, live_in_oslo
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


async def test_a_fact_is_kept_with_the_words_it_comes_from_and_leaves_the_inbox(store: BaseStore, user: UserId) -> None:
    said = inbox_item("Well, I live in Oslo.")
    formed = await former(extractor_returning(OSLO)).process(store, user, await add_to_inbox(store, user, said))
    assert formed == FormationResult(added=1)
    [known] = await read_documents(store, namespaces.memories(user, "user"))
    assert known["sources"] == [{"thread": "garden", "message": said.message, "quote": "I live in Oslo", "ts": said.ts}]
    assert (known["confirmed"], known["confidence"], known["category"]) == (1, 0.9, "personal")
    assert await inbox.list_items(store, user) == []


async def test_the_same_words_confirm_once_a_message(store: BaseStore, user: UserId) -> None:
    await form(store, user, extractor_returning(OSLO), "I live in Oslo.")
    again = fact("lives in  OSLO.", "i live in oslo")
    later = inbox_item("As I said, I live in Oslo.", minute=5)
    assert await former(extractor_returning(again)).process(
        store, user, await add_to_inbox(store, user, later)
    ) == FormationResult(confirmed=1)
    assert (
        await former(extractor_returning(again)).process(store, user, await add_to_inbox(store, user, later))
        == FormationResult()
    )
    [known] = await read_documents(store, namespaces.memories(user, "user"))
    assert (known["text"], known["confirmed"], known["last_seen"]) == ("Lives in Oslo", 2, later.ts)
    assert [source["ts"] for source in known["sources"]] == [timestamp_at(0), timestamp_at(5)]


async def test_a_known_memorys_number_confirms_it(store: BaseStore, user: UserId) -> None:
    await form(store, user, extractor_returning(OSLO), "I live in Oslo.")
    same = ScriptedExtractor(lambda *_: extraction(fact("Has a home in Oslo", "my home is Oslo", same_as=1)))
    assert await form(store, user, same, "my home is Oslo", minute=1) == FormationResult(confirmed=1)
    assert await fact_texts(store, user) == {"Lives in Oslo"}


@pytest.mark.parametrize("number", [-1, 0, 2, 99])
async def test_numbers_that_a_model_made_up_are_ignored(store: BaseStore, user: UserId, number: int) -> None:
    await form(store, user, extractor_returning(OSLO), "I live in Oslo.")
    told = extractor_returning(fact("Has a cat", "a cat", replaces=number), fact("Has a dog", "a dog", same_as=number))
    assert (await form(store, user, told, "I have a cat and a dog.", minute=1)).added == 2
    assert await fact_texts(store, user) == {"Lives in Oslo", "Has a cat", "Has a dog"}


async def test_a_memory_of_another_category_is_neither_confirmed_nor_replaced(store: BaseStore, user: UserId) -> None:
    await form(store, user, extractor_returning(OSLO), "I live in Oslo.")
    told = extractor_returning(
        fact("Likes Oslo", "I like Oslo", category="preference", replaces=1),
        fact("Likes fjords", "fjords", category="preference", same_as=1),
    )
    assert await form(store, user, told, "I like Oslo, and its fjords.", minute=1) == FormationResult(added=2)
    assert "Lives in Oslo" in await fact_texts(store, user)


async def test_without_a_model_what_is_alike_but_not_equal_is_not_merged(store: BaseStore, user: UserId) -> None:
    rules = former(RulesExtractor())
    for minute, text in enumerate(["I like green tea.", "I like black tea.", "I like green tea"]):
        await rules.process(store, user, await add_to_inbox(store, user, inbox_item(text, minute=minute)))
    assert await fact_texts(store, user) == {"Likes green tea", "Likes black tea"}


async def test_the_profile_keeps_the_latest_three_sentences_of_a_field(store: BaseStore, user: UserId) -> None:
    for minute, town in enumerate(["Oslo", "Rome", "Bergen", "Paris"]):
        told = extractor_returning(top_of_mind=f"Plans a trip to {town}.", work_context="Drives a tram.")
        await form(store, user, told, f"I drive a tram, and plan a trip to {town}", minute=minute)
    [known] = await batches.get(store, [GetOp(namespaces.profile(user), KEY)])
    assert known is not None
    assert known.value["top_of_mind"] == "Plans a trip to Rome. Plans a trip to Bergen. Plans a trip to Paris."
    assert known.value["work_context"] == "Drives a tram."
    assert known.value["last_updated"] == timestamp_at(3)


async def test_what_only_the_assistant_or_memory_said_is_in_no_episode_and_no_profile(
    store: BaseStore, user: UserId
) -> None:
    await live_in_oslo(store, user)
    echo = extractor_returning(
        episode="User asked from Oslo where to eat.",
        personal_context="Is allergic to nuts.",
        work_context="Works for Acme.",
        top_of_mind="Looks for a place to eat.",
    )
    said = inbox_item("Where should I look for a place to eat?", minute=1, answer="You are allergic to nuts; try Acme.")
    formed = await former(echo).process(store, user, await add_to_inbox(store, user, said))
    assert formed.reasons == {"echo": 3}
    told = str(await read_documents(store, namespaces.profile(user)))
    assert "Looks for a place to eat." in told
    assert "nuts" not in told
    assert "Acme" not in told
    assert len(await read_documents(store, namespaces.memories(user, "episodic"))) == 1


async def test_a_message_with_a_secret_vouches_for_no_sentence(store: BaseStore, user: UserId) -> None:
    told = extractor_returning(episode="User named Barolo.", top_of_mind="Thinks of Barolo.")
    assert (await form(store, user, told, "my password is Barolo77, as in Barolo")).reasons == {"echo": 2}


async def test_distilled_twice_the_result_is_the_same(store: BaseStore, user: UserId) -> None:
    told = extractor_returning(OSLO, episode="User told they live in Oslo.", personal_context="Lives in Oslo.")
    items = await add_to_inbox(store, user, inbox_item("I live in Oslo."))
    await former(told).process(store, user, items)
    once = await recallable_text(store, user)
    await add_to_inbox(store, user, *items)
    await former(told).process(store, user, items)
    assert await recallable_text(store, user) == once


async def test_several_threads_at_once_are_a_call_and_a_batch_each(store: BaseStore, user: UserId) -> None:
    def says(items: Sequence[InboxItem], _: KnownMemories) -> ExtractedMemories:
        return extraction(OSLO) if "Oslo" in str(items) else extraction(fact("Likes tea", "I like tea"))

    extractor = ScriptedExtractor(says)
    await add_to_inbox(store, user, inbox_item("I live in Oslo.", thread="a"), inbox_item("I like tea.", thread="b"))
    await add_to_inbox(store, user, inbox_item("I live in Oslo, yes.", thread="a", minute=1))
    assert await process_inbox(store, user, former(extractor)) == FormationResult(added=2, confirmed=0)
    assert [len(items) for items, _ in extractor.calls] == [2, 1]
    assert await fact_texts(store, user) == {"Lives in Oslo", "Likes tea"}


async def test_an_extractor_is_told_the_nearest_twenty_under_numbers_and_categories(
    store: BaseStore, user: UserId
) -> None:
    for n in range(10):
        tastes = [fact(f"Likes {noun} {n}", f"{noun} {n}", category="preference") for noun in ("tea", "cake", "jam")]
        await form(store, user, extractor_returning(*tastes), f"tea {n}, cake {n}, jam {n}", minute=n)
    await form(store, user, extractor_returning(OSLO), "I live in Oslo.", minute=30)
    extractor = extractor_returning()
    await form(store, user, extractor, "Likes tea 7", minute=31)
    [(_, known)] = extractor.calls
    lines = str(known).splitlines()
    assert len(known.memories) == 20
    if known.near_duplicates:
        assert lines[:3] == ["Known, nearly as it is said now:", "preference:", "1. Likes tea 7"]
    assert sum(line.partition(". ")[0].isdigit() for line in lines) == 20
    assert "preference:" in lines
