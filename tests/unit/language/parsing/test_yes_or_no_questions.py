"""Questions for a yes or no about their author."""

import pytest

from agent.language.parsing.own_questions import asks_whether


@pytest.mark.parametrize(
    "question",
    [
        "am I vegetarian?",
        "do i drink",
        "did I tell you whether I smoke?",
        "habe ich ein Auto?",
        "est-ce que je mange du porc ?",
        "¿tengo hermanos?",
        "bevo il caffè?",
        "eu fumo?",
        "heb ik een auto?",
        "我吃香菜吗？",
    ],
)
def test_a_question_for_a_yes_or_no_about_the_author(question: str) -> None:
    assert asks_whether(question)


@pytest.mark.parametrize(
    "question", ["what do I drink?", "should I smoke?", "je fais quoi dans la vie ?", "do dogs like snow?", "I smoke."]
)
def test_other_questions_are_not_for_a_yes_or_no_about_the_author(question: str) -> None:
    assert not asks_whether(question)
