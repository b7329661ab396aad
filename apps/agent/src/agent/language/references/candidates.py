"""Choose the earlier messages of a user that a message may refer to."""

from collections.abc import Iterator, Sequence

from agent.language.facts.extraction import own_statements
from agent.language.pattern_files import load_patterns
from agent.language.references.event_kinds import are_different_events
from agent.language.references.own_subjects import names_own_subject, refers_to_other
from agent.language.references.own_topics import names_other_topic
from agent.language.references.references import Reference, asks
from agent.language.references.relations import shared_things
from agent.language.references.unnamed_changes import adds, adds_detail, names_no_author, tells_change
from agent.language.words.content import persons_in
from agent.language.words.parts import other_subject
from agent.language.words.values import measures_another

MAX_EARLIER_CHARS = 1_000
MAX_DISTANCE = 3
"""Messages between a statement and its correction."""

_PATTERNS = load_patterns("references/candidates.toml")


def candidates(
    reference: Reference, earlier: Sequence[str], *, distance: int = MAX_DISTANCE
) -> Iterator[tuple[int, list[str]]]:
    """The positions and statements of the messages that a message may refer to, the latest first."""
    for position in range(len(earlier) - 1, max(-1, len(earlier) - 1 - distance), -1):
        text = earlier[position]
        if adds_detail(text):  # and itself belongs to what was said before
            yield position, [text]
            continue
        statements = own_statements(text) if len(text) <= MAX_EARLIER_CHARS else []
        if not statements or (asks(text) and not _concerns_plan(reference, statements)):
            return
        yield position, statements


def detailed_statements(text: str, earlier: Sequence[str]) -> tuple[int, list[str]] | None:
    """The position and statements of the last message if a message is a time or place of them, and they have none."""
    reference = Reference(text)
    is_correction = reference.updates or bool(reference.excluded)
    if is_correction or len(text) > MAX_EARLIER_CHARS or not (adds_detail(text) and adds(reference)):
        return None
    position, statements = next(candidates(reference, earlier), (-1, []))
    is_last = position == len(earlier) - 1
    return None if not is_last or any(map(reference.has_other_value, statements)) else (position, statements)


def likely_statements(reference: Reference, last: list[str], earlier: Sequence[str]) -> tuple[int, list[str]]:
    """The position and statements of the last message, or of the one before it that names what a message changes."""
    end = len(earlier) - 1
    if _names_changed(reference, last):
        return end, last
    is_asked = any(reference.has_other_value(one) and asks(one) for one in earlier)
    return next(_related(reference, earlier), (end, [] if is_asked else last))


def is_about_another(reference: Reference, statements: Sequence[str]) -> bool:
    """Check whether a message is about another topic than statements, or only about its author ("They moved me up")."""
    if all(are_different_events(reference.plain, one) or names_other_topic(reference, one) for one in statements):
        return True
    if names_own_subject(reference) and not renews(reference, statements):
        return not any(_shares_thing(reference, one) or reference.repeats_value(one) for one in statements)
    if _names_changed(reference, statements):
        return False
    if _is_about_another_relative(reference, statements) or measures_another(reference.plain, " ".join(statements)):
        return True
    if _PATTERNS["changes_topic"].search(reference.plain):
        return True
    return _PATTERNS["moves_author"].search(reference.plain) is not None and all(map(names_no_author, statements))


def _is_about_another_relative(reference: Reference, statements: Sequence[str]) -> bool:
    """Check whether a message begins with a relative, and statements name only others ("mum lives with us now")."""
    relative = persons_in(other_subject(reference.plain))
    if not relative or refers_to_other(reference):
        return False
    return all(persons_in(one) and relative.isdisjoint(persons_in(one)) for one in statements)


def renews(reference: Reference, statements: Sequence[str]) -> bool:
    """Check whether a message gives another value of something that it does not name ("…, new date is 2 July")."""
    is_new = _PATTERNS["renews"].search(reference.plain) is not None
    return is_new and any(map(reference.has_other_value, statements))


def _names_changed(reference: Reference, statements: Sequence[str]) -> bool:
    same = [one for one in statements if not names_other_topic(reference, one)]
    return any(map(reference.has_other_value, same)) or any(_shares_thing(reference, one) for one in statements)


def _shares_thing(reference: Reference, statement: str) -> bool:
    return reference.shares_word(statement) and bool(shared_things(reference.text, statement))


def _related(reference: Reference, earlier: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The positions and statements of the messages that name what a message changes, the latest first.

    A correction, or another value of the same kind, concerns a request rather than what was stated before it.
    """
    first = max(0, len(earlier) - MAX_DISTANCE) if reference.corrects else 0
    for position in range(len(earlier) - 1, first - 1, -1):
        text = earlier[position]
        if (reference.updates or reference.has_other_value(text)) and asks(text):
            return
        is_named = len(text) <= MAX_EARLIER_CHARS and _names_changed(reference, [text])
        statements = [one for one in own_statements(text) if not asks(one)] if is_named else []
        if _names_changed(reference, statements):
            yield position, statements


def _concerns_plan(reference: Reference, statements: Sequence[str]) -> bool:
    """Check whether a message says what became of a plan, whatever was asked about it, or respells a name in it."""
    return reference.ends or tells_change(reference) or reference.respells(statements)
