"""Divide texts into statements of which each can be removed, so that the others remain complete."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agent.language.parsing.sentences import Span, is_small_talk, sentences
from agent.language.references.antecedents import CONTINUES, CORRECTS
from agent.language.requests.clause_subjects import (
    has_other_subject,
    is_antecedent,
    is_bare_noun,
    is_complete,
    is_led_by,
    is_subordinate,
    refers_to_antecedent,
    states_more,
)
from agent.language.requests.statement_matching import mentions
from agent.language.words.frames import clauses, has_named_subject
from agent.language.words.parts import shared_start

_JOINT = re.compile(f"{CORRECTS}|{CONTINUES}")
_MARKS = " \t\r\n.!;\u2026\u3002\uff01"


@dataclass(frozen=True, slots=True)
class _Unit:
    """A statement that a text contains."""

    start: int
    stop: int
    """Before the mark that ends its sentence."""
    end: int
    """After this mark."""
    sentence: int
    """The start of its sentence."""
    lead: str = ""
    """The words that it shares with the statement before it, which it needs if that is removed."""
    last_clause: Span = (0, 0)
    """Its last clause, if that only adds something; otherwise empty."""
    core: int = 0
    """Where what precedes the last clause stops."""


def separate_statements(text: str) -> list[str]:
    """The statements of a text, verbatim.

    The statements that a memory joins (" → ", " … "), and the sentences of each, are separate. So are the clauses of a
    sentence, if each is complete by itself.
    """
    return [text[unit.start : unit.end].strip() for unit in _units(text)]


def without_statement(text: str, statement: str) -> str:
    """A text without one of its statements; empty if nothing else remains, or if it is none of them."""
    units = _units(text)
    for number, unit in enumerate(units):
        if text[unit.start : unit.end].strip() == statement:
            return _cut(text, units, number)
    return ""


def without_added_clause(text: str, clause: str) -> str:
    """A text without the last clause of one of its statements; empty if it is none of these."""
    for unit in _units(text):
        start, stop = unit.last_clause
        if start < stop and text[start:stop].strip(_MARKS) == clause.strip(_MARKS):
            return f"{text[: unit.core]}{text[_trimmed(text, start, stop, _MARKS) :]}"
    return ""


def says_more(statement: str, topic: str) -> bool:
    """Check whether a statement also says something that is not about a topic, or may do so.

    What follows is about the topic, too, if that is the subject ("Alan is a plumber, he lives in Hull"), or if it has a
    pronoun for it ("We bought a boat, it's in Ryde").
    """
    spans = [span for start, stop, _ in _sentence_spans(statement) for span in _phrases(statement, (start, stop))]
    first, *others = [statement[slice(*span)] for span in spans] or [statement]
    if states_more(first, topic) or not mentions(first, topic):
        return True
    if not is_antecedent(first, topic):
        return bool(others)
    is_led = is_led_by(first, topic)
    return any(not refers_to_antecedent(one) and (not is_led or has_other_subject(one)) for one in others)


def added_clause(statement: str) -> str:
    """The last clause of a statement that remains complete without it ("78 kilos" of "I'm 41, 78 kilos")."""
    units = _units(statement)
    return statement[slice(*units[-1].last_clause)] if units else ""


def _cut(text: str, units: Sequence[_Unit], number: int) -> str:
    unit = units[number]
    before = units[number - 1] if number else None
    after = units[number + 1] if number + 1 < len(units) else None
    if after and (after.sentence == unit.sentence or not before or before.sentence != unit.sentence):
        lead = f"{after.lead} " if after.lead else ""
        return f"{text[: unit.start]}{lead}{text[after.start :]}".strip()
    if before and before.sentence == unit.sentence:
        return f"{text[: before.stop]}{text[unit.stop :]}".strip()
    return text[: before.end].strip() if before else ""


def _units(text: str) -> list[_Unit]:
    units: list[_Unit] = []
    for start, stop, is_joined in _sentence_spans(text):
        found = list(_in_sentence(text, (start, stop)))
        if is_joined and units and not is_complete(text[found[0].start : found[0].stop]):
            last = units.pop()  # "Lunch is on Monday → sorry, Tuesday"
            found[0] = replace(found[0], start=last.start, sentence=last.sentence, lead=last.lead, last_clause=(0, 0))
            found = [replace(one, sentence=last.sentence) for one in found]
        units += found
    return units


def _sentence_spans(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield the spans of sentences with a content, and whether each begins a statement that is joined to others."""
    ends = [match.span() for match in _JOINT.finditer(text)]
    starts, stops = [0, *(stop for _, stop in ends)], [*(start for start, _ in ends), len(text)]
    for start, stop in zip(starts, stops, strict=True):
        is_joined = start > 0
        for span in sentences(text[start:stop]):
            if any(map(str.isalnum, text[start + span[0] : start + span[1]])):
                yield start + span[0], start + span[1], is_joined
                is_joined = False


def _in_sentence(text: str, sentence: Span) -> Iterator[_Unit]:
    first, *others = _phrases(text, sentence)
    unit = _Unit(*first, first[1], sentence[0])
    for start, stop in others:
        phrase = text[start:stop]
        is_whole = is_complete(phrase)
        lead = shared_start(text[unit.start : unit.stop], phrase) if not is_whole and has_named_subject(phrase) else ""
        if is_whole or lead:
            yield unit
            unit = _Unit(start, stop, stop, sentence[0], lead)
        else:
            unit = replace(unit, stop=stop, end=stop, last_clause=(start, stop), core=unit.stop)
    yield replace(
        unit, stop=_trimmed(text, unit.start, sentence[1], _MARKS), end=_trimmed(text, unit.start, sentence[1])
    )


def _phrases(text: str, sentence: Span) -> list[Span]:
    """The clauses of a sentence; a noun without a verb belongs to the next one ("My mum and my aunt live in Bath")."""
    spans = list(_clause_spans(text, sentence))
    if is_subordinate(text[slice(*sentence)]):
        return [(spans[0][0], spans[-1][1])]
    phrases: list[Span] = []
    for start, stop in spans:
        before = text[slice(*phrases[-1])] if phrases else ""
        if before and (is_bare_noun(before) or (len(phrases) == 1 and is_small_talk(before))):
            phrases[-1] = phrases[-1][0], stop
        else:
            phrases.append((start, stop))
    return phrases


def _clause_spans(text: str, sentence: Span) -> Iterator[Span]:
    position = sentence[0]
    for clause in clauses(text[slice(*sentence)]):
        if any(map(str.isalnum, clause)):
            start = text.index(clause, position)
            position = start + len(clause)
            yield start, position


def _trimmed(text: str, start: int, stop: int, marks: str | None = None) -> int:
    return start + len(text[start:stop].rstrip(marks))
