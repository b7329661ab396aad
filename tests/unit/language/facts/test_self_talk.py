"""What users say about their own message is neither a fact nor a preference."""

import pytest

from agent.language.facts.addressed import is_self_talk
from agent.language.facts.extraction import extract_from_user
from support.growth import HOSTILE_CHARS, MAX_GROWTH, growth
from support.statements import stated


@pytest.mark.parametrize(
    "message",
    [
        "let me start over",
        "Let me rephrase that.",
        "Lass mich nochmal von vorn anfangen.",
        "Déjame empezar de nuevo",
        "Laisse-moi recommencer",
        "Fammi ricominciare",
        "Deixa-me recomeçar",
        "Laat me opnieuw beginnen",
        "forget it, i'll figure it out myself",
        "never mind, I'll do it myself",
        "vergiss es, ich mach das selbst",
        "olvídalo, ya lo hago yo",
        "laisse tomber, je le ferai moi-même",
        "lascia stare, ci penso io",
        "esquece, eu faço",
        "laat maar, ik doe het zelf",
    ],
)
def test_self_talk_states_nothing(message: str) -> None:
    assert stated(message) == []
    assert extract_from_user(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "Forget it, I'm vegan.",
        "let me start with my son, he has asthma",
        "Never mind, I live in Ulm myself.",
        "let me know when you are unsure",
    ],
)
def test_a_statement_or_a_wish_is_no_self_talk(message: str) -> None:
    assert not is_self_talk(message)
    assert stated(message) or extract_from_user(message)


@pytest.mark.parametrize("message", ["let me just say: I hate mushrooms", "Let me add: my cat is called Bo"])
def test_the_introduction_of_a_statement_is_no_preference(message: str) -> None:
    assert stated(message) == [message]
    assert not any(fact.kind == "procedural" for fact in extract_from_user(message))


@pytest.mark.parametrize(
    ("message", "statement"),
    [
        (
            "Don't forget to remind me that the bins go out on Thursdays",
            "Don't forget to remind me that the bins go out on Thursdays",
        ),
        ("Don't forget that I work nights.", "I work nights."),
    ],
)
def test_a_request_for_a_reminder_is_kept_whole(message: str, statement: str) -> None:
    assert stated(message) == [statement]
    assert not any(fact.kind == "procedural" for fact in extract_from_user(message))


@pytest.mark.parametrize("unit", ["let me just ", "forget it, ", "never mind, i'll ", "ok, "])
def test_self_talk_is_found_in_linear_time(unit: str) -> None:
    assert growth(is_self_talk, unit, chars=HOSTILE_CHARS) < MAX_GROWTH
