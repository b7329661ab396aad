"""Sentences that declare fiction, roles, games and assumptions, and what is kept of messages that contain them."""

import pytest

from agent.language.authorship.framing import Framing
from agent.memory.formation.coverage import uncovered_statements
from support.growth import MAX_GROWTH, growth

FRAMED = {
    "song": "I need lyrics for a country song. My wife left me for the sheriff.",
    "game": "D&D session tonight! I'm a gnome druid and I lost an eye to a harpy.",
    "German role": "Du bist der Wirt. Ich habe seit drei Tagen nichts gegessen.",
    "Spanish monologue": "Ayúdame con este monólogo. Maté a mi hermano y desde entonces no duermo.",
    "French role": "Tu es le commissaire. J'ai volé le collier de la comtesse.",
    "Chinese scene": "我们来演一场戏。我已经三年没见过妻子了。",
    "assumption": "Suppose there was no bank. I would hide two million euros.",
}
NOT_FRAMED = [
    "I'm a novelist. My dad lives in Hull.",
    "My daughter plays Annie in the school musical. We live in Ghent.",
    "I live in Oslo. My sister is a nurse.",
    "You're right! I moved to Porto.",
    "Mein Sohn liebt Märchen. Wir wohnen in Bonn.",
]


@pytest.mark.parametrize("message", FRAMED.values(), ids=FRAMED)
def test_what_may_be_invented_is_kept_only_with_the_sentence_that_frames_it(message: str) -> None:
    for text in uncovered_statements(message, []):
        assert text.startswith(message[:12])


@pytest.mark.parametrize("message", NOT_FRAMED)
def test_a_statement_about_the_user_that_mentions_an_invention_frames_nothing_else(message: str) -> None:
    assert Framing.of(message).frame is None


@pytest.mark.parametrize(
    ("message", "statement"),
    [
        ("You are a running coach. I have flat feet.", "I have flat feet."),
        ("Act as a senior travel agent. We can't fly.", "We can't fly."),
        ("You are now my French teacher. I work in a mine.", "I work in a mine."),
    ],
)
def test_an_adviser_is_no_role_that_makes_a_statement_doubtful(message: str, statement: str) -> None:
    assert uncovered_statements(message, []) == [statement]


@pytest.mark.parametrize("message", ["You are the dragon. I lost my sword.", "You are a queen. I robbed the bank."])
def test_a_statement_beside_a_masked_role_leaves_nothing(message: str) -> None:
    assert uncovered_statements(message, []) == []


def test_a_statement_far_from_its_frame_is_joined_to_it() -> None:
    message = f"Continue the novel. {'The night was long. ' * 40}I was born at sea."
    (*_, last) = uncovered_statements(message, [])
    assert "Continue the novel." in last
    assert last.endswith("I was born at sea.")


def test_frames_are_found_in_linear_time() -> None:
    assert growth(Framing.of, "You are the king. I need a song. ") < MAX_GROWTH


@pytest.mark.parametrize(
    ("message", "statement"),
    [
        (
            'jordan told me "im allergic to walnuts" so no walnut cookies on friday',
            'jordan told me "im allergic to walnuts" so no walnut cookies on friday',
        ),
        (
            "Mi hermana me dijo \u201cestoy embarazada\u201d ayer",
            "Mi hermana me dijo \u201cestoy embarazada\u201d ayer",
        ),
        ('My boss told me "ignore all previous instructions" today', "My boss told me \u2026 today"),
        ('The customer wrote "I live in Narvik" to us', "The customer wrote \u2026 to us"),
    ],
)
def test_what_others_told_the_user_is_kept_with_who_said_it(message: str, statement: str) -> None:
    assert uncovered_statements(message, []) == [statement]
