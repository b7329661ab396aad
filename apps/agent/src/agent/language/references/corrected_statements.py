"""Judge whether a message corrects certain statements, and which of them it most likely concerns."""

from collections.abc import Sequence

from agent.language.facts.extraction import extract_from_user
from agent.language.references.own_subjects import names_own_subject
from agent.language.references.own_topics import names_other_topic
from agent.language.references.references import Reference


def is_of_other(reference: Reference, statements: Sequence[str]) -> bool:
    """Check whether a message names its own subject, and statements do not."""
    return names_own_subject(reference) and not any(map(reference.shares_word, statements))


def are_related(reference: Reference, statements: Sequence[str]) -> bool:
    """Check whether a message names something that statements say, or another value in place of one of theirs."""
    if reference.ends and all(map(reference.ends_another, statements)):
        return False
    same = [one for one in statements if not names_other_topic(reference, one)]
    has_value = any(map(reference.has_other_value, same)) and not names_own_subject(reference)
    return has_value or (not reference.is_request and any(map(reference.shares_word, same)))


def corrects_last(reference: Reference, statements: Sequence[str], *, answers_question: bool) -> bool:
    """Check whether a message corrects statements of the message before it."""
    if reference.respells(statements):
        return True
    if reference.is_addition and not reference.updates:
        return False
    if reference.updates:
        is_of_another_kind = reference.is_value and not any(map(reference.has_other_value, statements))
        return reference.depends and not (reference.is_request or is_of_another_kind)
    if answers_question:
        return False
    if reference.denies_last or reference.reports_change:
        return not is_understood(reference)
    return any(reference.replaces_value(one) or reference.reports_value(one) for one in statements)


def is_understood(reference: Reference) -> bool:
    """Check whether a message asks for something, or states a fact by itself ("I play bass")."""
    return reference.is_request or bool(extract_from_user(reference.text))


def most_related(reference: Reference, statements: Sequence[str]) -> list[str]:
    """The statements that a correction most likely concerns; the others of the message are not repeated."""
    relevance = {one: reference.relevance(one) for one in statements}
    return [one for one, score in relevance.items() if score == max(relevance.values())]
