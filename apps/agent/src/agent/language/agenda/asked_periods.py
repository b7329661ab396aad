"""The periods that a question for what is planned names ("tomorrow", "in the next two weeks")."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from agent.language.dates.periods import Period
from agent.language.dates.resolution import Mention, mentions
from agent.language.pattern_files import load_patterns

DATE = "@"
"""Stands for dates in a question."""
SOON_DAYS = timedelta(30)
"""The days that "soon" and "in the coming weeks" mean."""

SUNDAY, DAYS_OF_WEEK = 6, 7
"""On a Sunday, "this week" may be the next one."""

_PATTERNS = load_patterns("agenda/questions.toml")
_DAY = timedelta(1)
_DAYS_BEFORE_SUNDAY = timedelta(SUNDAY)
_THIS = {
    "my": "this", "our": "this", "mein": "diese", "ma": "cette", "mon": "ce", "mijn": "deze", "minha": "esta",
    "mi": "esta", "la mia": "questa", "il mio": "questo", "a minha": "esta", "meu": "este",
}  # fmt: skip
_JOINTS = frozenset(
    re.findall(
        r"\S+",
        "and or to until till - \u2013 next und oder bis y o hasta et ou jusqu'à e fino a até en of tot von from de da",
    )
)
"""Words between dates that are one period together."""


def cut_dates(text: str, today: date, *, is_past: bool) -> tuple[str, tuple[Period, ...]]:
    """Replace the dates in a question, with their prepositions.

    Args:
        text: the question, in lower case.
        today: the local day on which the user asks.
        is_past: whether the question may be for a period that is over ("what did I have planned for June?").

    Returns:
        The text with `DATE` instead of all of its dates; the likely period, from the first to the last day that it
        names, then the other reading of a date without a year. No period without dates.
    """
    text = _PATTERNS["own_period"].sub(_this, text)
    found = [
        (one, periods) for one in mentions(text, today) if (periods := _readings(text, one, today, is_past=is_past))
    ]
    for mention, _ in reversed(found):
        before = _without_end(text[: mention.start], "next_length" if mention.rule == "duration" else "preposition")
        text = f"{before.rstrip()} {DATE} {text[mention.stop :].lstrip()}"
    soon = _PATTERNS["soon"].sub(f" {DATE} ", text)
    readings = [periods for _, periods in found]
    if soon != text:
        text, readings = soon, [*readings, [Period(today, today + SOON_DAYS)]]
    return _joined(_PATTERNS["day_part"].sub(" ", text) if readings else text), tuple(
        _spans(readings, date.min if is_past else today)
    )


def _this(own: re.Match[str]) -> str:
    """The word for "this" in the language of a word for "my"."""
    word = own[0].strip()
    return next(f"{this} " for start, this in _THIS.items() if word.startswith(start))


def _without_end(text: str, name: str) -> str:
    found = _PATTERNS[name].search(text)
    return text[: found.start()] if found else text


def _joined(text: str) -> str:
    """A text in which several dates, and the words between them, are one ("this week and next week")."""
    result: list[str] = []
    between: list[str] = []
    for word in text.split():
        if word in _JOINTS and result[-1:] == [DATE]:
            between.append(word)
            continue
        if word != DATE:
            result += between
        between = []
        if word != DATE or result[-1:] != [DATE]:
            result.append(word)
    return " ".join(result)


def _spans(readings: Sequence[Sequence[Period]], earliest: date) -> Iterator[Period]:
    """The likely period, from a day on, and the other one if there is a single date with two readings."""
    if not readings:
        return
    first, last = min(one[0].start for one in readings), max(one[0].stop for one in readings)
    yield Period(max(first, earliest) if last >= earliest else first, last)
    if len(readings) == 1:
        yield from readings[0][1:]


def _readings(text: str, mention: Mention, today: date, *, is_past: bool) -> list[Period]:
    """The readings of a date, the likely one first; those after it are of dates without a year in the past tense."""
    days = sorted(mention.periods)
    if _PATTERNS["no_date"].fullmatch(text, mention.start, mention.stop):
        return []
    if mention.rule == "duration":
        is_ahead = _PATTERNS["next_length"].search(text[: mention.start]) is not None
        return days[:1] if is_ahead else []
    ahead = [one for one in days if one.stop >= today]
    if mention.rule == "weekday":
        ahead = [one for one in days if one.start >= today]
        is_next = any(word.code == "X" for word in mention.words)
        ahead = ahead[-1:] if is_next else ahead
    elif mention.rule == "unit":
        is_sunday = today.weekday() == SUNDAY and days[-1].start == today - _DAYS_BEFORE_SUNDAY
        ahead = [days[-1], *([Period(today + _DAY, today + DAYS_OF_WEEK * _DAY)] if is_sunday else [])]
    elif mention.rule == "offset":
        ahead = [min(days, key=lambda one: one.stop - one.start)]
    before = [one for one in reversed(days) if one.stop < today] if is_past else []
    if any(word.code == "L" for word in mention.words):
        return before[:1] or days[:1]
    likely = ahead if mention.rule == "unit" else ahead[:1]
    return [*likely, *before[:1]] or days[-1:]
