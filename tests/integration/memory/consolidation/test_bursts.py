"""Several statements in one burst of messages: changing one of them never changes whether the others can be found."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import psycopg
import pytest
from langgraph.store.base import BaseStore

from agent.memory.editing.library import Library
from agent.memory.formation.extract import ExtractedMemories
from agent.memory.formation.former import process_inbox
from agent.memory.formation.shortlist import KnownMemories
from agent.memory.records import inbox, namespaces
from agent.memory.records.inbox import InboxItem
from agent.types import MemoryId, UserId
from integration.memory.consolidation.conftest import make_former, process_message
from support.formation import (
    ScriptedExtractor,
    add_to_inbox,
    extraction,
    extractor_returning,
    fact,
    inbox_item,
    memory_store,
    postgres_store,
    read_documents,
    recallable_text,
)


@dataclass(frozen=True)
class Said:
    """A statement and the one that replaces it."""

    words: str
    fact: str
    summary: str
    """Its words in a sentence of a model."""
    key: str
    """A word that only it contains."""
    new_words: str
    new_fact: str


VET = Said(
    "I'm a vet in Leeds", "Is a vet in Leeds", "is a vet in Leeds", "Leeds", "I'm a vet in York", "Is a vet in York"
)
ALLERGY = Said(
    "I have a severe peanut allergy",
    "Has a severe peanut allergy",
    "has a severe peanut allergy",
    "peanut",
    "I have a severe kiwi allergy",
    "Has a severe kiwi allergy",
)
TRIP = Said(
    "we're planning a trip to Japan",
    "Is planning a trip to Japan",
    "is planning a trip to Japan",
    "Japan",
    "We're planning a trip to Norway",
    "Is planning a trip to Norway",
)
BURST = (VET, ALLERGY, TRIP)
ORDERS = list(permutations(BURST))

Style = tuple[str, str]
STYLES: list[Style] = [
    ("sentences", "own quotes"),
    ("clauses", "own quotes"),
    ("clauses", "one quote"),
    ("clauses", "one fact"),
    ("messages", "own quotes"),
    ("messages", "one fact"),
]


@pytest.fixture
def plain_store() -> BaseStore:
    """A store without vectors, for tests of many bursts."""
    return memory_store(indexed=False)


async def learn(store: BaseStore, user: UserId, order: Sequence[Said], changed: Said, style: Style) -> list[InboxItem]:
    """Process a burst with facts, an episode and a sentence of the profile."""
    form, facts = style
    joined = ", ".join([*(said.words for said in order[:-1]), f"and {order[-1].words}"])
    texts = {
        "sentences": [" ".join(f"{said.words[0].upper()}{said.words[1:]}." for said in order)],
        "clauses": [joined],
        "messages": [said.words for said in order],
    }[form]
    summary = ", ".join(said.summary for said in order[:-1])
    known = [changed] if facts == "one fact" else order
    sentences = {
        "episode": f"User {summary}, and {order[-1].summary}.",
        "personal_context": f"{summary[0].upper()}{summary[1:]}, and {order[-1].summary}.",
    }
    extractor = extractor_returning(
        *(fact(said.fact, joined if facts == "one quote" else said.words) for said in known),
        **({} if form == "messages" else sentences),
    )
    items = await add_to_inbox(store, user, *(inbox_item(text, minute=n / 10) for n, text in enumerate(texts)))
    await make_former(extractor).process(store, user, items)
    return items


async def find_fact(store: BaseStore, user: UserId, word: str) -> MemoryId:
    facts = await store.asearch(namespaces.memories(user, "user"), limit=100)
    found = [item for item in facts if word in item.value["text"]]
    return MemoryId(min(found, key=lambda item: len(item.value["text"])).key)


def number_of(known: KnownMemories, word: str) -> int:
    """The number of the known memory with a word in the extractor's prompt."""
    found = [(len(memory.text), number) for number, memory in enumerate(known.memories, 1) if word in memory.text]
    return min(found)[1]


async def current_texts(store: BaseStore, user: UserId) -> str:
    """The texts of memories and profile, without the quotes of their sources."""
    memories = await read_documents(store, namespaces.all_memories(user))
    profile = await read_documents(store, namespaces.profile(user))
    return str([memory["text"] for memory in memories] + [document["personal_context"] for document in profile])


async def documents(store: BaseStore, user: UserId) -> list[object]:
    """All memories in a fixed order, and the sentences of the profile."""
    memories = await read_documents(store, namespaces.all_memories(user))
    profile = await read_documents(store, namespaces.profile(user))
    return [*sorted(memories, key=str), *(document["sentences"] for document in profile)]


async def all_text(store: BaseStore, user: UserId) -> str:
    return await recallable_text(store, user) + str(await read_documents(store, namespaces.retired(user)))


@pytest.mark.parametrize("style", STYLES, ids="-".join)
@pytest.mark.parametrize("changed", BURST, ids=lambda said: said.key)
async def test_replacing_one_statement_of_a_burst_keeps_the_others(
    plain_store: BaseStore, user: UserId, changed: Said, style: Style
) -> None:
    for n, order in enumerate(ORDERS):
        one = UserId(f"{user}-{n}")
        await learn(plain_store, one, order, changed, style)
        replacing = ScriptedExtractor(
            lambda _, known: extraction(
                fact(changed.new_fact, changed.new_words, replaces=number_of(known, changed.key))
            )
        )
        await process_message(plain_store, one, replacing, f"{changed.new_words}.", minute=5)
        text = await current_texts(plain_store, one)
        assert changed.key not in text
        assert [other.key for other in BURST if other != changed and other.key not in text] == []


@pytest.mark.parametrize("style", STYLES, ids="-".join)
@pytest.mark.parametrize("forgotten", BURST, ids=lambda said: said.key)
async def test_forgetting_one_statement_of_a_burst_keeps_the_others(
    plain_store: BaseStore, user: UserId, forgotten: Said, style: Style
) -> None:
    for n, order in enumerate(ORDERS):
        one = UserId(f"{user}-{n}")
        items = await learn(plain_store, one, order, forgotten, style)
        await add_to_inbox(plain_store, one, *items)  # as if a message had been added to the inbox again
        memory = await Library(plain_store).get(one, await find_fact(plain_store, one, forgotten.key))
        await Library(plain_store).forget(one, memory.id)
        text = await all_text(plain_store, one)
        assert forgotten.key not in text
        # A memory may be a whole sentence of the user, which is forgotten as a whole.
        assert [other.key for other in BURST if other.key not in memory.text and other.key not in text] == []


@pytest.mark.parametrize("style", STYLES, ids="-".join)
async def test_undo_restores_exactly_what_a_replacement_changed(
    plain_store: BaseStore, user: UserId, style: Style
) -> None:
    for n, order in enumerate(ORDERS):
        one = UserId(f"{user}-{n}")
        await learn(plain_store, one, order, VET, style)
        before = await documents(plain_store, one)
        replacing = ScriptedExtractor(
            lambda _, known: extraction(
                fact(VET.new_fact, VET.new_words, replaces=number_of(known, VET.key)),
                episode="User is a vet in York.",
                personal_context="Is a vet in York.",
            )
        )
        await process_message(plain_store, one, replacing, f"{VET.new_words}.", minute=5)
        after = await documents(plain_store, one)
        york = await find_fact(plain_store, one, "York")
        for _ in range(2):
            await Library(plain_store).undo(one, york)
            assert await documents(plain_store, one) == before
            await Library(plain_store).undo(one, york)
            assert await documents(plain_store, one) == after


async def test_a_replacement_that_shares_all_words_retires_only_the_same_words(store: BaseStore, user: UserId) -> None:
    extractor = extractor_returning(
        fact("Likes green tea", "I like green tea"), episode="User said they like green tea and have a green door."
    )
    await process_message(store, user, extractor, "I like green tea. I painted my green door.")
    negation = extractor_returning(fact("No longer likes green tea", "I no longer like green tea", replaces=1))
    await process_message(store, user, negation, "I no longer like green tea.", minute=1)
    episodes = await read_documents(store, namespaces.memories(user, "episodic"))
    texts = {episode["text"] for episode in episodes}
    assert texts & {"User: have a green door.", "I painted my green door."}
    assert "tea" not in str(texts)


async def test_the_same_value_in_the_words_of_another_message_is_kept(store: BaseStore, user: UserId) -> None:
    await process_message(store, user, extractor_returning(fact(VET.fact, VET.words)), f"{VET.words}.")
    await process_message(store, user, extractor_returning(), "My sister loves the canals of Leeds.", minute=1)
    replacing = extractor_returning(fact("Is a vet in York", "I'm a vet in York", replaces=1))
    await process_message(store, user, replacing, "I'm a vet in York.", minute=2)
    episodes = await read_documents(store, namespaces.memories(user, "episodic"))
    assert [episode["text"] for episode in episodes] == ["My sister loves the canals of Leeds."]


@pytest.mark.parametrize(
    ("home", "rest", "new_home", "value", "kept"),
    [
        ("Ich wohne in Hamburg", " und spiele Cello.", "Ich wohne jetzt in Bremen", "Hamburg", "spiele Cello"),
        ("Vivo en Sevilla", " y soy celíaca.", "Vivo en Bilbao", "Sevilla", "soy celíaca"),
        ("J'habite à Lyon", ", et j'ai deux chats.", "J'habite à Lille", "Lyon", "j'ai deux chats"),
        ("Я живу в Москве", ", играю на скрипке.", "Я живу в Казани", "Москв", "играю на скрипке"),
        ("我住在上海", "\uff0c我对花生过敏。", "我住在北京", "上海", "花生过敏"),
        ("大阪に住んでいます", "、猫を飼っています。", "東京に住んでいます", "大阪", "猫を飼"),
    ],
)
async def test_a_replacement_keeps_the_other_parts_of_a_sentence_in_every_language(  # noqa: PLR0913, PLR0917 - a table
    plain_store: BaseStore, user: UserId, home: str, rest: str, new_home: str, value: str, kept: str
) -> None:
    await process_message(plain_store, user, extractor_returning(fact(home, home)), home + rest)
    replacing = extractor_returning(fact(new_home, new_home, replaces=1))
    await process_message(plain_store, user, replacing, f"{new_home}.", minute=1)
    text = await current_texts(plain_store, user)
    assert kept in text
    assert value not in text


async def test_forgetting_keeps_the_topic_of_what_remains(store: BaseStore, user: UserId) -> None:
    extractor = extractor_returning(
        fact("Is allergic to peanuts", "I'm allergic to peanuts, shellfish and latex"),
        episode="User is allergic to peanuts, shellfish and latex.",
    )
    await process_message(store, user, extractor, "I'm allergic to peanuts, shellfish and latex.")
    await Library(store).forget(user, await find_fact(store, user, "peanuts"))
    [episode] = await read_documents(store, namespaces.memories(user, "episodic"))
    assert (episode["text"], episode["standing"]) == ("User is allergic to shellfish and latex.", True)


async def test_a_message_is_formed_without_the_statement_that_was_forgotten_from_it(
    store: BaseStore, user: UserId
) -> None:
    [item] = await add_to_inbox(store, user, inbox_item(f"{VET.words}. {ALLERGY.words}."))
    extractor = extractor_returning(fact(VET.fact, VET.words))
    await make_former(extractor).process(store, user, [item])
    await add_to_inbox(store, user, item)
    await Library(store).forget(user, await find_fact(store, user, VET.key))

    def read_again(items: Sequence[InboxItem], _: KnownMemories) -> ExtractedMemories:
        assert [item.text for item in items] == [f"{ALLERGY.words}."]
        return extraction(fact(VET.fact, VET.words), fact(ALLERGY.fact, ALLERGY.words))

    await process_inbox(store, user, make_former(ScriptedExtractor(read_again)))
    text = await all_text(store, user)
    assert "Leeds" not in text
    assert ALLERGY.fact in text


async def test_a_late_answer_does_not_restore_what_was_forgotten_from_its_message(shared: str, user: UserId) -> None:
    async with postgres_store(shared) as store:
        [item] = await add_to_inbox(store, user, inbox_item(f"{VET.words}. {ALLERGY.words}."))
        await make_former(extractor_returning(fact(VET.fact, VET.words))).process(store, user, [item])
        await add_to_inbox(store, user, item)
        await Library(store).forget(user, await find_fact(store, user, VET.key))
        await inbox.add_answer(store, user, item, f"{VET.key} is nice.")
        await inbox.add_vector(store, user, item)
        await inbox.record_failure(store, user, [item], "the model did not answer")
        assert VET.key not in await all_text(store, user)
    with psycopg.connect(shared) as connection:
        sql = "SELECT words::text FROM store_vectors WHERE position(%s in prefix) > 0"
        words = str(connection.execute(sql, (user,)).fetchall())
    assert "allergi" in words or "peanut" in words
    assert "leed" not in words
