"""Consolidation in a store: what is new is added, what is known confirmed, what is stale retires with its like."""

from collections.abc import AsyncIterator, Sequence

import pytest
from langgraph.store.base import BaseStore, GetOp

from agent.memory import batches, changes, inbox, namespaces
from agent.memory.extract import ExtractedMemories, RulesExtractor
from agent.memory.formation import Former, drain_everything
from agent.memory.inbox import InboxItem
from agent.memory.profile import KEY
from agent.memory.retired import Retirement, document
from agent.memory.shortlist import Known
from agent.memory.undo import undo
from agent.types import Formed, UserId
from conftest import Databases
from support.forming import (
    ScriptedExtractor,
    at,
    documents,
    everything_of,
    extraction,
    fact,
    facts,
    memory_store,
    message,
    new_user,
    note,
    number_of,
    postgres_store,
    saying,
)

OSLO = fact("Lives in Oslo", "I live in Oslo")


@pytest.fixture(scope="module")
def shared(databases: Databases) -> str:
    """A database for everybody here; each test is about somebody new."""
    return databases.make("text-embedding-3-small")


@pytest.fixture(params=["postgres", "memory", "memory without vectors"])
async def store(request: pytest.FixtureRequest, shared: str) -> AsyncIterator[BaseStore]:
    """Each store that memories are formed in."""
    if request.param == "postgres":
        async with postgres_store(shared) as postgres:
            yield postgres
    else:
        yield memory_store(indexed=request.param == "memory")


@pytest.fixture
def user() -> UserId:
    return new_user()


def _former(extractor: ScriptedExtractor | RulesExtractor, *, max_facts: int = 100) -> Former:
    return Former(extractor, 0.7, max_facts)


async def _form(
    store: BaseStore, user: UserId, extractor: ScriptedExtractor, text: str, *, minute: float = 0.0
) -> Formed:
    """Say one thing, and distil it."""
    return await _former(extractor).drain(store, user, await note(store, user, message(text, minute=minute)))


async def _live_in_oslo(store: BaseStore, user: UserId) -> None:
    """Have somebody known to live in Oslo, by fact, episode and profile."""
    told = saying(OSLO, episode="User told they live in Oslo.", personal_context="Lives in Oslo.")
    assert await _form(store, user, told, "I live in Oslo.") == Formed(added=1, episodes=1)


def _moving(text: str = "Lives in Bergen", quote: str = "I moved to Bergen") -> ScriptedExtractor:
    return ScriptedExtractor(lambda _, known: extraction(fact(text, quote, replaces=number_of(known, "Lives in Oslo"))))


async def test_a_fact_is_kept_with_the_words_it_comes_from_and_leaves_the_inbox(store: BaseStore, user: UserId) -> None:
    said = message("Well, I live in Oslo.")
    formed = await _former(saying(OSLO)).drain(store, user, await note(store, user, said))
    assert formed == Formed(added=1)
    [known] = await documents(store, namespaces.memories(user, "user"))
    assert known["sources"] == [{"thread": "garden", "message": said.message, "quote": "I live in Oslo", "ts": said.ts}]
    assert (known["confirmed"], known["confidence"], known["category"]) == (1, 0.9, "personal")
    assert await inbox.waiting(store, user) == []


async def test_the_same_words_confirm_once_a_message(store: BaseStore, user: UserId) -> None:
    await _form(store, user, saying(OSLO), "I live in Oslo.")
    again = fact("lives in  OSLO.", "i live in oslo")
    later = message("As I said, I live in Oslo.", minute=5)
    assert await _former(saying(again)).drain(store, user, await note(store, user, later)) == Formed(confirmed=1)
    assert await _former(saying(again)).drain(store, user, await note(store, user, later)) == Formed()
    [known] = await documents(store, namespaces.memories(user, "user"))
    assert (known["text"], known["confirmed"], known["last_seen"]) == ("Lives in Oslo", 2, later.ts)
    assert [source["ts"] for source in known["sources"]] == [at(0), at(5)]


async def test_a_known_memorys_number_confirms_it(store: BaseStore, user: UserId) -> None:
    await _form(store, user, saying(OSLO), "I live in Oslo.")
    same = ScriptedExtractor(lambda *_: extraction(fact("Has a home in Oslo", "my home is Oslo", same_as=1)))
    assert await _form(store, user, same, "my home is Oslo", minute=1) == Formed(confirmed=1)
    assert await facts(store, user) == {"Lives in Oslo"}


@pytest.mark.parametrize("number", [-1, 0, 2, 99])
async def test_numbers_that_a_model_made_up_are_ignored(store: BaseStore, user: UserId, number: int) -> None:
    await _form(store, user, saying(OSLO), "I live in Oslo.")
    told = saying(fact("Has a cat", "a cat", replaces=number), fact("Has a dog", "a dog", same_as=number))
    assert (await _form(store, user, told, "I have a cat and a dog.", minute=1)).added == 2
    assert await facts(store, user) == {"Lives in Oslo", "Has a cat", "Has a dog"}


async def test_a_memory_of_another_category_is_neither_confirmed_nor_replaced(store: BaseStore, user: UserId) -> None:
    await _form(store, user, saying(OSLO), "I live in Oslo.")
    told = saying(
        fact("Likes Oslo", "I like Oslo", category="preference", replaces=1),
        fact("Likes fjords", "fjords", category="preference", same_as=1),
    )
    assert await _form(store, user, told, "I like Oslo, and its fjords.", minute=1) == Formed(added=2)
    assert "Lives in Oslo" in await facts(store, user)


async def test_what_is_replaced_retires_and_takes_along_what_would_bring_it_back(
    store: BaseStore, user: UserId
) -> None:
    await _live_in_oslo(store, user)
    assert await _form(store, user, _moving(), "I moved to Bergen.", minute=1) == Formed(replaced=1)
    assert await facts(store, user) == {"Lives in Bergen"}
    assert "Oslo" not in await everything_of(store, user)
    [bergen] = await store.asearch(namespaces.memories(user, "user"))
    retired = await documents(store, namespaces.retired(user))
    assert {(how["place"], how["text"]) for how in retired} == {
        ("user", "Lives in Oslo"),
        ("episodic", "User told they live in Oslo."),
        ("profile", "Lives in Oslo."),
    }
    assert {(how["who"], how["why"], how["by"]) for how in retired} == {("formation", "replaced", bergen.key)}
    assert len({how["change"] for how in retired}) == 1


async def test_undo_restores_exactly_what_formation_replaced(store: BaseStore, user: UserId) -> None:
    await _live_in_oslo(store, user)
    before = await documents(store, namespaces.all_memories(user))
    await _form(store, user, _moving(), "I moved to Bergen.", minute=1)
    [bergen] = await store.asearch(namespaces.memories(user, "user"))
    await changes.make(store, lambda: undo(store, user, bergen.key))
    after = await documents(store, namespaces.all_memories(user))
    assert sorted(after, key=str) == sorted(before, key=str)
    assert "Lives in Oslo." in str(await documents(store, namespaces.profile(user)))


async def test_an_old_message_does_not_bring_back_what_was_replaced_since(store: BaseStore, user: UserId) -> None:
    waiting = message("I live in Oslo, you know.", thread="kitchen", minute=0.5)
    await _live_in_oslo(store, user)
    await note(store, user, waiting)
    await _form(store, user, _moving(), "I moved to Bergen.", minute=1)
    late = saying(
        fact("lives in oslo", "I live in Oslo"), episode="User lives in Oslo.", personal_context="Lives in Oslo."
    )
    formed = await _former(late).drain(store, user, [waiting])
    assert formed == Formed(rejected=3, reasons={"outdated": 3})
    assert "oslo" not in (await everything_of(store, user)).lower()


async def test_an_old_message_does_not_bring_back_what_the_user_edited_since(store: BaseStore, user: UserId) -> None:
    waiting = message("I live in Oslo.")
    await note(store, user, waiting)
    edited = {"text": "Lives in Oslo", "type": "user", "ts": at(-5)}
    await batches.put(store, [Retirement("user", "edited", at=at(5)).keeps(user, "user", "some id", edited)])
    assert (await _former(saying(OSLO)).drain(store, user, [waiting])).reasons == {"outdated": 1}
    assert await facts(store, user) == set()


async def test_what_was_crowded_out_may_be_said_again(store: BaseStore, user: UserId) -> None:
    gone = {"text": "Lives in Oslo", "type": "user", "ts": at(-5)}
    await batches.put(store, [Retirement("formation", "crowded_out", at=at(5)).keeps(user, "user", "some id", gone)])
    assert await _form(store, user, saying(OSLO), "I live in Oslo.") == Formed(added=1)


async def test_what_was_replaced_comes_back_when_it_is_said_again_later(store: BaseStore, user: UserId) -> None:
    back = message("I live in Oslo again.", thread="kitchen", minute=2)
    await _live_in_oslo(store, user)
    await note(store, user, back)
    await _form(store, user, _moving(), "I moved to Bergen.", minute=1)  # distilled later than `back` was said
    again = ScriptedExtractor(
        lambda _, known: extraction(
            fact("Lives in Oslo", "I live in Oslo", replaces=number_of(known, "Lives in Bergen"))
        )
    )
    assert await _former(again).drain(store, user, [back]) == Formed(replaced=1)
    assert await facts(store, user) == {"Lives in Oslo"}


async def test_an_older_message_does_not_replace_what_was_said_later(store: BaseStore, user: UserId) -> None:
    waiting = message("I live in Rome.", thread="kitchen", minute=-5)
    await note(store, user, waiting)
    await _live_in_oslo(store, user)
    formed = await _former(_moving("Lives in Rome", "I live in Rome")).drain(store, user, [waiting])
    assert formed == Formed(rejected=1, reasons={"outdated": 1})
    assert await facts(store, user) == {"Lives in Oslo"}


async def test_within_a_batch_the_later_message_wins(store: BaseStore, user: UserId) -> None:
    items = await note(store, user, message("I live in Oslo."), message("Sorry, I live in Bergen.", minute=1))
    told = saying(fact("Lives in Bergen", "I live in Bergen"), OSLO)
    assert await _former(told).drain(store, user, items) == Formed(added=1, replaced=1)
    assert await facts(store, user) == {"Lives in Bergen"}
    [old] = await documents(store, namespaces.retired(user))
    assert document(old)["text"] == "Lives in Oslo"


async def test_two_facts_may_replace_one(store: BaseStore, user: UserId) -> None:
    await _form(store, user, saying(fact("Lives in Oslo with Eva", "in Oslo with Eva")), "I live in Oslo with Eva.")
    told = saying(
        fact("Lives in Bergen", "moved to Bergen", replaces=1), fact("Broke up with Eva", "Eva and I", replaces=1)
    )
    formed = await _form(store, user, told, "Eva and I are over, so I moved to Bergen.", minute=1)
    assert (formed.added, formed.replaced) == (1, 1)
    assert await facts(store, user) == {"Lives in Bergen", "Broke up with Eva"}


async def test_without_a_model_moving_house_replaces_the_old_home(store: BaseStore, user: UserId) -> None:
    former = _former(RulesExtractor())
    for minute, text in enumerate(["I live in Oslo. I like tea.", "My brother lives in Rome.", "I moved to Paris."]):
        await former.drain(store, user, await note(store, user, message(text, minute=minute)))
    assert await facts(store, user) == {"Likes tea", "Brother lives in Rome", "Moved to Paris"}
    [old] = await documents(store, namespaces.retired(user))
    assert old["text"] == "Lives in Oslo"


async def test_without_a_model_what_is_alike_but_not_equal_is_not_merged(store: BaseStore, user: UserId) -> None:
    former = _former(RulesExtractor())
    for minute, text in enumerate(["I like green tea.", "I like black tea.", "I like green tea"]):
        await former.drain(store, user, await note(store, user, message(text, minute=minute)))
    assert await facts(store, user) == {"Likes green tea", "Likes black tea"}


async def test_the_profile_keeps_the_latest_three_sentences_of_a_field(store: BaseStore, user: UserId) -> None:
    for minute, town in enumerate(["Oslo", "Rome", "Bergen", "Paris"]):
        told = saying(top_of_mind=f"Plans a trip to {town}.", work_context="Drives a tram.")
        await _form(store, user, told, f"I drive a tram, and plan a trip to {town}", minute=minute)
    [known] = await batches.get(store, [GetOp(namespaces.profile(user), KEY)])
    assert known is not None
    assert known.value["top_of_mind"] == "Plans a trip to Rome. Plans a trip to Bergen. Plans a trip to Paris."
    assert known.value["work_context"] == "Drives a tram."
    assert known.value["last_updated"] == at(3)


async def test_what_only_the_assistant_or_memory_said_is_in_no_episode_and_no_profile(
    store: BaseStore, user: UserId
) -> None:
    await _live_in_oslo(store, user)
    echo = saying(
        episode="User asked from Oslo where to eat.",
        personal_context="Is allergic to nuts.",
        work_context="Works for Acme.",
        top_of_mind="Looks for a place to eat.",
    )
    said = message("Where should I look for a place to eat?", minute=1, answer="You are allergic to nuts; try Acme.")
    formed = await _former(echo).drain(store, user, await note(store, user, said))
    assert formed.reasons == {"echo": 3}
    told = str(await documents(store, namespaces.profile(user)))
    assert "Looks for a place to eat." in told
    assert "nuts" not in told
    assert "Acme" not in told
    assert len(await documents(store, namespaces.memories(user, "episodic"))) == 1


async def test_a_message_with_a_secret_vouches_for_no_sentence(store: BaseStore, user: UserId) -> None:
    told = saying(episode="User named Barolo.", top_of_mind="Thinks of Barolo.")
    assert (await _form(store, user, told, "my password is Barolo77, as in Barolo")).reasons == {"echo": 2}


async def test_the_least_sure_and_oldest_is_crowded_out_and_what_was_just_said_stays(
    store: BaseStore, user: UserId
) -> None:
    old = message("I have a cat, a dog, a fish.", minute=-60)
    animals = saying(
        fact("Has a cat", "a cat", confidence=0.95),
        fact("Has a dog", "a dog", confidence=0.8),
        fact("Has a fish", "a fish", confidence=0.8, kind="procedural"),
    )
    await _former(animals, max_facts=3).drain(store, user, await note(store, user, old))
    unsure = saying(fact("Has a bird", "a bird", confidence=0.7), fact("Has a dog", "the dog"))
    new = await note(store, user, message("I have a bird, and the dog."))
    assert await _former(unsure, max_facts=3).drain(store, user, new) == Formed(added=1, confirmed=1)
    assert await facts(store, user) == {"Has a cat", "Has a dog", "Has a bird"}
    [gone] = await documents(store, namespaces.retired(user))
    assert (gone["text"], gone["who"], gone["why"], gone["by"]) == ("Has a fish", "formation", "crowded_out", None)


async def test_a_batch_alone_never_leaves_more_than_the_cap(store: BaseStore, user: UserId) -> None:
    told = saying(*(fact(f"Has a {pet}", pet, confidence=0.7 + n / 10) for n, pet in enumerate(["cat", "dog", "fish"])))
    items = await note(store, user, message("A cat, a dog, a fish."))
    await _former(told, max_facts=2).drain(store, user, items)
    assert await facts(store, user) == {"Has a dog", "Has a fish"}
    assert len(await documents(store, namespaces.retired(user))) == 1


async def test_distilled_twice_the_result_is_the_same(store: BaseStore, user: UserId) -> None:
    told = saying(OSLO, episode="User told they live in Oslo.", personal_context="Lives in Oslo.")
    items = await note(store, user, message("I live in Oslo."))
    await _former(told).drain(store, user, items)
    once = await everything_of(store, user)
    await note(store, user, *items)
    await _former(told).drain(store, user, items)
    assert await everything_of(store, user) == once


async def test_several_threads_at_once_are_a_call_and_a_batch_each(store: BaseStore, user: UserId) -> None:
    def says(items: Sequence[InboxItem], _: Known) -> ExtractedMemories:
        return extraction(OSLO) if "Oslo" in str(items) else extraction(fact("Likes tea", "I like tea"))

    extractor = ScriptedExtractor(says)
    await note(store, user, message("I live in Oslo.", thread="a"), message("I like tea.", thread="b"))
    await note(store, user, message("I live in Oslo, yes.", thread="a", minute=1))
    assert await drain_everything(store, user, _former(extractor)) == Formed(added=2, confirmed=0)
    assert [len(items) for items, _ in extractor.asked] == [2, 1]
    assert await facts(store, user) == {"Lives in Oslo", "Likes tea"}


async def test_an_extractor_is_told_the_nearest_twenty_under_numbers_and_categories(
    store: BaseStore, user: UserId
) -> None:
    for n in range(10):
        tastes = [fact(f"Likes {noun} {n}", f"{noun} {n}", category="preference") for noun in ("tea", "cake", "jam")]
        await _form(store, user, saying(*tastes), f"tea {n}, cake {n}, jam {n}", minute=n)
    await _form(store, user, saying(OSLO), "I live in Oslo.", minute=30)
    extractor = saying()
    await _form(store, user, extractor, "Likes tea 7", minute=31)
    [(_, known)] = extractor.asked
    lines = str(known).splitlines()
    assert len(known.memories) == 20
    if known.near:
        assert lines[:3] == ["Known, nearly as it is said now:", "preference:", "1. Likes tea 7"]
    assert sum(line.partition(". ")[0].isdigit() for line in lines) == 20
    assert "preference:" in lines
