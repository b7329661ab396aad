"""Find the earlier statement without which a message is not understood ("Sorry, I meant Thursday").

It is kept together with the statement. It refers to the user's last message, or corrects one shortly before, but not
one that asks for something: then it changes what is asked, unless it only moves an appointment that the request states.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from agent.language.authorship.role_play import enters_role, leaves_role
from agent.language.dates.notes import split_date_note
from agent.language.facts.extraction import own_statements
from agent.language.parsing.sentences import is_small_talk, plain_punctuation, sentences
from agent.language.references.appointments import moved_appointment
from agent.language.references.asides import counts_others, is_aside
from agent.language.references.bare_corrections import find_corrected
from agent.language.references.candidates import (
    MAX_DISTANCE,
    MAX_EARLIER_CHARS,
    candidates,
    detailed_statements,
    is_about_another,
    likely_statements,
    renews,
)
from agent.language.references.corrected_statements import (
    are_related,
    corrects_last,
    is_of_other,
    is_understood,
    most_related,
)
from agent.language.references.person_pronouns import names_referent, refers_to_person
from agent.language.references.references import Reference, asks
from agent.language.references.relations import changed_things, gives_new_value
from agent.language.references.restatements import gives_party_size, restated
from agent.language.references.unnamed_changes import (
    adds,
    adds_detail,
    concludes,
    may_change,
    names_no_author,
    tells_change,
)
from agent.language.text_cache import cache_per_user
from agent.language.words.values import has_value, wrong_values

MAX_MESSAGE_CHARS = 200
MAX_STATEMENT_CHARS = 300
MAX_ROLE_MESSAGES = 6

CORRECTS, CONTINUES = " \u2192 ", " \u2026 "
"""Separators between a statement and the message that corrects or continues it."""
_SEPARATOR = re.compile(" [\u2192\u2026] ")
_SEPARATOR_MARK = re.compile(" ?[\u2192\u2026]")
_SENTENCE_END = " ;.!?\u2026\u3002\uff01\uff1f"


@dataclass(frozen=True, slots=True)
class Antecedent:
    """The statement that a message refers to."""

    positions: tuple[int, ...]
    """Indexes of the earlier messages that contain the statement or refer to it."""
    statement: str
    """The user's own words as one line, without the ends of sentences."""
    is_corrected: bool
    """True if the message corrects it or may do so, False if it adds to it."""
    is_certain: bool = True
    """False if the message may also only add to it."""
    is_role: bool = False  # begins a role play of which the message is a part

    def before(self, text: str) -> str:
        """The message after the statement: "Meeting is on Tuesday → sorry, Thursday"."""
        return f"{self.statement}{CORRECTS if self.is_corrected and self.is_certain else CONTINUES}{text}"


def find_antecedent(text: str, earlier: Sequence[str], *, answers_question: bool) -> Antecedent | None:
    """Find the statement that a message corrects or continues; None if it is understood by itself.

    Args:
        text: the message.
        earlier: the user's earlier messages in the conversation, oldest first.
        answers_question: True if the assistant's last message ends with a question, which the message may answer.
    """
    bounded = tuple(one[: MAX_EARLIER_CHARS + 1] for one in earlier)
    return _find(text, bounded, answers_question=answers_question)


@cache_per_user(maxsize=128)  # an antecedent may have an antecedent itself, which is then found again
def _find(text: str, earlier: tuple[str, ...], *, answers_question: bool) -> Antecedent | None:
    if not earlier or is_small_talk(text):
        return None
    if role := _role_before(text, earlier):
        return role
    if detailed := None if answers_question else detailed_statements(text, earlier):
        return _antecedent(Reference(text), *detailed, earlier, is_corrected=False)
    moved = _find_appointment(text, earlier)
    if moved and asks(earlier[-1]):
        return moved
    found = _find_value(text, earlier, answers_question=answers_question)
    found = found or _find_statement(text, earlier, answers_question=answers_question) or moved
    found = _find_person(text, earlier, found) or found
    return found if found and _has_wrong_value(found.statement, text) else None


def _find_person(text: str, earlier: Sequence[str], found: Antecedent | None) -> Antecedent | None:
    """The latest statement about a person to whom a message refers ("she loves dinosaurs"), unless one was found."""
    reference = Reference(text)
    if not refers_to_person(reference) or (
        found and (found.is_corrected or names_referent(reference, found.statement))
    ):
        return None
    for position in range(len(earlier) - 1, max(-1, len(earlier) - 1 - MAX_DISTANCE), -1):
        before = earlier[position][:MAX_EARLIER_CHARS]
        statements = [] if asks(before) else own_statements(before)
        if any(names_referent(reference, one) for one in statements):
            return _antecedent(reference, position, statements, earlier, is_corrected=False)
    return None


def _has_wrong_value(statement: str, text: str) -> bool:
    """Check whether a statement has what a message calls wrong, if it calls a value wrong."""
    wrong = wrong_values(plain_punctuation(text))
    return not wrong or any(has_value(statement, one) for one in wrong)


def _find_appointment(text: str, earlier: Sequence[str]) -> Antecedent | None:
    """The appointment in the message before it, if a message only gives another day or time."""
    stated = moved_appointment(text, earlier[-1])
    return Antecedent((len(earlier) - 1,), _as_line(stated), is_corrected=True) if stated else None


def _find_value(text: str, earlier: Sequence[str], *, answers_question: bool) -> Antecedent | None:
    """The statement with the value that a message replaces, if it gives nothing else, also before other messages."""
    found = find_corrected(text, earlier, answers_question=answers_question)
    return _antecedent(Reference(text), *found, earlier, is_corrected=True) if found else None


def _find_statement(text: str, earlier: Sequence[str], *, answers_question: bool) -> Antecedent | None:
    if len(text) > MAX_MESSAGE_CHARS:
        return None
    reference = Reference(text)
    may_refer = reference.may_refer or may_change(reference) or adds(reference) or gives_party_size(text)
    if is_aside(reference) or not may_refer:
        return None
    for position, statements in candidates(reference, earlier, distance=len(earlier)):
        if any(map(reference.excludes, statements)) and not (
            reference.is_request or is_of_other(reference, statements)
        ):
            return _antecedent(reference, position, statements, earlier, is_corrected=True)
    recent = list(candidates(reference, earlier))
    for position, statements in recent:
        is_denied = any(reference.denies(one) or restated(one, text) for one in statements)
        if is_denied or (reference.corrects and are_related(reference, statements)):
            return _antecedent(reference, position, statements, earlier, is_corrected=True)
    last = next((statements for position, statements in recent if position == len(earlier) - 1), [])
    position, statements = likely_statements(reference, last, earlier)
    found = _find_last(reference, position, statements, earlier, answers_question=answers_question)
    return found if found is None or found.is_corrected or statements is last else None


def _find_last(
    reference: Reference, position: int, statements: Sequence[str], earlier: Sequence[str], *, answers_question: bool
) -> Antecedent | None:
    """The statements of the message that a message most likely refers to, if it refers to them."""
    is_detail = adds_detail(reference.text)
    is_other = not is_detail and bool(statements) and is_about_another(reference, statements)
    if not statements or is_other or counts_others(reference, statements):
        return None
    if reference.excluded:  # and no statement has the excluded value
        return None
    find = partial(_antecedent, reference, position, statements, earlier)
    if renews(reference, statements) or corrects_last(reference, statements, answers_question=answers_question):
        return find(is_corrected=True)
    if answers_question or reference.excluded:
        return None
    if tells_change(reference) or (may_change(reference) and not is_understood(reference)):
        is_certain = any(gives_new_value(reference.plain, one) for one in statements)
        return replace(find(is_corrected=True), is_certain=is_certain)
    is_added = adds(reference) and (is_detail or not is_understood(reference))
    is_continued = (reference.continues and not reference.updates) or is_added
    return find(is_corrected=False) if is_continued else None


def is_elliptical_correction(text: str) -> bool:
    """Check whether a message says that it corrects something which it does not name."""
    if len(text) > MAX_MESSAGE_CHARS or is_small_talk(text):
        return False
    reference = Reference(text)
    is_correction = reference.updates or reference.denies_last or bool(reference.excluded)
    return reference.may_refer and reference.depends and is_correction


def with_statements(statements: Iterable[str], text: str) -> str:
    """A text after the statements that it concerns: "I'm conversational in French … My French has got rusty".

    A new value of a number, day or time is marked like a correction ("gig starts at 8 → the gig's pushed back to 9").
    """
    concerned = list(statements)
    is_new_value = any(gives_new_value(text, one) for one in concerned)
    return f"{'; '.join(map(_as_line, concerned))}{CORRECTS if is_new_value else CONTINUES}{text}"


def is_about_statement(text: str, statement: str) -> bool:
    """Check whether an elliptical correction may concern a statement that was made elsewhere.

    One that only says that something is otherwise now ("in the end not Sardinia") must have a word in common with it.
    """
    reference = Reference(text)
    corrects = reference.corrects or reference.denies_last or bool(reference.excluded)
    return (corrects and not reference.ends_another(statement)) or is_concerned(text, statement)


def without_antecedent(text: str) -> str:
    """A message without the statement before it; see `Antecedent.before`."""
    separator = _SEPARATOR.search(text)
    return text[separator.end() :] if separator else text


def antecedent_in(text: str) -> str:
    """The statement before a message, as `Antecedent.before` joins them; empty if there is none."""
    separator = _SEPARATOR.search(text)
    return text[: separator.start()] if separator else ""


def is_corrected(text: str) -> bool:
    """Check whether a text is a statement and its correction; False if the second part may only add to the first."""
    return CORRECTS in text


def contains_statement(text: str, statement: str) -> bool:
    """Check whether a text contains all letters and digits of a statement in order, regardless of all else."""
    return _letters(statement) in _letters(text)


def is_concerned(text: str, statement: str) -> bool:
    """Check whether a correction has a word in common with a statement, or another value in place of one of its."""
    reference = Reference(text)
    return reference.has_other_value(statement) or reference.shares_word(statement)


def _role_before(text: str, earlier: Sequence[str]) -> Antecedent | None:
    """The message that began a role play, of which a message is a part."""
    for position in range(len(earlier) - 1, max(-1, len(earlier) - 1 - MAX_ROLE_MESSAGES), -1):
        before = earlier[position][:MAX_EARLIER_CHARS]
        if leaves_role(text) or leaves_role(before):
            return None
        if enters_role(before):
            return Antecedent((position,), _as_line(before)[:MAX_STATEMENT_CHARS], is_corrected=False, is_role=True)
    return None


def _antecedent(
    reference: Reference, position: int, statements: Sequence[str], earlier: Sequence[str], *, is_corrected: bool
) -> Antecedent:
    """The antecedent, preceded by what its message itself refers to: of three, each may correct the one before."""
    first = find_antecedent(earlier[position], earlier[:position], answers_question=False)
    if first is None and concludes(reference):
        first = _circumstances(earlier[: position + 1])
    both = _as_line(first.before(earlier[position])) if first else ""
    if first and len(both) <= MAX_STATEMENT_CHARS:
        return Antecedent((*first.positions, position), both, is_corrected)
    related = most_related(reference, statements) if is_corrected else statements
    return Antecedent((position,), _as_line(_choose(reference, related)), is_corrected)


def _circumstances(earlier: Sequence[str]) -> Antecedent | None:
    """The statement that the last of some messages gives a circumstance of ("the site doesn't take dogs")."""
    *before, last = earlier
    if not before or not names_no_author(last) or changed_things(last):
        return None
    if not own_statements(before[-1]) or asks(before[-1]):
        return None
    first = find_antecedent(before[-1], before[:-1], answers_question=False) or _circumstances(before)
    statement = _as_line(first.before(before[-1]) if first else before[-1])
    positions = (*(first.positions if first else ()), len(before) - 1)
    return Antecedent(positions, statement, is_corrected=False)


def _choose(reference: Reference, statements: Sequence[str]) -> str:
    """The statements, or the one among many that the message is most likely about."""
    whole = " ".join(statements)
    if len(whole) <= MAX_STATEMENT_CHARS:
        return whole
    valued = [one for one in statements if reference.has_other_value(one)]
    likely = valued or [one for one in statements if reference.shares_word(one)] or statements
    return likely[-1][:MAX_STATEMENT_CHARS]


def _as_line(text: str) -> str:
    words, note = split_date_note(text)
    line = _SEPARATOR_MARK.sub(";", " ".join(words.split()))
    return "; ".join(filter(None, (line[a:b].strip().rstrip(_SENTENCE_END) for a, b in sentences(line)))) + note


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
