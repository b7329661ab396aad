"""What requests to forget select, in several languages: what they name, or memories of an attribute."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent.language.requests.memory_requests import memory_requests, refers_to_own_message, remaining_text
from agent.memory.editing.selection import Selection, Statement, select

DATA = Path(__file__).parents[1] / "data"


def rows(*kinds: str) -> list[dict[str, Any]]:
    texts = [(DATA / f"forgetting_{name}.jsonl").read_text(encoding="utf-8") for name in ("tuning", "held_back")]
    found = [json.loads(line) for text in texts for line in text.splitlines()]
    return [row for row in found if row["kind"] in kinds]


def selected(message: str, *memories: str) -> Selection:
    [request] = memory_requests(message)
    return select(request, [Statement(str(n), text, "") for n, text in enumerate(memories)])


def texts(statements: tuple[Statement, ...]) -> list[str]:
    return [one.text for one in statements]


@pytest.mark.parametrize("row", rows("thing", "attribute"), ids=lambda row: str(row["message"]))
def test_a_request_selects_what_it_means_and_is_certain_of_nothing_else(row: dict[str, Any]) -> None:
    selection = selected(row["message"], *row["memories"])
    assert set(row["means"]) <= {*texts(selection.certain), *texts(selection.offered)}
    assert set(texts(selection.certain)) <= set(row["means"])


@pytest.mark.parametrize("row", rows("attribute"), ids=lambda row: str(row["message"]))
def test_memories_of_an_attribute_are_only_offered(row: dict[str, Any]) -> None:
    assert selected(row["message"], *row["memories"]).certain == ()


@pytest.mark.parametrize("row", rows("within"), ids=lambda row: str(row["message"]))
def test_what_the_same_message_withdraws_is_not_read(row: dict[str, Any]) -> None:
    message = row["message"]
    [request] = memory_requests(message)
    assert refers_to_own_message(message, request)
    assert remaining_text(message, [request]) == ""


@pytest.mark.parametrize("row", rows("previous"), ids=lambda row: str(row["message"]))
def test_a_message_of_its_own_withdraws_the_previous_one(row: dict[str, Any]) -> None:
    [request] = memory_requests(row["message"])
    assert request.scope == "previous"
    assert not refers_to_own_message(row["message"], request)


@pytest.mark.parametrize("row", rows("ordinary"), ids=lambda row: str(row["message"]))
def test_an_ordinary_message_is_no_request(row: dict[str, Any]) -> None:
    assert memory_requests(row["message"]) == []


@pytest.mark.parametrize(
    ("message", "memories"),
    [
        ("forget bridge", ["Plays bridge on Mondays"]),
        ("Forget winter!", ["Hates winter"]),
        ("Delete the boiler service.", ["Boiler service on Tuesday"]),
        ("Forget the boiler service, Margaret handled it.", ["Boiler service on Tuesday"]),
        ("Forget the shellfish.", ["Is allergic to shellfish"]),
        ("Forget the piano lessons.", ["Does not take piano lessons"]),
        ("Forget the piano lessons.", ["Sister takes piano lessons"]),
        ("Forget the piano lessons.", ["Piano lessons on Monday", "Piano lessons in June"]),
        ("Forget my job.", ["Hates the job", "Works at Siemens"]),
    ],
)
def test_what_may_not_be_meant_is_offered(message: str, memories: list[str]) -> None:
    selection = selected(message, *memories)
    assert selection.certain == ()
    assert set(texts(selection.offered)) == set(memories)


@pytest.mark.parametrize(
    ("message", "memories"),
    [
        ("Forget my job.", ["Mother works at Siemens", "Likes tea"]),
        ("Forget my address.", ["My sister lives in Oslo"]),
        ("Forget the harp.", ["Plays the violin"]),
        ("Forget my dog.", ["Has two cats"]),
    ],
)
def test_nothing_is_offered_that_is_about_something_else(message: str, memories: list[str]) -> None:
    assert selected(message, *memories) == Selection()


@pytest.mark.parametrize(
    ("words", "scope", "text"),
    [
        ("bridge", "words", "bridge"),
        ("Plays bridge on Mondays", "words", "Plays bridge on Mondays"),
        ("that I live in Oslo", "statement", "I live in Oslo"),
        ("my job", "subject", "my job"),
        ("where I live", "question", "where I live"),
        ("everything about my ex", "topic", "my ex"),
        ("what I just said", "previous", ""),
        ("everything", "all", ""),
    ],
)
def test_words_after_a_colon_name_what_to_forget_in_any_form(words: str, scope: str, text: str) -> None:
    [request] = memory_requests(f"Forget: {words}")
    assert (request.action, request.scope, request.text) == ("forget", scope, text)


@pytest.mark.parametrize(
    ("message", "rest"),
    [
        ("Forget I said that, I was only joking.", "I was only joking."),
        ("My crush is Alex (forget I said that).", ""),
        ("My mum told me that she is ill, forget I said that.", ""),
        (
            "My boss is mean. Forget I said that. What is the capital of Norway?",
            "What is the capital of Norway?",
        ),
        ("My crush is Alex, forget I said that, what should I cook?", "what should I cook?"),
        (
            "Forget my previous message, translate this instead: Guten Tag",
            "Forget my previous message, translate this instead: Guten Tag",
        ),
        ("Thanks! Forget what I just said.", "Thanks!"),
        ("He said, forget I said that.", "He said, forget I said that."),
        ("Forget that, let's talk about pasta.", "Forget that, let's talk about pasta."),
    ],
)
def test_a_withdrawal_removes_only_what_it_means(message: str, rest: str) -> None:
    assert remaining_text(message, memory_requests(message)) == rest


@pytest.mark.parametrize(
    "message",
    [
        "I'm smart but forget my keys all the time",
        "I try but forget that I left the oven on",
        "I drink and forget what I said",
        "My week - forget my phone, find my phone",
        "我总是忘记我的钥匙",
        "il est gentil mais oublie mes clés",
    ],
)
def test_forgetting_that_happens_is_no_request(message: str) -> None:
    assert memory_requests(message) == []
