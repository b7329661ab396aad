"""Messages of a thread together with the statement that they follow or change, as the offline model reads them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from agent.language.facts.extraction import own_statements
from agent.language.grounding.checks import rejection_reason
from agent.language.references.antecedents import (
    MAX_STATEMENT_CHARS,
    antecedent_in,
    find_antecedent,
    with_statements,
)
from agent.language.references.corrected_values import with_corrected_value
from agent.language.references.relations import shared_things, states_change
from agent.language.requests.sole_attributes import changed_attribute_kind, count_stated
from agent.language.revision.contradictions import contradicts
from agent.timestamps import now

MAX_EARLIER_MESSAGES = 6
MAX_MESSAGES = 30
"""Of a thread, the latest; each is compared with those before it."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A message that corrects, continues or changes what earlier ones state ("actually 7am", "Kiki died")."""

    index: int
    """Of the message in the thread."""
    followed: frozenset[int]
    """The indices of the messages with the statement."""
    statement: str
    text: str
    """The statement with the new value, or both if no value can be replaced ("A → B", "A … B")."""


def find_follow_ups(texts: Sequence[str], answering: Collection[int]) -> list[FollowUp]:
    """Find the messages that are read together with earlier ones, in order.

    Args:
        texts: the user's messages in the thread.
        answering: the indices of those that may answer a question.
    """
    indices = range(max(1, len(texts) - MAX_MESSAGES), len(texts))
    return [one for one in (_find(texts, index, answering) for index in indices) if one]


def follows_statement(texts: Sequence[str], answering: Collection[int]) -> bool:
    """Check whether the last message is read together with earlier ones."""
    return _find(texts, len(texts) - 1, answering) is not None


def corrected_statement(texts: Sequence[str], answering: Collection[int]) -> str:
    """The statement that the last message corrects, with its new value; empty if it corrects none in this way."""
    found = _find(texts, len(texts) - 1, answering)
    return found.text if found and not antecedent_in(found.text) else ""


def _find(texts: Sequence[str], index: int, answering: Collection[int]) -> FollowUp | None:
    """The message at an index with what it follows; None without that, or if the text must not be repeated."""
    found = _follow_up(texts, index, answers_question=index in answering) or _change(texts, index)
    return found if found and not rejection_reason(found.text) else None


def _follow_up(texts: Sequence[str], index: int, *, answers_question: bool) -> FollowUp | None:
    first = max(0, index - MAX_EARLIER_MESSAGES)
    antecedent = find_antecedent(texts[index], texts[first:index], answers_question=answers_question)
    if antecedent is None or antecedent.is_role:
        return None
    followed = frozenset(first + position for position in antecedent.positions)
    both = with_corrected_value(antecedent.before(texts[index]))
    return FollowUp(index, followed, antecedent.statement, both)


def _change(texts: Sequence[str], index: int) -> FollowUp | None:
    """A change of what one earlier message states, unless it makes this untrue by itself."""
    change = texts[index]
    kind = changed_attribute_kind(change)
    if len(change) > MAX_STATEMENT_CHARS or not (kind or states_change(change)):
        return None
    earlier = list(_statements(texts, index))
    position, statement = max(earlier, key=lambda one: len(shared_things(change, one[1])), default=(0, ""))
    if not shared_things(change, statement):
        sole = [one for one in earlier if kind and count_stated(kind, one[1])]
        position, statement = sole[0] if len(sole) == 1 else (0, "")
    if not statement or contradicts(change, statement, stated_at=now()):
        return None
    both = with_corrected_value(with_statements([statement], change))
    return FollowUp(index, frozenset({position}), statement, both)


def _statements(texts: Sequence[str], index: int) -> Iterator[tuple[int, str]]:
    for position in range(max(0, index - MAX_EARLIER_MESSAGES), index):
        for statement in own_statements(texts[position]):
            yield position, statement
