"""What a question for a person or for a list recalls, whatever the similarity: statements that are certainly meant."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from agent.language.persons.questions import asks_about_person, asks_for_person, may_ask, person_answer
from agent.language.persons.roles import begins_with_person
from agent.language.requests.attribute_lists import listed_attributes, states_any_listed

MAX_CHARS = 400
MAX_MEANT = 30
"""Statements that are recalled for such a question at most."""

_SENTENCE_END = re.compile(r"(?<=[.!?\n])\s+")


@dataclass(frozen=True, slots=True)
class Meant:
    """The statements that a question means, by index."""

    statements: Sequence[int] = ()
    """The most important first."""
    of_others: Set[int] = frozenset()
    """Statements of other persons, which are no answer."""


NOTHING_MEANT = Meant()


def asks_for_several(question: str) -> bool:
    """Check whether a question may mean several statements, which are fetched in a larger number."""
    question = _last_question(question)
    if not may_ask(question):
        return False
    return asks_for_person(question) or bool(listed_attributes(question))


def meant_statements(question: str, texts: Sequence[str], *, is_about_user: bool) -> Meant:
    """Find the statements that a question for a person, an animal or a list means.

    Args:
        question: the user's message, of which the last sentence counts.
        texts: the statements of one user, by rank.
        is_about_user: whether the question is about the user.
    """
    question = _last_question(question)
    if asks_about_person(question) and (answer := person_answer(question, texts)) and answer.about:
        first = answer.naming if answer.is_general else ()
        meant = dict.fromkeys([*first, *sorted(answer.about), *answer.connecting])
        others = {n for n, text in enumerate(texts) if begins_with_person(text)} - meant.keys()
        return Meant(list(meant)[:MAX_MEANT], others)
    if is_about_user and (names := listed_attributes(question)):
        return Meant([n for n, text in enumerate(texts) if states_any_listed(text, names)][:MAX_MEANT])
    return NOTHING_MEANT


def _last_question(message: str) -> str:
    """The last sentence of a message ("My head hurts. What tablets do I take?")."""
    return _SENTENCE_END.split(message[-MAX_CHARS:].strip())[-1]
