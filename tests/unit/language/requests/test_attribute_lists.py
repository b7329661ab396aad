"""Questions for lists."""

import pytest

from agent.language.requests.attribute_lists import listed_attributes, states_any_listed


@pytest.mark.parametrize(
    ("question", "stated", "others"),
    [
        ("list my allergies", ("Is allergic to nuts", "penicillin gives me hives"), ("My wife is allergic to cats",)),
        ("which medication do I take?", ("doctor put me on metformin", "vitamin D in winter"), ("I like coffee",)),
        ("which languages do I speak?", ("learned Spanish in Mexico", "my Mandarin is getting decent"), ("I'm Welsh",)),
        ("what are my hobbies?", ("Is into birdwatching", "I do yoga"), ("Likes tea", "Works in a bank")),
        ("what instruments do I play?", ("been learning guitar since January",), ("My sister plays the harp",)),
        ("welche Allergien habe ich?", ("von Penicillin bekomme ich Ausschlag",), ("Ich mag Erdbeeren",)),
        ("che strumenti suono?", ("Suono il violino",), ("Mio fratello suona la batteria",)),
        ("am I married?", ("I'm single", "Got divorced in 2020"), ("Best friend is married",)),
    ],
)
def test_a_list_contains_statements_in_other_words(
    question: str, stated: tuple[str, ...], others: tuple[str, ...]
) -> None:
    names = listed_attributes(question)
    assert [one for one in (*stated, *others) if states_any_listed(one, names)] == list(stated)


@pytest.mark.parametrize(
    "question",
    [
        "list common allergies",
        "which languages are spoken in Switzerland?",
        "what medication do I take for my thyroid?",
        "when is my car due for its service?",
    ],
)
def test_other_questions_ask_for_no_list(question: str) -> None:
    assert not listed_attributes(question)
