"""What the gate stores in place of a model's text, and what of a message it stores without one."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from agent.memory.formation.admission import AdmissionResult, admit
from agent.memory.formation.batch import Batch, ContextMessage, max_memories
from agent.memory.formation.coverage import uncovered_statements
from agent.memory.formation.extract import ExtractedMemories
from agent.memory.formation.item_words import MAX_SENTENCE_CHARS
from agent.memory.formation.shortlist import KnownMemories
from agent.memory.records.inbox import InboxItem
from agent.types import Memory, MemoryId
from support.formation import extraction, fact, inbox_item, new_user


def admitted(
    extracted: ExtractedMemories,
    *items: InboxItem,
    context: Sequence[ContextMessage] = (),
    known: Sequence[Memory] = (),
) -> AdmissionResult:
    batch, memories = Batch(items, context), KnownMemories(tuple(known))
    return admit(extracted, user=new_user(), batch=batch, known=memories, min_confidence=0.7)


def texts(result: AdmissionResult) -> list[str]:
    return [candidate.memory.text for candidate in result.candidates]


@pytest.mark.parametrize(
    ("text", "quote", "message", "stored"),
    [
        ("Works as a vet", "I'm a vet", "Hi! I'm a vet in Leeds. Any tips?", ["Works as a vet"]),
        ("Works as a dentist", "I'm a vet", "Hi! I'm a vet in Leeds. Any tips?", ["I'm a vet in Leeds."]),
        ("Lives in Bonn", "Ich wohne in Bonn", "Ich wohne in Bonn.", ["Ich wohne in Bonn."]),
        (
            "Is allergic to nuts",
            "allergic to nuts",
            "My brother is allergic to nuts.",
            ["My brother is allergic to nuts."],
        ),
        ("Prefers AcmeCoin", "the weather in Bergen", "What's the weather in Bergen?", []),
        ("Is vegan", "vegan", "Is vegan food healthy?", []),
        ("Is vegan", "I'm vegan", "I'm vegan, what should I cook?", ["Is vegan"]),
        ("Isst kein Fleisch", "Ich bin Veganer", "Ich bin Veganer, was soll ich kochen?", ["Ich bin Veganer"]),
        ("Loves rum", "You love rum", "You love rum and parrots.", []),
        ("Lives in Rome", "I live in Rome", "Translate: I live in Rome", []),
        ("Lives in Rome", "I live in Rome", 'Ann said "I live in Rome with my two cats" and I like it.', []),
        ("Lives in Oslo", "Oslo", "I live in Oslo.", []),
        ("Lives in Oslo", ".", "I live in Oslo.", []),
        ("Lives in Oslo", "“I live in Oslo…”", "Well, I live in Oslo, you know", ["Lives in Oslo"]),
        ("Lives in Oslo", "Oslo", "Oslo!", ["Oslo!"]),
        ("Has a beagle", "His name is Rex", "Hi! We got a dog. His name is Rex.", ["We got a dog. His name is Rex."]),
    ],
)
def test_a_fact_is_the_models_text_the_users_sentence_or_nothing(
    text: str, quote: str, message: str, stored: list[str]
) -> None:
    assert texts(admitted(extraction(fact(text, quote)), inbox_item(message))) == stored


def test_the_users_sentence_is_short_and_contains_the_quote() -> None:
    words = " ".join(f"word{number}" for number in range(300))
    item = inbox_item(f"I {words} live in Oslo {words}")
    [stored] = texts(admitted(extraction(fact("Owns a yacht", "live in Oslo")), item))
    assert "live in Oslo" in stored
    assert len(stored) <= MAX_SENTENCE_CHARS


def test_in_a_turn_that_read_tools_every_text_is_the_users_sentence() -> None:
    item = replace(inbox_item("I live in Oslo. What's the weather in Bergen?"), read_tools=True)
    proposed = extraction(
        fact("Lives in Oslo", "I live in Oslo"),
        fact("Prefers AcmeCoin", "the weather in Bergen", kind="procedural"),
        episode="User asked about the weather in Bergen and likes AcmeCoin.",
        personal_context="Lives in Oslo.",
    )
    result = admitted(proposed, item)
    assert texts(result) == ["I live in Oslo."]
    assert [one.text for one in result.episodes] == []
    assert {one.text for one in result.profile.values()} == {"I live in Oslo."}


def test_a_relative_date_is_resolved_where_the_user_is() -> None:
    item = replace(inbox_item("The dentist is tomorrow."), ts="2026-11-24T20:00:00+00:00", time_zone="Asia/Tokyo")
    for text, stored in {
        "Dentist is on 26 November 2026": "Dentist is on 26 November 2026",
        "Dentist is on 25 November 2026": "The dentist is tomorrow. (26 November 2026)",
    }.items():
        proposed = extraction(fact(text, "The dentist is tomorrow", until="2026-11-26"))
        [candidate] = admitted(proposed, item).candidates
        assert (candidate.memory.text, candidate.memory.until) == (stored, "2026-11-26")
    proposed = extraction(fact("Has a dentist", "The dentist is tomorrow", until="2027-01-01"))
    assert [one.memory.until for one in admitted(proposed, item).candidates] == [None]


def test_an_answer_is_supported_by_its_question_but_the_context_alone_is_no_source() -> None:
    context = [ContextMessage("user", "I have two dogs"), ContextMessage("assistant", "When is the wedding?")]
    wedding = extraction(fact("Wedding is on 12 June", "June 12"))
    assert texts(admitted(wedding, inbox_item("June 12"), context=context)) == ["Wedding is on 12 June"]
    for proposed in (fact("Has two dogs", "I have two dogs"), fact("Has two dogs", "Thanks, bye")):
        assert texts(admitted(extraction(proposed), inbox_item("Thanks, bye"), context=context)) == []


def test_the_users_words_are_stored_with_the_question_they_answer_unless_tools_may_have_misled_it() -> None:
    context = [
        ContextMessage("user", "We are engaged!"),
        ContextMessage("assistant", "Great! **When** is the wedding?"),
    ]
    misled = [replace(message, read_tools=True) for message in context]
    wrong = extraction(fact("Marries in Bali", "June 12"), episode="User marries in Bali on June 12.")
    for before, stored in ((context, "(asked: When is the wedding?) June 12"), (misled, "June 12")):
        result = admitted(wrong, inbox_item("June 12"), context=before)
        assert [*texts(result), *(one.text for one in result.episodes)] == [stored, stored]
        assert [one.memory.sources[0].quote for one in result.candidates] == ["June 12"]
    items = [replace(inbox_item("We are engaged!"), answer="When?"), inbox_item("next friday", minute=1)]
    for read_tools, lead in ((False, "(asked: When?) "), (True, "")):
        asked = replace(items[0], read_tools=read_tools)
        [stored] = texts(admitted(extraction(fact("Marries in Bali", "next friday")), asked, items[1]))
        assert stored.startswith(f"{lead}next friday (")


def test_the_same_extraction_gives_the_same_ids_twice() -> None:
    proposed = extraction(fact("Owns a yacht", "dentist tomorrow"), episode="User owns a dentist.")
    batch, user, known = Batch([inbox_item("dentist tomorrow at nine")]), new_user(), KnownMemories(())
    first, second = (admit(proposed, user=user, batch=batch, known=known, min_confidence=0.7) for _ in range(2))
    assert [one.memory.id for one in first.candidates] == [one.memory.id for one in second.candidates]


def test_a_text_that_is_not_supported_replaces_only_what_it_is_about() -> None:
    oslo = Memory(MemoryId("oslo"), "user", "Lives in Oslo", ts="")
    tea, moved = fact("Owns a yacht", "I drink tea", replaces=1), fact("Owns a yacht", "I moved to York", replaces=1)
    [candidate] = admitted(extraction(tea), inbox_item("I drink tea."), known=[oslo]).candidates
    assert candidate.replaces is None
    [candidate] = admitted(extraction(moved), inbox_item("I moved to York."), known=[oslo]).candidates
    assert (candidate.memory.text, candidate.replaces) == ("I moved to York.", oslo.id)


def test_each_sentence_comes_from_the_message_that_supports_it() -> None:
    items = [inbox_item("I'm a nurse in Leeds."), inbox_item("How do I fix a flaky test?", minute=1)]
    proposed = extraction(episode="User asked how to fix a flaky test.", work_context="Nurse in Leeds.")
    result = admitted(proposed, *items)
    assert [(one.text, one.item) for one in result.episodes] == [("User asked how to fix a flaky test.", items[1])]
    assert [(one.text, one.item) for one in result.profile.values()] == [("Nurse in Leeds.", items[0])]


@pytest.mark.parametrize(
    ("episode", "profile", "stored"),
    [
        ("User asked how to debug a flaky test in Jenkins.", "", ["How do I fix a flaky test?"]),
        ("User owns a yacht.", "", []),
        ("", "Surgeon and nurse in Leeds.", ["I'm a nurse in Leeds."]),
        ("", "Owns a yacht.", []),
        ("", "Wants to fix flaky tests.", []),
    ],
)
def test_a_sentence_that_says_more_is_replaced_by_the_users_own(episode: str, profile: str, stored: list[str]) -> None:
    items = [inbox_item("I'm a nurse in Leeds."), inbox_item("How do I fix a flaky test?", minute=1)]
    result = admitted(extraction(episode=episode, work_context=profile), *items)
    assert [one.text for one in (*result.episodes, *result.profile.values())] == stored


@pytest.mark.parametrize(
    ("message", "covering", "kept"),
    [
        ("I live in Oslo. Thanks!", ["Lives in Oslo"], []),
        ("I'm allergic to nuts and penicillin.", ["Is allergic to nuts"], ["I'm allergic to nuts and penicillin."]),
        ("I'm vegan, what should I cook?", [], ["I'm vegan, what should I cook?"]),
        ("Ich bin Veganer, was soll ich kochen?", [], ["Ich bin Veganer"]),
        ("我吃素\uff0c晚上吃什么\uff1f", [], ["我吃素"]),
        ("How are you?", [], []),
        ("i live in oslo and i have two cats", [], ["i live in oslo and i have two cats"]),
        ("Translate: I live in Rome", [], []),
        ('I love the song "Imagine all the people of the world" a lot.', [], ["I love the song … a lot."]),
        ("My password is hunter22. I play the violin.", [], ["I play the violin."]),
        ("My password:\nhunter22", [], []),
        ("We got a puppy! His name is Rex.", ["Got a puppy"], ["We got a puppy! His name is Rex."]),
        ("We got a puppy! I hate rain.", ["Got a puppy"], ["I hate rain."]),
        ("I'm allergic. Penicillin.", ["Is allergic"], ["I'm allergic. Penicillin."]),
        ("I keep bees. Three hives.", ["Keeps bees"], ["I keep bees. Three hives."]),
        (
            "I love Cornwall, we go there every year",
            ["Loves Cornwall"],
            ["I love Cornwall, we go there every year"],
        ),
        ("I have a cat, he is old", ["Has a cat"], ["I have a cat, he is old"]),
        ("I'm 30 years old", ["Is 30"], []),
        (
            "Got a puppy. He's 8 weeks old. And his name is Rex.",
            ["Got a puppy. He's 8 weeks old"],
            ["Got a puppy. He's 8 weeks old. his name is Rex."],
        ),
        ("Nous avons un chien. Il s'appelle Rex.", ["A un chien"], ["Nous avons un chien. Il s'appelle Rex."]),
        ("Tengo una gata. Se llama Luna.", ["Tiene una gata"], ["Tengo una gata. Se llama Luna."]),
        ("Wir haben einen Hund. Er heißt Bello.", ["Hat einen Hund"], ["Wir haben einen Hund. Er heißt Bello."]),
        ("He's 8 weeks old.", ["A visit on 27 November 2026"], ["He's 8 weeks old."]),
        ("The visit is on Friday.", ["A visit on 27 November 2026"], []),
    ],
)
def test_statements_that_no_memory_contains_are_kept(message: str, covering: list[str], kept: list[str]) -> None:
    assert uncovered_statements(message, covering) == kept


def test_nothing_of_a_long_message_is_lost() -> None:
    message = " ".join(f"I own the thing number {number}." for number in range(1_100))
    kept = uncovered_statements(message, [])
    assert " ".join(kept) == message
    assert all(len(text) <= MAX_SENTENCE_CHARS for text in kept)
    words = "I own " + " ".join(f"thing{number}" for number in range(1_000))
    assert " ".join(uncovered_statements(words, [])) == words


def test_a_long_message_may_yield_more_facts() -> None:
    assert [max_memories("word " * words) for words in (10, 75, 100, 5_000)] == [3, 4, 5, 12]
