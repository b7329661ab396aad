"""Corrections within a thread, as the offline model reads them: with what they correct ("actually 7am")."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from agent.language.grounding.checks import rejection_reason
from agent.language.references.antecedents import antecedent_in, find_antecedent
from agent.language.references.corrected_values import with_corrected_value

MAX_EARLIER_MESSAGES = 6
MAX_MESSAGES = 30
"""Of a thread, the latest; each is compared with those before it."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A message that corrects what earlier ones state."""

    index: int
    """Of the message in the thread."""
    corrected: frozenset[int]
    """The indices of the messages with the statement."""
    statement: str
    """What it corrects."""
    text: str
    """The statement with the new value, or both if the value cannot be replaced ("A → B")."""


def find_corrections(texts: Sequence[str], answering: Collection[int]) -> list[Correction]:
    """Find the messages that only correct earlier ones, in order.

    Args:
        texts: the user's messages in the thread.
        answering: the indices of those that may answer a question.
    """
    found: list[Correction] = []
    for index in range(max(1, len(texts) - MAX_MESSAGES), len(texts)):
        first = max(0, index - MAX_EARLIER_MESSAGES)
        antecedent = find_antecedent(texts[index], texts[first:index], answers_question=index in answering)
        if antecedent and antecedent.is_corrected and not antecedent.is_role:
            corrected = frozenset(first + position for position in antecedent.positions)
            both = with_corrected_value(antecedent.before(texts[index]))
            if not rejection_reason(both):
                found.append(Correction(index, corrected, antecedent.statement, both))
    return found


def corrected_statement(texts: Sequence[str], answering: Collection[int]) -> str:
    """The statement that the last message corrects, with its new value; empty if it corrects none in this way."""
    found = [one.text for one in find_corrections(texts, answering) if one.index == len(texts) - 1]
    return next((text for text in found if not antecedent_in(text)), "")
