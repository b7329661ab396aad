"""Recognise questions for what the user plans in a period, next, or at all, in several languages."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from agent.language.agenda.asked_periods import cut_dates
from agent.language.dates.periods import Period, single_day
from agent.language.parsing.sentences import plain_punctuation, sentences
from agent.language.pattern_files import load_pattern_lists, load_patterns

AgendaKind = Literal["period", "upcoming", "next", "reminders", "where"]
"""Asked for: what is planned in a period, everything that is, the first of it, what the user wanted to be reminded of,
or where they are in a period."""

MAX_CHARS = 600
"""Longer messages are not examined."""
MAX_SENTENCE_CHARS = 160
UPCOMING = timedelta(366)
"""How far ahead is searched without a period."""

_PATTERNS = load_patterns("agenda/questions.toml")
_FORMS = load_pattern_lists("agenda/questions.toml")
_EDGE = " \t\n,;:.!?¿¡…-，。？！、\"'()"
_QUESTION_MARKS = ("?", "\uff1f")
_ANY_DAY = date(2000, 1, 3)
"""Whether a sentence asks does not depend on the day."""
_SPACES = re.compile(r"\s+")
_CHINESE = re.compile("[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class AgendaQuestion:
    """A question for what takes place or holds in a period."""

    kind: AgendaKind
    periods: tuple[Period, ...]
    """The days that are searched: the first period in which there is something; the first one is the likely one."""
    topic: str = ""
    """The kind of what takes place next, if the question names one ("my next dentist appointment")."""


def agenda_question(message: str, today: date) -> AgendaQuestion | None:
    """Read the last question of a message for what the user plans; None if there is none.

    Args:
        message: the user's message.
        today: the local day on which the user asks.
    """
    if len(message) > MAX_CHARS or not _PATTERNS["word"].search(message):
        return None
    plain = plain_punctuation(message)
    spans = list(sentences(plain))
    found = (_read(part, today) for span in reversed(spans) for part in _with_last_clause(plain[slice(*span)]))
    return next(filter(None, found), None)


def only_asks_for_plans(sentence: str) -> bool:
    """Check whether a sentence only asks for what the user plans, so that it states nothing."""
    if len(sentence) > MAX_SENTENCE_CHARS or not _PATTERNS["word"].search(sentence):
        return False
    return _read(plain_punctuation(sentence), _ANY_DAY) is not None


def _with_last_clause(sentence: str) -> Iterator[str]:
    """Yield a sentence, then what follows its first and its last comma."""
    yield sentence
    for rest in dict.fromkeys((sentence.partition(",")[2], sentence.rpartition(",")[2])):
        if rest.strip() and "," in sentence:
            yield rest


def _read(sentence: str, today: date) -> AgendaQuestion | None:
    is_marked = sentence.rstrip(" \n\"')").endswith(_QUESTION_MARKS)
    text = _SPACES.sub(" ", sentence).strip(_EDGE).casefold()
    if not text or len(text) > MAX_SENTENCE_CHARS:
        return None
    is_past = _PATTERNS["past"].search(text) is not None
    words, periods = cut_dates(text, today, is_past=is_past)
    words = _bare(words)
    if periods:
        return _about_periods(words, periods, is_marked=is_marked)
    ahead = (Period(today, today + UPCOMING),)
    if _matches("where", words):
        return AgendaQuestion("where", (single_day(today),))
    if _matches("reminders", words):
        return AgendaQuestion("reminders", ahead)
    if found := _matches("next", words):
        topic = next(filter(None, found.groupdict().values()), "")
        return AgendaQuestion("next", ahead, "" if _PATTERNS["general"].fullmatch(topic) else topic)
    return AgendaQuestion("upcoming", ahead) if _matches("upcoming", words) else None


def _about_periods(words: str, periods: tuple[Period, ...], *, is_marked: bool) -> AgendaQuestion | None:
    """A question whose dates are cut out; some are a statement without a question mark ("tengo cita mañana")."""
    forms: Sequence[tuple[str, AgendaKind]] = (("where", "where"), ("period", "period"), ("reminders", "reminders"))
    forms = (*forms, ("marked", "period")) if is_marked else forms
    return next((AgendaQuestion(kind, periods) for form, kind in forms if _matches(form, words)), None)


def _matches(form: str, words: str) -> re.Match[str] | None:
    return next(filter(None, (pattern.fullmatch(words) for pattern in _FORMS[form])), None)


def _bare(words: str) -> str:
    """A question without its introduction and fillers, and with single spaces."""
    words = words.strip(_EDGE)
    while (lead := _PATTERNS["lead"].match(words)) and lead.end():
        words = words[lead.end() :].strip(_EDGE)
    words = _PATTERNS["filler"].sub(" ", words)
    return _SPACES.sub("" if _CHINESE.search(words) else " ", words).strip(_EDGE)
