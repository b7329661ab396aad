"""The offline model prefers statements that contain what a question asks for, and claims no others as the answer."""

import time

import pytest
from langchain_core.messages import HumanMessage, SystemMessage

from agent.models.offline import answer
from agent.models.offline_phrases import PHRASES
from agent.models.offline_questions import KINDS, kind_of

QUOTED, CLOSEST = PHRASES["en"].quoted, PHRASES["en"].closest
MAX_SECONDS = 2.0
"""For a hostile text of 4,000 characters, on a busy computer."""


def reply_to(question: str, *memories: str) -> str:
    return answer([SystemMessage("\n".join(f"- {one}" for one in memories)), HumanMessage(question)])


@pytest.mark.parametrize(
    ("question", "memory", "other"),
    [
        ("How old is Ruby?", "Daughter Ruby is 7", "Ruby loves ballet"),
        ("How old is Ruby?", "Ruby turned seven last week", "Ruby has 2 cats"),
        ("What age is Ruby?", "Ruby is 7 years old", "Ruby likes school"),
        ("How old am I?", "Is 34", "Daughter Ruby is 7"),
        ("What does my husband do?", "Husband Tom is a plumber", "My husband snores a lot"),
        ("What does my husband do for a living?", "Husband works at Bosch", "Husband likes cheese"),
        ("What does my husband do for work?", "Husband Tom is a plumber", "Works at Tesco"),
        ("What do I do for a living?", "Is a nurse", "Lives in Leeds"),
        ("When is ballet?", "Ballet is on Wednesdays", "Ballet is expensive"),
        ("When is my exam?", "My exam is at 10:30", "My exam is about contract law"),
        ("When is my exam?", "Exam is next week", "Exam is difficult"),
        ("Where is my wedding?", "Wedding is in Florence", "Wedding is stressful"),
        ("Who is my boss?", "Boss is Priya", "Boss is strict"),
        ("What is my cat called?", "Cat is called Plum", "My cat sleeps a lot"),
        ("How many cats do I have?", "Has two cats", "Likes cats"),
        ("What do I play?", "Plays chess", "Lives in Leeds"),
        ("Where does my mum live?", "Mother lives in Seville", "Mother is ill"),
    ],
)
def test_what_the_question_asks_for_decides_between_matching_memories(question: str, memory: str, other: str) -> None:
    assert reply_to(question, other, memory) == f"{QUOTED}\n- {memory}"


def test_all_children_are_quoted() -> None:
    reply = reply_to("How old are my kids?", "Daughter Mia is 9", "Son Leo is 12", "Husband is 40")
    assert reply == f"{QUOTED}\n- Daughter Mia is 9\n- Son Leo is 12"


@pytest.mark.parametrize(
    ("question", "memory"),
    [
        ("How old is Ruby?", "Ruby loves ballet"),
        ("When is ballet?", "Ballet is expensive"),
        ("What does my husband drink?", "Husband Tom is a plumber"),
        ("When is Rex's birthday?", "Birthday is on 3 May"),
        ("Where does my sister work?", "Sister lives in Oslo"),
    ],
)
def test_a_memory_that_does_not_contain_the_answer_is_only_the_closest(question: str, memory: str) -> None:
    assert reply_to(question, memory) == f"{CLOSEST}\n- {memory}"


@pytest.mark.parametrize(
    "unit", ["what do i ", "o que ", "is 7 ", "at 7 ", "born ", "a la ", "1", "twenty-", "ist ein ", "in "]
)
def test_hostile_texts_are_matched_in_linear_time(unit: str) -> None:
    text = (unit * 4_000)[:4_000]
    for kind in KINDS:
        kind.asked.search("warm up")
        kind.is_answer("warm up")
    started = time.perf_counter()
    kind_of(text)
    for kind in KINDS:
        kind.is_answer(text)
    assert time.perf_counter() - started < MAX_SECONDS
