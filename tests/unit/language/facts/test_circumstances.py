"""Questions and tasks presuppose facts about their authors, which are kept."""

import pytest

from agent.language.facts.extraction import extract_from_user
from agent.language.facts.statements import mask_unusable, statement_spans
from agent.language.message_analysis import MessageContent


def stated(message: str) -> list[str]:
    return [message[slice(*span)] for span in statement_spans(mask_unusable(message))]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("Any tax breaks for a sole trader like myself?", "a sole trader like myself"),
        ("what shoes for someone with flat feet like me", "someone with flat feet like me"),
        ("Was kocht man für einen Veganer wie mich?", "einen Veganer wie mich"),
        ("¿qué deporte va bien para un asmático como yo?", "un asmático como yo"),
        ("quel vélo pour un grand gabarit comme moi ?", "un grand gabarit comme moi"),
        ("像我这样的糖尿病人能吃芒果吗？", "像我这样的糖尿病人"),  # noqa: RUF001  Chinese punctuation
        ("ما أفضل رياضة لشخص مصاب بالربو مثلي؟", "رياضة لشخص مصاب بالربو مثلي"),
        ("En tant que diabétique, puis-je manger des dattes ?", "En tant que diabétique"),
        ("作为一个素食者，我该怎么补充蛋白质？", "作为一个素食者"),  # noqa: RUF001  Chinese punctuation
        ("كنباتي، ماذا آكل للحصول على البروتين؟", "كنباتي"),
        ("Working nights again, how do I sleep?", "Working nights again"),
        ("off work with shingles, what can I watch?", "off work with shingles"),
        ("Seit Montag wieder Spätdienst, wann soll ich schlafen?", "Seit Montag wieder Spätdienst"),
        ("Recién operado de la rodilla, ¿puedo nadar?", "Recién operado de la rodilla"),
        ("De nouveau en télétravail, comment rester actif ?", "De nouveau en télétravail"),
        ("又开始上夜班了，怎么调整作息？", "又开始上夜班了"),  # noqa: RUF001  Chinese punctuation
    ],
)
def test_what_a_question_presupposes_about_its_author_is_a_statement(message: str, words: str) -> None:
    assert stated(message) == [words]
    assert MessageContent.of(message).recallable


@pytest.mark.parametrize(
    "message",
    [
        "how do you treat a person like me?",
        "why does my cat like me",
        "how can i make a girl like me",
        "Using pandas, how do I merge two frames?",
        "Speaking of cats, can I feed mine tuna?",
        "As a rule, do I need salt?",
        "最近有什么好电影，能推荐吗？",  # noqa: RUF001  Chinese punctuation
        "كيف حالك، ماذا تفعل؟",
        "compose a limerick on a vegan butcher",
        "Complete the sentence with a colour",
        "reply to this in two lines",
    ],
)
def test_other_questions_and_requests_state_nothing(message: str) -> None:
    assert stated(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "thats awesome ty!!",
        "That's exactly what I needed",
        "Das ist ja klasse, danke dir!",
        "¡qué maravilla, mil gracias!",
    ],
)
def test_praise_is_small_talk(message: str) -> None:
    assert not MessageContent.of(message).recallable


def test_a_number_before_a_noun_is_no_lead_word() -> None:
    assert stated("My second favourite colour is teal.") == ["My second favourite colour is teal."]
    assert stated("Second favourite colour: teal.") == ["Second favourite colour: teal."]
    assert [fact.text for fact in extract_from_user("Second, I live in Bath.")] == ["Lives in Bath"]
