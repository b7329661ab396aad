"""The offline model reads a correction together with what it corrects in the thread."""

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from agent.models.offline import answer


def _reply(*messages: str) -> str:
    """The answer to the last message of a thread."""
    thread: list[BaseMessage] = []
    for message in messages:
        thread.append(HumanMessage(message))
        thread.append(AIMessage(answer(thread)))
    return thread[-1].text


@pytest.mark.parametrize(
    ("statement", "correction", "question", "corrected"),
    [
        (
            "my flight is on 3 December at 6am from Gatwick",
            "actually 7am",
            "when's my flight?",
            "my flight is on 3 December at 7am from Gatwick",
        ),
        ("my dog's name is Pepper", "sorry, Peppa", "what's my dog's name?", "my dog's name is Peppa"),
        (
            "Ich habe am Dienstag um 3 einen Zahnarzttermin",
            "nein, um 4",
            "Wann ist mein Zahnarzttermin?",
            "Ich habe am Dienstag um 4 einen Zahnarzttermin",
        ),
        (
            "Mi vuelo sale el jueves a las 6",
            "perdón, a las 7",
            "¿cuándo sale mi vuelo?",
            "Mi vuelo sale el jueves a las 7",
        ),
    ],
)
def test_the_corrected_value_is_noted_and_answers(
    statement: str, correction: str, question: str, corrected: str
) -> None:
    assert f": {corrected}." in _reply(statement, correction)
    reply = _reply(statement, correction, question)
    assert reply.endswith(f":\n- {corrected}")


@pytest.mark.parametrize(
    ("statement", "change", "question", "quoted"),
    [
        (
            "my boss is Karen",
            "Karen left, it's Tom now",
            "who is my boss?",
            "my boss is Karen … Karen left, it's Tom now",
        ),
        ("I'm 29", "turned 30 today", "how old am I?", "I'm 29 → turned 30 today"),
        ("I have a dog", "he's a beagle", "what breed is my dog?", "I have a dog … he's a beagle"),
        (
            "I take ibuprofen",
            "the doctor switched me to naproxen",
            "what do I take?",
            "I take ibuprofen → the doctor switched me to naproxen",
        ),
    ],
)
def test_a_change_is_quoted_with_what_it_changes(statement: str, change: str, question: str, quoted: str) -> None:
    assert _reply(statement, change, question).endswith(f":\n- {quoted}")


def test_a_detail_is_noted() -> None:
    assert _reply("party's on Friday", "at 8") == "Noted."


def test_of_several_corrections_the_last_one_holds() -> None:
    reply = _reply("my dentist appointment is Tuesday at 3", "sorry, 4", "no, 5", "when is my dentist appointment?")
    assert reply == "You told me:\n- my dentist appointment is Tuesday at 5"


def test_what_a_correction_does_not_concern_remains() -> None:
    reply = _reply("I live in Leeds. My dentist appointment is on Tuesday.", "sorry, Thursday", "where do I live?")
    assert "Lives in Leeds" in reply


def test_a_corrected_statement_is_forgotten_on_request() -> None:
    reply = _reply("my dog's name is Pepper", "sorry, Peppa", "forget my dog's name", "what's my dog's name?")
    assert "Pepp" not in reply


def test_a_corrected_secret_is_not_repeated() -> None:
    assert "5512" not in _reply("My bank PIN is 5521", "actually it's 5512")
