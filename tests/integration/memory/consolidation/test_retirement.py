"""Facts that are replaced or evicted, and their return after a later statement."""

from langgraph.store.base import BaseStore

from agent.memory.editing.undo import undo
from agent.memory.formation.extract import RulesExtractor
from agent.memory.records import batches, changes, namespaces
from agent.memory.records.history import Retirement, original_document
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
    prompt_number,
    read_documents,
    recallable_text,
    timestamp_at,
)


def replacing_extractor(text: str = "Lives in Bergen", quote: str = "I moved to Bergen") -> ScriptedExtractor:
    return ScriptedExtractor(
        lambda _, known: extraction(fact(text, quote, replaces=prompt_number(known, "Lives in Oslo")))
    )


async def test_a_replaced_fact_is_retired_with_the_sentences_that_contain_its_value(
    store: BaseStore, user: UserId
) -> None:
    await learn_oslo(store, user)
    assert await process_message(store, user, replacing_extractor(), "I moved to Bergen.", minute=1) == FormationResult(
        replaced=1
    )
    assert await fact_texts(store, user) == {"Lives in Bergen"}
    assert "Oslo" not in await recallable_text(store, user)
    [bergen] = await store.asearch(namespaces.memories(user, "user"))
    retired = await read_documents(store, namespaces.retired(user))
    assert {(document["place"], document["text"]) for document in retired} == {
        ("user", "Lives in Oslo"),
        ("episodic", "User told they live in Oslo."),
        ("profile", "Lives in Oslo."),
    }
    assert {(document["who"], document["why"], document["by"]) for document in retired} == {
        ("formation", "replaced", bergen.key)
    }
    assert len({document["change"] for document in retired}) == 1


async def test_undo_restores_everything_that_was_replaced(store: BaseStore, user: UserId) -> None:
    await learn_oslo(store, user)
    before = await read_documents(store, namespaces.all_memories(user))
    await process_message(store, user, replacing_extractor(), "I moved to Bergen.", minute=1)
    [bergen] = await store.asearch(namespaces.memories(user, "user"))
    await changes.commit_change(store, lambda: undo(store, user, bergen.key))
    after = await read_documents(store, namespaces.all_memories(user))
    assert sorted(after, key=str) == sorted(before, key=str)
    assert "Lives in Oslo." in str(await read_documents(store, namespaces.profile(user)))


async def test_an_earlier_message_does_not_restore_a_replaced_fact(store: BaseStore, user: UserId) -> None:
    earlier_item = inbox_item("I live in Oslo, you know.", thread="kitchen", minute=0.5)
    await learn_oslo(store, user)
    await add_to_inbox(store, user, earlier_item)
    await process_message(store, user, replacing_extractor(), "I moved to Bergen.", minute=1)
    extractor = extractor_returning(
        fact("lives in oslo", "I live in Oslo"), episode="User lives in Oslo.", personal_context="Lives in Oslo."
    )
    result = await make_former(extractor).process(store, user, [earlier_item])
    assert result == FormationResult(rejected=3, reasons={"outdated": 3})
    assert "oslo" not in (await recallable_text(store, user)).lower()


async def test_an_earlier_message_does_not_restore_an_edited_fact(store: BaseStore, user: UserId) -> None:
    earlier_item = inbox_item("I live in Oslo.")
    await add_to_inbox(store, user, earlier_item)
    edited = {"text": "Lives in Oslo", "type": "user", "ts": timestamp_at(-5)}
    await batches.put(
        store, [Retirement("user", "edited", retired_at=timestamp_at(5)).history_op(user, "user", "some id", edited)]
    )
    assert (await make_former(extractor_returning(OSLO)).process(store, user, [earlier_item])).reasons == {
        "outdated": 1
    }
    assert await fact_texts(store, user) == set()


async def test_an_evicted_fact_can_be_stated_again(store: BaseStore, user: UserId) -> None:
    document = {"text": "Lives in Oslo", "type": "user", "ts": timestamp_at(-5)}
    await batches.put(
        store,
        [Retirement("formation", "evicted", retired_at=timestamp_at(5)).history_op(user, "user", "some id", document)],
    )
    assert await process_message(store, user, extractor_returning(OSLO), "I live in Oslo.") == FormationResult(added=1)


async def test_a_later_message_restores_a_replaced_fact(store: BaseStore, user: UserId) -> None:
    later_item = inbox_item("I live in Oslo again.", thread="kitchen", minute=2)
    await learn_oslo(store, user)
    await add_to_inbox(store, user, later_item)
    await process_message(
        store, user, replacing_extractor(), "I moved to Bergen.", minute=1
    )  # processed after the later message was sent
    extractor = ScriptedExtractor(
        lambda _, known: extraction(
            fact("Lives in Oslo", "I live in Oslo", replaces=prompt_number(known, "Lives in Bergen"))
        )
    )
    assert await make_former(extractor).process(store, user, [later_item]) == FormationResult(replaced=1)
    assert await fact_texts(store, user) == {"Lives in Oslo"}


async def test_an_earlier_message_does_not_replace_a_later_fact(store: BaseStore, user: UserId) -> None:
    earlier_item = inbox_item("I live in Rome.", thread="kitchen", minute=-5)
    await add_to_inbox(store, user, earlier_item)
    await learn_oslo(store, user)
    result = await make_former(replacing_extractor("Lives in Rome", "I live in Rome")).process(
        store, user, [earlier_item]
    )
    assert result == FormationResult(rejected=1, reasons={"outdated": 1})
    assert await fact_texts(store, user) == {"Lives in Oslo"}


async def test_within_a_batch_the_later_message_wins(store: BaseStore, user: UserId) -> None:
    items = await add_to_inbox(
        store, user, inbox_item("I live in Oslo."), inbox_item("Sorry, I live in Bergen.", minute=1)
    )
    extractor = extractor_returning(fact("Lives in Bergen", "I live in Bergen"), OSLO)
    assert await make_former(extractor).process(store, user, items) == FormationResult(added=1, replaced=1)
    assert await fact_texts(store, user) == {"Lives in Bergen"}
    [old] = await read_documents(store, namespaces.retired(user))
    assert original_document(old)["text"] == "Lives in Oslo"


async def test_two_facts_can_replace_one(store: BaseStore, user: UserId) -> None:
    await process_message(
        store, user, extractor_returning(fact("Lives in Oslo with Eva", "in Oslo with Eva")), "I live in Oslo with Eva."
    )
    extractor = extractor_returning(
        fact("Lives in Bergen", "moved to Bergen", replaces=1),
        fact("Broke up with Eva", "broke up with Eva", replaces=1),
    )
    result = await process_message(store, user, extractor, "I broke up with Eva, so I moved to Bergen.", minute=1)
    assert (result.added, result.replaced) == (1, 1)
    assert await fact_texts(store, user) == {"Lives in Bergen", "Broke up with Eva"}


async def test_without_a_model_a_new_home_replaces_the_old_one(store: BaseStore, user: UserId) -> None:
    rules_former = make_former(RulesExtractor())
    for minute, text in enumerate(["I live in Oslo. I like tea.", "My brother lives in Rome.", "I moved to Paris."]):
        await rules_former.process(store, user, await add_to_inbox(store, user, inbox_item(text, minute=minute)))
    assert await fact_texts(store, user) == {"Likes tea", "Brother lives in Rome", "Moved to Paris"}
    [old] = await read_documents(store, namespaces.retired(user))
    assert old["text"] == "Lives in Oslo"


async def test_the_least_certain_facts_of_earlier_batches_are_evicted(store: BaseStore, user: UserId) -> None:
    old = inbox_item("I have a cat, a dog, a fish.", minute=-60)
    extractor = extractor_returning(
        fact("Has a cat", "a cat", confidence=0.95),
        fact("Has a dog", "a dog", confidence=0.8),
        fact("Has a fish", "a fish", confidence=0.8),
    )
    await make_former(extractor, max_facts=3).process(store, user, await add_to_inbox(store, user, old))
    extractor = extractor_returning(fact("Has a bird", "a bird", confidence=0.7), fact("Has a dog", "the dog"))
    new = await add_to_inbox(store, user, inbox_item("I have a bird, and the dog."))
    assert await make_former(extractor, max_facts=3).process(store, user, new) == FormationResult(added=1, confirmed=1)
    assert await fact_texts(store, user) == {"Has a cat", "Has a dog", "Has a bird"}
    [document] = await read_documents(store, namespaces.retired(user))
    assert (document["text"], document["who"], document["why"], document["by"]) == (
        "Has a fish",
        "formation",
        "evicted",
        None,
    )


async def test_facts_above_the_limit_stay_until_the_next_batch(store: BaseStore, user: UserId) -> None:
    extractor = extractor_returning(
        *(
            fact(f"Has a {pet}", f"have a {pet}", confidence=0.7 + n / 10)
            for n, pet in enumerate(["cat", "dog", "fish"])
        )
    )
    items = await add_to_inbox(store, user, inbox_item("I have a cat. I have a dog. I have a fish."))
    await make_former(extractor, max_facts=2).process(store, user, items)
    assert await fact_texts(store, user) == {"Has a cat", "Has a dog", "Has a fish"}
    items = await add_to_inbox(store, user, inbox_item("Hello again.", minute=1))
    await make_former(extractor_returning(), max_facts=2).process(store, user, items)
    assert await fact_texts(store, user) == {"Has a dog", "Has a fish"}
    [document] = await read_documents(store, namespaces.retired(user))
    assert (document["text"], document["why"]) == ("Has a cat", "evicted")


async def test_standing_and_pinned_facts_are_never_evicted(store: BaseStore, user: UserId) -> None:
    extractor = extractor_returning(
        fact("Is allergic to nuts", "allergic to nuts", confidence=0.7, standing=True),
        fact("Wants short answers", "short answers", confidence=0.7, kind="procedural", category="preference"),
        fact("Has a cat", "a cat", confidence=0.9),
    )
    statement = inbox_item("I am allergic to nuts, I want short answers, and I have a cat.")
    await make_former(extractor, max_facts=3).process(store, user, await add_to_inbox(store, user, statement))
    for minute in (1, 2):
        items = await add_to_inbox(store, user, inbox_item("Hello again.", minute=minute))
        await make_former(extractor_returning(), max_facts=1).process(store, user, items)
    assert await fact_texts(store, user) == {"Is allergic to nuts", "Wants short answers"}
