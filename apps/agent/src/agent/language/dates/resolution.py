"""Resolve the dates that a text mentions, also relative ones ("next Friday"), in several languages.

A general parser such as dateparser takes milliseconds per text, guesses one reading of an ambiguous expression, and
does not tell a date from a period; the gate needs every reading, and fast.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

from agent.language.dates.elapsed import is_elapsed
from agent.language.dates.periods import Period
from agent.language.dates.readings import READINGS, RULE
from agent.language.dates.words import SEPARATORS, DateWord, date_words
from agent.language.parsing.sentences import compile_any

MAX_CHARS = 4_000  # of a text that is examined

# Before "in ten years": the years that have passed ("my first steak in ten years").
_BACKWARD = compile_any(
    r"\b(?:have not|has not|had not|haven't|hasn't|hadn't|(?:had|ate|did|took|saw|was|were|went|ran|won|slept|bought"
    r"|made|this is|it's|that's)\b[^.;!?]{0,30}\b(?:first|only|best|worst|biggest|longest)|primera vez|première fois"
    r"|primeira vez|prima volta|ersten? mal)\b[^.;!?]{0,40}$"
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A date in a text, with all its readings."""

    periods: frozenset[Period]
    start: int
    stop: int
    rule: str
    words: Sequence[DateWord]

    @property
    def is_absolute(self) -> bool:
        """Whether at most the year of the readings depends on the day of the text."""
        return self.rule in ("date", "weekday_of_month")


def unsupported_dates(text: str, messages: Sequence[str], today: date) -> bool:
    """Check whether a text contains a date that the messages do not mention, given the day of the messages."""
    stated = [period for message in messages for mention in mentions(message, today) for period in mention.periods]
    return not all(
        any(_agrees(period, other) for period in mention.periods for other in stated)
        for mention in mentions(text, today)
        if mention.is_absolute
    )


def end_of_validity(until: str | None, messages: Sequence[str], today: date) -> str | None:
    """The last day on which a fact holds, if the messages mention it or a period that ends then; else None."""
    try:
        day = date.fromisoformat(until or "")
    except ValueError:
        return None
    stated = (period for message in messages for mention in mentions(message, today) for period in mention.periods)
    ends = {end for period in stated for end in (period.start, period.stop, period.start - timedelta(1))}
    return day.isoformat() if day in ends and day >= today else None


def strip_dates(text: str, *, relative: bool = False) -> str:
    """Remove the absolute dates from a text, or all of them."""
    for mention in reversed(list(mentions(text, date.min.replace(year=2000)))):
        if mention.is_absolute or relative:
            text = f"{text[: mention.start]} {text[mention.stop :]}"
    return text


def _agrees(period: Period, stated: Period) -> bool:
    is_end = period.start == period.stop and period.start in stated
    return is_end or (period.start <= stated.start and stated.stop <= period.stop)


def mentions(text: str, today: date) -> Iterator[Mention]:
    """Yield the dates in a text, in order."""
    tokens = list(date_words(text[:MAX_CHARS]))
    codes = "".join(token.code for token in tokens)
    for match in RULE.finditer(codes):
        rule = match.lastgroup or ""
        found = [token for token in tokens[match.start() : match.end()] if token.code not in SEPARATORS]
        if rule == "from_day" and is_elapsed(text, found):  # "turned 7 years yesterday"
            rule, found = "unit", found[-1:]
        if found[0].code == "I" and _BACKWARD.search(text[: found[0].start]):
            continue
        periods: frozenset[Period] = frozenset()
        with suppress(ValueError, OverflowError):  # the 31st of February
            periods = frozenset(READINGS[rule](found, today))
        if periods or rule == "date":
            yield Mention(periods, found[0].start, found[-1].stop, rule, found)
