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
from support.forming import (
    ScriptedExtractor,
    at,
    documents,
    everything_of,
    extraction,
    fact,
    facts,
    message,
    note,
    saying,
)


async def test_a_fact_is_kept_with_the_words_it_comes_from_and_leaves_the_inbox(store: BaseStore, user: UserId) -> None:
    said = message("Well, I live in Oslo.")
    formed = await former(saying(OSLO)).drain(store, user, await note(store, user, said))
    assert formed == FormationResult(added=1)
    [known] = await documents(store, namespaces.memories(user, "user"))
    assert known["sources"] == [{"thread": "garden", "message": said.message, "quote": "I live in Oslo", "ts": said.ts}]
    assert (known["confirmed"], known["confidence"], known["category"]) == (1, 0.9, "personal")
    assert await inbox.list_items(store, user) == []


async def test_the_same_words_confirm_once_a_message(store: BaseStore, user: UserId) -> None:
    await form(store, user, saying(OSLO), "I live in Oslo.")
    again = fact("lives in  OSLO.", "i live in oslo")
    later = message("As I said, I live in Oslo.", minute=5)
    assert await former(saying(again)).drain(store, user, await note(store, user, later)) == FormationResult(
        confirmed=1
    )
    assert await former(saying(again)).drain(store, user, await note(store, user, later)) == FormationResult()
    [known] = await documents(store, namespaces.memories(user, "user"))
    assert (known["text"], known["confirmed"], known["last_seen"]) == ("Lives in Oslo", 2, later.ts)
    assert [source["ts"] for source in known["sources"]] == [at(0), at(5)]


async def test_a_known_memorys_number_confirms_it(store: BaseStore, user: UserId) -> None:
    await form(store, user, saying(OSLO), "I live in Oslo.")
    same = ScriptedExtractor(lambda *_: extraction(fact("Has a home in Oslo", "my home is Oslo", same_as=1)))
    assert await form(store, user, same, "my home is Oslo", minute=1) == FormationResult(confirmed=1)
    assert await facts(store, user) == {"Lives in Oslo"}


@pytest.mark.parametrize("number", [-1, 0, 2, 99])
async def test_numbers_that_a_model_made_up_are_ignored(store: BaseStore, user: UserId, number: int) -> None:
    await form(store, user, saying(OSLO), "I live in Oslo.")
    told = saying(fact("Has a cat", "a cat", replaces=number), fact("Has a dog", "a dog", same_as=number))
    assert (await form(store, user, told, "I have a cat and a dog.", minute=1)).added == 2
    assert await facts(store, user) == {"Lives in Oslo", "Has a cat", "Has a dog"}


async def test_a_memory_of_another_category_is_neither_confirmed_nor_replaced(store: BaseStore, user: UserId) -> None:
    await form(store, user, saying(OSLO), "I live in Oslo.")
    told = saying(
        fact("Likes Oslo", "I like Oslo", category="preference", replaces=1),
        fact("Likes fjords", "fjords", category="preference", same_as=1),
    )
    assert await form(store, user, told, "I like Oslo, and its fjords.", minute=1) == FormationResult(added=2)
    assert "Lives in Oslo" in await facts(store, user)


async def test_without_a_model_what_is_alike_but_not_equal_is_not_merged(store: BaseStore, user: UserId) -> None:
    rules = former(RulesExtractor())
    for minute, text in enumerate(["I like green tea.", "I like black tea.", "I like green tea"]):
        await rules.drain(store, user, await note(store, user, message(text, minute=minute)))
    assert await facts(store, user) == {"Likes green tea", "Likes black tea"}


async def test_the_profile_keeps_the_latest_three_sentences_of_a_field(store: BaseStore, user: UserId) -> None:
    for minute, town in enumerate(["Oslo", "Rome", "Bergen", "Paris"]):
        told = saying(top_of_mind=f"Plans a trip to {town}.", work_context="Drives a tram.")
        await form(store, user, told, f"I drive a tram, and plan a trip to {town}", minute=minute)
    [known] = await batches.get(store, [GetOp(namespaces.profile(user), KEY)])
    assert known is not None
    assert known.value["top_of_mind"] == "Plans a trip to Rome. Plans a trip to Bergen. Plans a trip to Paris."
    assert known.value["work_context"] == "Drives a tram."
    assert known.value["last_updated"] == at(3)


async def test_what_only_the_assistant_or_memory_said_is_in_no_episode_and_no_profile(
    store: BaseStore, user: UserId
) -> None:
    await live_in_oslo(store, user)
    echo = saying(
        episode="User asked from Oslo where to eat.",
        personal_context="Is allergic to nuts.",
        work_context="Works for Acme.",
        top_of_mind="Looks for a place to eat.",
    )
    said = message("Where should I look for a place to eat?", minute=1, answer="You are allergic to nuts; try Acme.")
    formed = await former(echo).drain(store, user, await note(store, user, said))
    assert formed.reasons == {"echo": 3}
    told = str(await documents(store, namespaces.profile(user)))
    assert "Looks for a place to eat." in told
    assert "nuts" not in told
    assert "Acme" not in told
    assert len(await documents(store, namespaces.memories(user, "episodic"))) == 1


async def test_a_message_with_a_secret_vouches_for_no_sentence(store: BaseStore, user: UserId) -> None:
    told = saying(episode="User named Barolo.", top_of_mind="Thinks of Barolo.")
    assert (await form(store, user, told, "my password is Barolo77, as in Barolo")).reasons == {"echo": 2}


async def test_distilled_twice_the_result_is_the_same(store: BaseStore, user: UserId) -> None:
    told = saying(OSLO, episode="User told they live in Oslo.", personal_context="Lives in Oslo.")
    items = await note(store, user, message("I live in Oslo."))
    await former(told).drain(store, user, items)
    once = await everything_of(store, user)
    await note(store, user, *items)
    await former(told).drain(store, user, items)
    assert await everything_of(store, user) == once


async def test_several_threads_at_once_are_a_call_and_a_batch_each(store: BaseStore, user: UserId) -> None:
    def says(items: Sequence[InboxItem], _: KnownMemories) -> ExtractedMemories:
        return extraction(OSLO) if "Oslo" in str(items) else extraction(fact("Likes tea", "I like tea"))

    extractor = ScriptedExtractor(says)
    await note(store, user, message("I live in Oslo.", thread="a"), message("I like tea.", thread="b"))
    await note(store, user, message("I live in Oslo, yes.", thread="a", minute=1))
    assert await process_inbox(store, user, former(extractor)) == FormationResult(added=2, confirmed=0)
    assert [len(items) for items, _ in extractor.asked] == [2, 1]
    assert await facts(store, user) == {"Lives in Oslo", "Likes tea"}


async def test_an_extractor_is_told_the_nearest_twenty_under_numbers_and_categories(
    store: BaseStore, user: UserId
) -> None:
    for n in range(10):
        tastes = [fact(f"Likes {noun} {n}", f"{noun} {n}", category="preference") for noun in ("tea", "cake", "jam")]
        await form(store, user, saying(*tastes), f"tea {n}, cake {n}, jam {n}", minute=n)
    await form(store, user, saying(OSLO), "I live in Oslo.", minute=30)
    extractor = saying()
    await form(store, user, extractor, "Likes tea 7", minute=31)
    [(_, known)] = extractor.asked
    lines = str(known).splitlines()
    assert len(known.memories) == 20
    if known.near:
        assert lines[:3] == ["Known, nearly as it is said now:", "preference:", "1. Likes tea 7"]
    assert sum(line.partition(". ")[0].isdigit() for line in lines) == 20
    assert "preference:" in lines
