"""What is replaced or crowded out retires with its like, and comes back only when it is said again."""

from langgraph.store.base import BaseStore

from agent.memory.editing.undo import undo
from agent.memory.formation.extract import RulesExtractor
from agent.memory.records import batches, changes, namespaces
from agent.memory.records.retirement import Retirement, original_document
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
    prompt_number,
    read_documents,
    recallable_text,
    timestamp_at,
)


def _moving(text: str = "Lives in Bergen", quote: str = "I moved to Bergen") -> ScriptedExtractor:
    return ScriptedExtractor(
        lambda _, known: extraction(fact(text, quote, replaces=prompt_number(known, "Lives in Oslo")))
    )


async def test_what_is_replaced_retires_and_takes_along_what_would_bring_it_back(
    store: BaseStore, user: UserId
) -> None:
    await live_in_oslo(store, user)
    assert await form(store, user, _moving(), "I moved to Bergen.", minute=1) == FormationResult(replaced=1)
    assert await fact_texts(store, user) == {"Lives in Bergen"}
    assert "Oslo" not in await recallable_text(store, user)
    [bergen] = await store.asearch(namespaces.memories(user, "user"))
    retired = await read_documents(store, namespaces.retired(user))
    assert {(how["place"], how["text"]) for how in retired} == {
        ("user", "Lives in Oslo"),
        ("episodic", "User told they live in Oslo."),
        ("profile", "Lives in Oslo."),
    }
    assert {(how["who"], how["why"], how["by"]) for how in retired} == {("formation", "replaced", bergen.key)}
    assert len({how["change"] for how in retired}) == 1


async def test_undo_restores_exactly_what_formation_replaced(store: BaseStore, user: UserId) -> None:
    await live_in_oslo(store, user)
    before = await read_documents(store, namespaces.all_memories(user))
    await form(store, user, _moving(), "I moved to Bergen.", minute=1)
    [bergen] = await store.asearch(namespaces.memories(user, "user"))
    await changes.commit_change(store, lambda: undo(store, user, bergen.key))
    after = await read_documents(store, namespaces.all_memories(user))
    assert sorted(after, key=str) == sorted(before, key=str)
    assert "Lives in Oslo." in str(await read_documents(store, namespaces.profile(user)))


async def test_an_old_message_does_not_bring_back_what_was_replaced_since(store: BaseStore, user: UserId) -> None:
    waiting = inbox_item("I live in Oslo, you know.", thread="kitchen", minute=0.5)
    await live_in_oslo(store, user)
    await add_to_inbox(store, user, waiting)
    await form(store, user, _moving(), "I moved to Bergen.", minute=1)
    late = extractor_returning(
        fact("lives in oslo", "I live in Oslo"), episode="User lives in Oslo.", personal_context="Lives in Oslo."
    )
    formed = await former(late).process(store, user, [waiting])
    assert formed == FormationResult(rejected=3, reasons={"outdated": 3})
    assert "oslo" not in (await recallable_text(store, user)).lower()


async def test_an_old_message_does_not_bring_back_what_the_user_edited_since(store: BaseStore, user: UserId) -> None:
    waiting = inbox_item("I live in Oslo.")
    await add_to_inbox(store, user, waiting)
    edited = {"text": "Lives in Oslo", "type": "user", "ts": timestamp_at(-5)}
    await batches.put(
        store, [Retirement("user", "edited", retired_at=timestamp_at(5)).history_op(user, "user", "some id", edited)]
    )
    assert (await former(extractor_returning(OSLO)).process(store, user, [waiting])).reasons == {"outdated": 1}
    assert await fact_texts(store, user) == set()


async def test_what_was_crowded_out_may_be_said_again(store: BaseStore, user: UserId) -> None:
    gone = {"text": "Lives in Oslo", "type": "user", "ts": timestamp_at(-5)}
    await batches.put(
        store,
        [Retirement("formation", "crowded_out", retired_at=timestamp_at(5)).history_op(user, "user", "some id", gone)],
    )
    assert await form(store, user, extractor_returning(OSLO), "I live in Oslo.") == FormationResult(added=1)


async def test_what_was_replaced_comes_back_when_it_is_said_again_later(store: BaseStore, user: UserId) -> None:
    back = inbox_item("I live in Oslo again.", thread="kitchen", minute=2)
    await live_in_oslo(store, user)
    await add_to_inbox(store, user, back)
    await form(store, user, _moving(), "I moved to Bergen.", minute=1)  # distilled later than `back` was said
    again = ScriptedExtractor(
        lambda _, known: extraction(
            fact("Lives in Oslo", "I live in Oslo", replaces=prompt_number(known, "Lives in Bergen"))
        )
    )
    assert await former(again).process(store, user, [back]) == FormationResult(replaced=1)
    assert await fact_texts(store, user) == {"Lives in Oslo"}


async def test_an_older_message_does_not_replace_what_was_said_later(store: BaseStore, user: UserId) -> None:
    waiting = inbox_item("I live in Rome.", thread="kitchen", minute=-5)
    await add_to_inbox(store, user, waiting)
    await live_in_oslo(store, user)
    formed = await former(_moving("Lives in Rome", "I live in Rome")).process(store, user, [waiting])
    assert formed == FormationResult(rejected=1, reasons={"outdated": 1})
    assert await fact_texts(store, user) == {"Lives in Oslo"}


async def test_within_a_batch_the_later_message_wins(store: BaseStore, user: UserId) -> None:
    items = await add_to_inbox(
        store, user, inbox_item("I live in Oslo."), inbox_item("Sorry, I live in Bergen.", minute=1)
    )
    told = extractor_returning(fact("Lives in Bergen", "I live in Bergen"), OSLO)
    assert await former(told).process(store, user, items) == FormationResult(added=1, replaced=1)
    assert await fact_texts(store, user) == {"Lives in Bergen"}
    [old] = await read_documents(store, namespaces.retired(user))
    assert original_document(old)["text"] == "Lives in Oslo"


async def test_two_facts_may_replace_one(store: BaseStore, user: UserId) -> None:
    await form(
        store, user, extractor_returning(fact("Lives in Oslo with Eva", "in Oslo with Eva")), "I live in Oslo with Eva."
    )
    told = extractor_returning(
        fact("Lives in Bergen", "moved to Bergen", replaces=1), fact("Broke up with Eva", "Eva and I", replaces=1)
    )
    formed = await form(store, user, told, "Eva and I are over, so I moved to Bergen.", minute=1)
    assert (formed.added, formed.replaced) == (1, 1)
    assert await fact_texts(store, user) == {"Lives in Bergen", "Broke up with Eva"}


async def test_without_a_model_moving_house_replaces_the_old_home(store: BaseStore, user: UserId) -> None:
    rules = former(RulesExtractor())
    for minute, text in enumerate(["I live in Oslo. I like tea.", "My brother lives in Rome.", "I moved to Paris."]):
        await rules.process(store, user, await add_to_inbox(store, user, inbox_item(text, minute=minute)))
    assert await fact_texts(store, user) == {"Likes tea", "Brother lives in Rome", "Moved to Paris"}
    [old] = await read_documents(store, namespaces.retired(user))
    assert old["text"] == "Lives in Oslo"


async def test_the_least_sure_and_oldest_is_crowded_out_and_what_was_just_said_stays(
    store: BaseStore, user: UserId
) -> None:
    old = inbox_item("I have a cat, a dog, a fish.", minute=-60)
    animals = extractor_returning(
        fact("Has a cat", "a cat", confidence=0.95),
        fact("Has a dog", "a dog", confidence=0.8),
        fact("Has a fish", "a fish", confidence=0.8, kind="procedural"),
    )
    await former(animals, max_facts=3).process(store, user, await add_to_inbox(store, user, old))
    unsure = extractor_returning(fact("Has a bird", "a bird", confidence=0.7), fact("Has a dog", "the dog"))
    new = await add_to_inbox(store, user, inbox_item("I have a bird, and the dog."))
    assert await former(unsure, max_facts=3).process(store, user, new) == FormationResult(added=1, confirmed=1)
    assert await fact_texts(store, user) == {"Has a cat", "Has a dog", "Has a bird"}
    [gone] = await read_documents(store, namespaces.retired(user))
    assert (gone["text"], gone["who"], gone["why"], gone["by"]) == ("Has a fish", "formation", "crowded_out", None)


async def test_a_batch_alone_never_leaves_more_than_the_cap(store: BaseStore, user: UserId) -> None:
    told = extractor_returning(
        *(fact(f"Has a {pet}", pet, confidence=0.7 + n / 10) for n, pet in enumerate(["cat", "dog", "fish"]))
    )
    items = await add_to_inbox(store, user, inbox_item("A cat, a dog, a fish."))
    await former(told, max_facts=2).process(store, user, items)
    assert await fact_texts(store, user) == {"Has a dog", "Has a fish"}
    assert len(await read_documents(store, namespaces.retired(user))) == 1
