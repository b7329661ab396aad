"""Recognise questions for what the user told the assistant in a period, and for when they did, in several languages."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from agent.language.parsing.sentences import plain_punctuation, sentences
from agent.language.pattern_files import load_pattern_lists, load_patterns
from agent.language.said.periods import SaidPeriod, cut_periods

SaidKind = Literal["period", "last", "recent", "conversation", "when", "whether"]
"""Asked for: what was said in a period, the last statement, the latest ones, those of the latest other thread, the time
of statements about a topic, or whether there are any."""

MAX_CHARS = 1_000
"""Longer messages are not examined."""
MAX_SENTENCE_CHARS = 200
_ANY_TIME = datetime(9000, 1, 2, 12, tzinfo=UTC)
"""After each date that a sentence names: whether it asks does not depend on the time."""

_PATTERNS = load_patterns("said/questions.toml")
_QUESTIONS = load_pattern_lists("said/questions.toml")
_FORMS = ("last", "when", "source", "what", "whether")
_MATCH = "\2"
"""Stands for the words that ask, between what precedes and what follows them."""
_EDGE = " \t\n,;:.!?¿¡…-，。？！、"
_QUESTION_MARKS = ("?", "？")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class SaidQuestion:
    """A question for what the user said, or for when."""

    kind: SaidKind
    topic: str = ""
    """The words that name what the statements are about; empty for all statements."""
    period: SaidPeriod | None = None
    """Only for a question for a period."""
    asks_for_last_time: bool = False
    """Whether a question for when something was said means the last time; otherwise, it means the first."""

    @property
    def is_about_topic_only(self) -> bool:
        """Whether it asks for statements about a topic, of any time."""
        return self.kind in ("when", "whether")


def said_question(message: str, now: datetime) -> SaidQuestion | None:
    """Read the last question of a message for what the user said; None if there is none.

    Args:
        message: the user's message.
        now: the local time at which the user asks.
    """
    if len(message) > MAX_CHARS or not _PATTERNS["verb"].search(message):
        return None
    plain = plain_punctuation(message)
    spans = reversed(list(sentences(plain)))
    found = (_read(part, now) for span in spans for part in _with_last_clause(plain[slice(*span)]))
    return next(filter(None, found), None)


def only_asks_what_was_said(sentence: str) -> bool:
    """Check whether a sentence only asks for what the user said, or when, so that it states nothing."""
    if len(sentence) > MAX_SENTENCE_CHARS or not _PATTERNS["verb"].search(sentence):
        return False
    question = _read(plain_punctuation(sentence), _ANY_TIME)
    return question is not None and not _PATTERNS["joined"].search(question.topic)


def _with_last_clause(sentence: str) -> Iterator[str]:
    """Yield a sentence, then what follows its last comma if that has a question mark."""
    yield sentence
    _, comma, last = sentence.rpartition(",")
    if comma and last.rstrip().endswith(_QUESTION_MARKS):
        yield last


def _read(sentence: str, now: datetime) -> SaidQuestion | None:
    is_marked = sentence.rstrip().endswith(_QUESTION_MARKS)
    text = _SPACES.sub(" ", sentence).strip(_EDGE)
    if not text or len(text) > MAX_SENTENCE_CHARS:
        return None
    forms = (*_FORMS, "whether_marked") if is_marked else _FORMS
    readings = (_interpret(form, text, match, now) for form in forms for match in _matches(form, text))
    return next(filter(None, readings), None)


def _matches(form: str, text: str) -> Iterator[re.Match[str]]:
    found = (pattern.search(text) for pattern in _QUESTIONS[form])
    return (match for match in found if match)


def _interpret(form: str, text: str, match: re.Match[str], now: datetime) -> SaidQuestion | None:
    inside = " ".join(filter(None, match.groups()))
    words = f"{text[: match.start()]} {_MATCH} {inside} {text[match.end() :]}"
    if form in ("when", "source"):
        before, _, rest = words.partition(_MATCH)
        is_own = form == "when" or _PATTERNS["own"].search(rest) is not None
        if not is_own or _without_lead(before):
            return None
        return _about("when", rest, last=_PATTERNS["last_time"].search(match[0]) is not None)
    words, kind = _cut_relative(words, form)
    words, period = cut_periods(words, now)
    kind = "period" if period else kind
    before, _, rest = words.partition(_MATCH)
    before, rest = _without_lead(before), rest.strip(_EDGE)
    if form.startswith("whether"):
        if _without(_PATTERNS["opening"], text[: match.start()]) or _PATTERNS["clause"].match(rest):
            return None
        if not period:
            return _about("whether", rest)
    if kind is None or (before and rest and not _is_empty(rest)):
        return None
    topic = _topic(rest if _is_empty(before) else before)
    return None if topic is None else SaidQuestion(kind, topic, period)


def _cut_relative(words: str, form: str) -> tuple[str, SaidKind | None]:
    """Cut out the words for the latest statements; also return which of them are asked for."""
    if form == "last":
        return words, "last"
    kinds: Sequence[tuple[str, SaidKind]] = (
        ("recent", "recent"),
        ("conversation", "conversation"),
        ("just_now", "last"),
    )
    for name, kind in kinds:
        cut = _PATTERNS[name].sub(" ", words)
        if cut != words:
            return cut, kind
    return words, None


def _about(kind: SaidKind, rest: str, *, last: bool = False) -> SaidQuestion | None:
    """A question about a topic, which may follow without a preposition; None if the topic names nothing."""
    topic = _named(rest)
    return SaidQuestion(kind, topic, asks_for_last_time=last) if topic else None


def _topic(words: str) -> str | None:
    """The topic that words name; empty without one, and None if they are something else, or name nothing known."""
    if _is_empty(words):
        return ""
    words = _without_filler_before(words)
    about = _PATTERNS["about"].match(words)
    if not about:
        return "" if _PATTERNS["everything"].fullmatch(words) else None
    if _PATTERNS["everything"].fullmatch(words, about.end()):
        return ""
    return _named(words[about.end() :]) or None


def _named(words: str) -> str:
    """A topic without the words before it; empty if it only refers to something."""
    words = words.strip(_EDGE)
    about = _PATTERNS["about"].match(words)
    words = words[about.end() :].strip(_EDGE) if about else words
    if _PATTERNS["unnamed"].fullmatch(words) or _PATTERNS["everything"].fullmatch(words):
        return ""
    start = _PATTERNS["topic_start"].match(words)
    words = _PATTERNS["topic_end"].sub("", words[start.end() :] if start else words)
    return _SPACES.sub(" ", words).strip(_EDGE)


def _is_empty(words: str) -> bool:
    return not _PATTERNS["filler"].sub("", words).strip(_EDGE)


def _without_filler_before(words: str) -> str:
    filler = _PATTERNS["filler"].match(words)
    return words[filler.end() :].strip(_EDGE) if filler else words


def _without_lead(words: str) -> str:
    """The words before a question without those that only introduce it."""
    return _without(_PATTERNS["lead"], _SPACES.sub(" ", _PATTERNS["filler"].sub("", words)))


def _without(introduction: re.Pattern[str], words: str) -> str:
    words = words.strip(_EDGE)
    while words and (lead := introduction.match(words)) and lead.end():
        words = words[lead.end() :].strip(_EDGE)
    return words
