"""The offline model's answers to questions for what was said, and when."""

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from agent.memory.recall.tip import TipBudget, write_tip
from agent.models.offline import MEMORY_OFF, answer
from agent.models.offline_phrases import PHRASES
from agent.types import RecallResult
from support.tips import make_hit

YESTERDAY = "Said 2026-11-28, the period asked about:"
CAT = make_hit("Has a cat called Miso", last_seen="2026-11-28T09:00:00+00:00")


def _answer(question: str, heading: str, *hits: str) -> str:
    found = tuple(make_hit(text, last_seen="2026-11-28T09:00:00+00:00") for text in hits)
    tip = write_tip(RecallResult(hits=found, said=heading), TipBudget())
    return answer([SystemMessage(tip.recalled), HumanMessage(question)])


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("what did I tell you yesterday?", "You told me nothing on 28 November 2026."),
        ("was habe ich dir gestern erzählt?", "Du hast mir am 28. November 2026 nichts erzählt."),
        ("qu'est-ce que je t'ai dit hier ?", "Tu ne m'as rien dit le 28 novembre 2026."),
        ("¿qué te dije ayer?", "No me contaste nada el 28 de noviembre de 2026."),
        ("cosa ti ho detto ieri?", "Non mi hai detto nulla il 28 novembre 2026."),
        ("o que te disse ontem?", "Você não me contou nada em 28 de novembro de 2026."),
        ("wat heb ik je gisteren verteld?", "Je hebt me op 28 november 2026 niets verteld."),
        ("我昨天跟你说了什么？", "2026年11月28日你没有告诉过我什么。"),
    ],
)
def test_a_period_in_which_nothing_was_said_is_named_in_the_users_language(question: str, reply: str) -> None:
    assert _answer(question, f"{YESTERDAY} nothing.").startswith(reply)


@pytest.mark.parametrize(
    ("question", "heading", "title"),
    [
        ("what did I tell you yesterday?", YESTERDAY, "You told me on 28 November 2026:"),
        (
            "what did I tell you last night?",
            "Said 2026-11-28 17:00 to 2026-11-29 05:00, the period asked about:",
            "You told me on 28 November 2026 between 17:00 and 05:00:",
        ),
        (
            "what did I tell you last week?",
            "Said 2026-11-16 to 2026-11-22, the period asked about:",
            "You told me from 16 November 2026 to 22 November 2026:",
        ),
        ("what was the last thing I told you?", "Said last:", "The last thing that you told me, on 28 November 2026:"),
        (
            "what did we discuss last time?",
            "Said in the last conversation:",
            "Last time, on 28 November 2026, you told me:",
        ),
        ("when did I tell you about my cat?", "Said on these days:", "You told me on 28 November 2026:"),
    ],
)
def test_the_answer_names_the_time(question: str, heading: str, title: str) -> None:
    assert _answer(question, heading, CAT.text) == f"{title}\n- {CAT.text}"


@pytest.mark.parametrize(
    ("question", "first_line"),
    [
        ("did I ever mention a dog?", PHRASES["en"].nothing_known),
        ("have I told you about my cat?", "You told me on 28 November 2026:"),
        ("我跟你提过狗吗？", PHRASES["zh"].nothing_known),
    ],
)
def test_another_thing_is_no_answer_to_whether_something_was_said(question: str, first_line: str) -> None:
    assert _answer(question, "Said on these days:", CAT.text).startswith(first_line)


def test_without_memory_the_thread_of_today_is_quoted() -> None:
    off = SystemMessage(f"{MEMORY_OFF}.")
    cat = HumanMessage("I have a cat called Miso.")
    today = answer([off, cat, HumanMessage("what did I tell you today?")])
    assert "a cat called Miso" in today
    assert "a cat called Miso" not in answer([off, cat, HumanMessage("what did I tell you yesterday?")])


def test_a_statement_beside_the_question_is_noted() -> None:
    reply = answer(
        [SystemMessage(f"{YESTERDAY} nothing."), HumanMessage("I have a dog. What did I tell you yesterday?")]
    )
    assert reply == "Noted: Has a dog.\n\nYou told me nothing on 28 November 2026."
