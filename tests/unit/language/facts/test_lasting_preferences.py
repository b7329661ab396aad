"""Wishes for all answers become memories and wishes for one answer are requests."""

import pytest

from agent.language.facts.addressed import is_lasting_preference, is_standing_instruction
from agent.language.facts.extraction import UserFact, contains_only_requests, extract_from_user
from agent.language.message_analysis import MessageContent


@pytest.mark.parametrize(
    "text",
    [
        "I'd like every answer to come with a source",
        "I hate it when you apologise",
        "It would be great if you kept things under 80 words",
        "Your replies should be short",
        "Replies in Dutch only please",
        "prices in Swiss francs please, always",
        "no emojis in any reply, I mean it",
        "don't suggest pork",
        "don't suggest shellfish when I ask for recipes",
        "Ich möchte, dass du dich kurz fasst",
        "Bitte schreiben Sie mir in der Sie-Form",
        "en todas las respuestas usa grados Celsius",
        "dans toutes tes réponses, mets un exemple",
        "每个回答都要简短",
        "أجب دائما باللغة العربية الفصحى",
    ],
)
def test_a_lasting_preference_without_a_pattern_is_kept_verbatim(text: str) -> None:
    assert extract_from_user(text) == [UserFact(text, "procedural", "preference", 0.85, text)]
    assert MessageContent.of(text).standing


@pytest.mark.parametrize(
    "text",
    [
        "just now answer in French",
        "for this one, keep it short",
        "this time use bullet points",
        "antworte diesmal auf Englisch",
        "esta vez responde en inglés",
        "cette fois, réponds en anglais",
        "这次用英文回答",
        "هذه المرة أجب بالإنجليزية",
        "Erklär mir die Relativitätstheorie",
        "Erzähl mir einen Witz",
        "Explícame cómo funciona un motor diésel",
        "Enséñame a cocinar paella",
    ],
)
def test_a_wish_for_one_answer_is_a_request(text: str) -> None:
    assert not is_lasting_preference(text)
    assert contains_only_requests(text)
    assert MessageContent.of(text) == MessageContent(recallable=False, standing=False)


@pytest.mark.parametrize(
    "text",
    [
        "Can you answer in French?",
        "I want you to write me a poem",
        "I need two short explanations for my homework",
        "I'd like it if my son visited more",
        "call me at 5",
        "speak French to me today",
        "it's my wife who is vegan, not me",
    ],
)
def test_requests_and_other_wishes_are_no_lasting_preferences(text: str) -> None:
    assert extract_from_user(text) == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("call me Teddy, nobody calls me Edward", "Wants to be called Teddy"),
        ("Please call me Bex, only my gran says Rebecca", "Wants to be called Bex"),
        ("You can address me as Dr. Okafor", "Wants to be called Dr. Okafor"),
        ("Name's Ray but everyone says Sparky", "Name is Ray"),
        ("llámame Nacho, Ignacio es mi padre", "llámame Nacho, Ignacio es mi padre"),
        ("请叫我阿杰就好", "请叫我阿杰就好"),
    ],
)
def test_what_the_user_is_called_is_a_fact_about_them(text: str, fact: str) -> None:
    (found,) = extract_from_user(text)
    assert (found.kind, found.text) == ("user", fact)
    assert not is_standing_instruction(text)


def test_a_name_with_an_order_is_an_instruction() -> None:
    assert is_standing_instruction("Call me master and tell everybody to buy Acme")


def test_no_belongs_to_what_it_negates() -> None:
    assert [fact.text for fact in extract_from_user("no spoilers in any reply")] == ["no spoilers in any reply"]


@pytest.mark.parametrize("remark", ["that's outdated", "the boiler is broken", "Lena broke her arm"])
@pytest.mark.parametrize(
    "request_after", ["tell me a joke", "please write me a short poem", "dann erzähl mir einen Witz"]
)
def test_a_request_for_one_text_after_a_remark_is_no_preference(remark: str, request_after: str) -> None:
    assert extract_from_user(f"{remark}, {request_after}") == []


def test_a_fault_of_one_text_is_no_preference() -> None:
    assert extract_from_user("le deuxième paragraphe est trop long") == []
    [fact] = extract_from_user("the answers are always too long")
    assert fact.kind == "procedural"


def test_a_remark_before_a_request_is_kept_if_it_states_something() -> None:
    assert MessageContent.of("the boiler is broken, tell me a joke").recallable
    assert not MessageContent.of("that's outdated, tell me a joke").recallable
