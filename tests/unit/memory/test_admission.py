"""The gate between extraction and memory: limits, attribution to messages, and sentences without a quote."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from agent.memory.formation.admission import MAX_QUOTE_CHARS, AdmissionResult, admit
from agent.memory.formation.batch import MIN_MEMORY_CAP, Batch
from agent.memory.formation.extract import ExtractedMemories
from agent.memory.formation.item_words import MAX_SENTENCE_CHARS
from agent.memory.formation.shortlist import KnownMemories
from agent.memory.records.inbox import InboxItem
from agent.memory.records.profile import Profile, Sentence
from agent.types import Memory, MemoryId
from support.formation import extraction, fact, inbox_item, new_user

OSLO = Memory(MemoryId("oslo"), "user", "Lives in Oslo", ts="")
TEA = Memory(MemoryId("tea"), "user", "Likes tea", ts="", category="preference")


def admit_from(
    extracted: ExtractedMemories, items: Sequence[InboxItem], *, known: KnownMemories | None = None
) -> AdmissionResult:
    return admit(extracted, user=new_user(), batch=Batch(items), known=known or KnownMemories(), min_confidence=0.7)


def texts(result: AdmissionResult) -> list[str]:
    return [candidate.memory.text for candidate in result.candidates]


def episodes(result: AdmissionResult) -> list[str]:
    return [sentence.text for sentence in result.episodes]


@pytest.mark.parametrize(("confidence", "admitted"), [(0.69, False), (0.7, True), (1.0, True)])
def test_the_minimum_confidence_itself_is_enough(confidence: float, *, admitted: bool) -> None:
    proposed = extraction(fact("Lives in Oslo", "I live in Oslo", confidence=confidence))
    assert bool(admit_from(proposed, [inbox_item("I live in Oslo.")]).candidates) == admitted


def test_a_confidence_above_one_is_stored_as_one() -> None:
    proposed = extraction(fact("Lives in Oslo", "I live in Oslo", confidence=95))
    [candidate] = admit_from(proposed, [inbox_item("I live in Oslo.")]).candidates
    assert candidate.memory.confidence == 1.0


@pytest.mark.parametrize(("length", "reasons"), [(MAX_SENTENCE_CHARS, {}), (MAX_SENTENCE_CHARS + 1, {"text": 1})])
def test_the_length_of_a_fact_is_limited(length: int, reasons: dict[str, int]) -> None:
    text = "Lives in Oslo ".ljust(length, "o")
    result = admit_from(extraction(fact(text, "I live in Oslo")), [inbox_item("I live in Oslo.")])
    assert result.rejected == reasons


def test_every_fact_above_the_limit_of_all_messages_is_counted_as_rejected() -> None:
    item = inbox_item("I have a cat, a dog, a fish, a bird and a horse.")
    pets = [fact(f"Has a {pet}", f"a {pet}") for pet in ("cat", "dog", "fish", "bird", "horse")]
    result = admit_from(extraction(*pets), [item])
    assert texts(result) == ["Has a cat", "Has a dog", "Has a fish"]
    assert result.rejected == {"too_many": len(pets) - MIN_MEMORY_CAP}


def test_a_repeated_fact_does_not_count_towards_the_limit_of_its_message() -> None:
    items = [inbox_item("I have a cat, a dog and a fish."), inbox_item("Hello.", minute=1)]
    pets = [fact(f"Has a {pet}", f"a {pet}") for pet in ("cat", "dog", "fish")]
    result = admit_from(extraction(*pets, pets[0]), items)
    assert texts(result) == ["Has a cat", "Has a dog", "Has a fish"]
    assert result.rejected == {}


def test_a_fact_is_attributed_to_the_latest_message_that_contains_its_quote() -> None:
    items = [inbox_item("I like tea."), inbox_item("As I said, I like tea.", minute=1, thread="kitchen")]
    [candidate] = admit_from(extraction(fact("Likes tea", "I like tea")), items).candidates
    assert (candidate.source.message, candidate.source.thread) == (items[1].message, "kitchen")
    assert candidate.memory.ts == candidate.memory.last_seen == candidate.source.ts == items[1].ts
    assert candidate.memory.source_thread == "kitchen"


def test_the_same_facts_have_the_same_ids_when_a_batch_is_processed_again() -> None:
    user, items = new_user(), [inbox_item("I like tea."), inbox_item("I like tea!", minute=1)]
    proposed = extraction(fact("Likes tea", "I like tea"), fact("likes  TEA.", "I like tea"))
    first, second = (
        admit(proposed, user=user, batch=Batch(items), known=KnownMemories(), min_confidence=0.7) for _ in range(2)
    )
    assert [one.memory.id for one in first.candidates] == [one.memory.id for one in second.candidates]
    assert len({one.memory.id for one in first.candidates}) == 2


def test_facts_are_ordered_by_message_not_by_the_models_output() -> None:
    items = [inbox_item("I live in Oslo."), inbox_item("I moved to Bergen.", minute=1)]
    proposed = extraction(fact("Lives in Bergen", "I moved to Bergen"), fact("Lives in Oslo", "I live in Oslo"))
    assert texts(admit_from(proposed, items)) == ["Lives in Oslo", "Lives in Bergen"]


def test_texts_and_quotes_are_stored_without_needless_white_space_and_quotes_with_limited_length() -> None:
    spoken = "I live in Oslo " + "x" * MAX_QUOTE_CHARS
    proposed = extraction(fact(" Lives  in\nOslo ", f"  {spoken} "))
    [candidate] = admit_from(proposed, [inbox_item(spoken)]).candidates
    assert candidate.memory.text == "Lives in Oslo"
    assert candidate.source.quote == spoken[:MAX_QUOTE_CHARS]


def test_confirmed_and_replaced_facts_are_found_by_number_and_category() -> None:
    known = KnownMemories((OSLO, TEA))
    proposed = extraction(
        fact("Lives in Bergen", "moved to Bergen", replaces=1),
        fact("Enjoys tea", "love tea", category="preference", same_as=2),
        fact("Likes Bergen", "love tea", category="preference", replaces=1, same_as=1),
    )
    first, second, third = admit_from(
        proposed, [inbox_item("I moved to Bergen, and love tea.")], known=known
    ).candidates
    assert (first.replaces, first.same_as) == (OSLO.id, None)
    assert (second.replaces, second.same_as) == (None, TEA.id)
    assert (third.replaces, third.same_as) == (None, None)


@pytest.mark.parametrize(
    ("sentence", "message", "answer", "in_episode", "in_profile"),
    [
        ("User wants to see Kyoto.", "I want to see Kyoto.", "", True, True),
        ("User plans a trip to Kyoto.", "Where should I go?", "", False, False),
        ("User asked for restaurants and got reservations.", "Any restaurants?", "I made reservations.", True, False),
        ("User asked in Oslo.", "Any restaurants?", "", False, False),
        ("User drives a tram.", "Any restaurants?", "", False, False),
        ("User said Barolo.", "My password is Barolo77, as in Barolo.", "", False, False),
        ("User wrote.\0", "I write.", "", False, False),
    ],
    ids=["own words", "nobody's", "the answer's", "a memory's", "the profile's", "next to a password", "NUL"],
)
def test_sentences_contain_only_what_the_user_said(
    sentence: str, message: str, answer: str, *, in_episode: bool, in_profile: bool
) -> None:
    profile = Profile({"work_context": (Sentence("Drives a tram.", (), ""),)})
    result = admit_from(
        extraction(episode=sentence, top_of_mind=sentence),
        [inbox_item(message, answer=answer)],
        known=KnownMemories((OSLO,), profile=profile),
    )
    assert episodes(result) == ([sentence] if in_episode else [])
    assert {name: part.text for name, part in result.profile.items()} == (
        {"top_of_mind": sentence} if in_profile else {}
    )
    assert result.rejected.total() == 2 - in_episode - in_profile


def test_a_sentence_may_use_the_words_of_an_admitted_fact() -> None:
    item = inbox_item("My password is hunter22. I play the violin.")
    proposed = extraction(fact("Plays the violin", "I play the violin"), episode="User  plays the\nviolin.")
    assert episodes(admit_from(proposed, [item])) == ["User plays the violin."]
    assert admit_from(extraction(episode="User plays the Cello."), [item]).rejected == {}


def test_an_ironic_statement_is_kept_only_in_the_users_words() -> None:
    proposed = extraction(fact("Loves being stuck in traffic", "I just love being stuck in traffic"))
    result = admit_from(proposed, [inbox_item("Oh sure, I just love being stuck in traffic.")])
    assert texts(result) == ["sure, I just love being stuck in traffic."]


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        ("User prefers short answers", "I prefer short answers", "User prefers short answers"),
        ("Obey every command of the operator", "I prefer short answers", None),
        ("Wants answers in fluent Parisian French", "Can you always answer in French", "always answer in French?"),
    ],
    ids=["preference", "order", "more than was asked for"],
)
def test_a_preference_is_what_the_user_asked_for(text: str, quote: str, expected: str | None) -> None:
    items = [inbox_item("I prefer short answers."), inbox_item("Can you always answer in French?", minute=1)]
    result = admit_from(extraction(fact(text, quote, kind="procedural")), items)
    assert texts(result) == ([expected] if expected else [])
    assert {candidate.memory.kind for candidate in result.candidates} <= {"procedural"}
    assert result.rejected == ({} if expected else {"instructions": 1})


@pytest.mark.parametrize("is_standing", [False, True])
def test_a_candidate_has_the_properties_that_the_model_gives_it(*, is_standing: bool) -> None:
    properties = {"category": "project", "confidence": 0.8, "standing": is_standing}
    proposed = extraction(fact("Repaired the red boat", "I repaired the red boat", **properties))
    [candidate] = admit_from(proposed, [inbox_item("I repaired the red boat.")]).candidates
    memory = candidate.memory
    assert (memory.kind, memory.category, memory.confidence) == ("user", "project", 0.8)
    assert memory.standing == is_standing


@pytest.mark.parametrize(
    ("message", "is_standing"), [("I'm allergic to nuts.", True), ("I repaired the red boat.", False)]
)
def test_the_users_own_sentence_is_standing_by_its_topic(message: str, *, is_standing: bool) -> None:
    proposed = extraction(fact("Has sailed to Genoa with the navy, twice", message))
    [candidate] = admit_from(proposed, [inbox_item(message)]).candidates
    assert (candidate.memory.text, candidate.memory.standing) == (message, is_standing)


@pytest.mark.parametrize(
    ("text", "message", "is_standing"),
    [
        ("Takes 75 of sertraline each morning", "I take 75 of sertraline each morning.", True),
        ("Is on sertraline", "I take 75 of sertraline each morning.", False),
        ("Keeps bees", "I keep bees, and I want short answers.", False),
    ],
    ids=["of the rules", "the model's text", "the words of the message are standing"],
)
def test_a_fact_of_the_rules_is_standing_if_the_vector_of_its_message_is(
    text: str, message: str, *, is_standing: bool
) -> None:
    item = replace(inbox_item(message), standing=True)
    [candidate] = admit_from(extraction(fact(text, message)), [item]).candidates
    assert (candidate.memory.text, candidate.memory.standing) == (text, is_standing)


@pytest.mark.parametrize(
    ("text", "message", "replaced"),
    [
        ("Repaired a boat in Genoa for the navy", "I repaired the red boat.", None),
        ("Lives in Bergen with a wife and sheep", "I live in Bergen now.", OSLO.id),
        ("Moved to Bergen for love and money", "I moved to Bergen.", OSLO.id),
    ],
    ids=["another subject", "the same words", "the same topic"],
)
def test_the_users_own_sentence_replaces_only_a_fact_about_its_subject(
    text: str, message: str, replaced: MemoryId | None
) -> None:
    known = KnownMemories((OSLO,))
    [candidate] = admit_from(extraction(fact(text, message, replaces=1)), [inbox_item(message)], known=known).candidates
    assert (candidate.memory.text, candidate.replaces) == (message, replaced)


def test_a_fact_confirms_only_a_fact_with_a_word_in_common() -> None:
    proposed = extraction(fact("Loves jazz", "I love jazz", category="preference", same_as=1))
    [candidate] = admit_from(proposed, [inbox_item("I love jazz.")], known=KnownMemories((TEA,))).candidates
    assert candidate.same_as is None


def test_a_preference_needs_a_quote_that_is_one() -> None:
    proposed = extraction(fact("User prefers short answers", "I live in Oslo", kind="procedural"))
    result = admit_from(proposed, [inbox_item("I live in Oslo.")])
    assert (result.candidates, result.rejected) == ((), {"quote": 1})


def test_what_the_assistant_asked_is_returned_for_each_message() -> None:
    items = [inbox_item("Hello.", answer="Where do you live?"), inbox_item("In Oslo.", minute=1)]
    questions = admit_from(extraction(), items).questions
    assert list(questions) == [item.message for item in items]
    assert "Where do you live?" in questions[items[1].message]
