"""The days, times and numbers in a text with their positions, and how one takes the place of another one."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from agent.language.dates.resolution import Mention, mentions
from agent.language.dates.words import DateWord
from agent.language.pattern_files import load_patterns
from agent.language.text_cache import cache_per_user
from agent.language.words.quantities import TOKEN, quantity_kind

_ANY_DAY = date(2000, 1, 3)  # where a text names a day does not depend on when it was written
_LENGTHS = frozenset({"duration", "offset"})
_PATTERNS = load_patterns("references/text_values.toml")
_TIME = load_patterns("references/appointments.toml")["time"]
_DIGIT = re.compile(r"\d")
_HOUR = re.compile(r"\d{1,2}(?=\s?[^\W\d_])")
_FRACTION = re.compile(r"[.,]\d{1,2}(?!\d)")
_GROUPED = re.compile(r"\d[ /-]\d")


class Edit(NamedTuple):
    """Characters of a text and what replaces them."""

    start: int
    stop: int
    text: str


@dataclass(frozen=True, slots=True)
class Value:
    """A day, time or number in a text, or a range of two."""

    kind: str
    start: int
    stop: int
    source: str
    """The text that contains it."""
    day: Mention | None = None

    @property
    def text(self) -> str:
        """The words of the value."""
        return self.source[self.start : self.stop]

    @property
    def form(self) -> str:
        """The words with zeros instead of all digits."""
        return _DIGIT.sub("0", self.text)

    def replace_with(self, other: "Value") -> list[Edit]:
        """Replace this value by one of another text; no edits if that is only a part of it, and it is unclear which."""
        if self.day and other.day:
            return _day_edits(self, self.day, other, other.day)
        if self.kind == "number" and not (_is_of_similar_size(self.text, other.text) and _has_bound_of(self, other)):
            return []  # "$18,000" and "make that 22"; "under 40" and "it's 45"
        if self.kind != "time":
            return [Edit(self.start, self.stop, other.text)]
        start = self.start + len(_preposition(self.text))
        time = other.text.removeprefix(_preposition(other.text))
        hour = _HOUR.match(self.source, start) if time.isdigit() else None  # "8pm" and "make it 9"
        return [Edit(start, hour.end() if hour else self.stop, time)]


@cache_per_user(maxsize=2048)
def values_in(plain: str) -> tuple[Value, ...]:
    """The days, times, numbers and ranges of a text in their order; lengths of time are numbers."""
    found = [Value("range", *one.span(), plain) for one in _PATTERNS["range"].finditer(plain)]
    days = (one for one in mentions(plain, _ANY_DAY) if one.rule not in _LENGTHS)
    found += _without_overlaps((Value("day", one.start, one.stop, plain, one) for one in days), found)
    found += _without_overlaps((Value("time", *one.span(), plain) for one in _TIME.finditer(plain)), found)
    found += _without_overlaps(_numbers(plain), found)
    return tuple(sorted(found, key=lambda one: one.start))


def _without_overlaps(values: Iterator[Value], others: Sequence[Value]) -> list[Value]:
    return [one for one in values if not any(one.start < other.stop and other.start < one.stop for other in others)]


def _numbers(plain: str) -> Iterator[Value]:
    """Yield the numbers; groups of digits are one ("07700 900123")."""
    last: Value | None = None
    for token in TOKEN.finditer(plain):
        kind = quantity_kind(token[0].casefold())
        if kind not in {"number", "code"} or _PATTERNS["article"].fullmatch(token[0]):
            continue
        start, stop = token.span()
        if last and last.stop == start - 1 and _GROUPED.fullmatch(plain, last.stop - 1, start + 1):
            last = Value("number", last.start, stop, plain)
            continue
        if last:
            yield last
        last = Value("number", start, stop, plain)
    if last:
        yield last


def _day_edits(old: Value, known: Mention, new: Value, day: Mention) -> list[Edit]:
    """Replace the parts of a date that another one has, or the whole of it, if this is complete."""
    known_words = {_class_of(word.code): word for word in known.words}
    words = {_class_of(word.code): new.source[word.start : word.stop] for word in day.words}
    if len(known_words) != len(known.words) or len(words) != len(day.words):
        return []
    is_weekday = day.rule == "weekday"
    if is_weekday and known.rule == "weekday" and words.keys() == {"W"}:
        return _weekday_edits(old, known, new, day)
    if words.keys() < known_words.keys() and "W" not in known_words:
        return [_part_edit(old.source, known_words[one], text) for one, text in words.items()]
    is_complete = words.keys() == known_words.keys() or {"M", "N"} <= words.keys()
    is_day = is_weekday and known.rule in ("weekday", "unit")
    if not (is_complete or is_day):
        return []
    article = _PATTERNS["article_of_day"]  # of the old date, which the preposition before it may need
    kept = article.match(old.text) if "N" in words else None
    whole = article.sub("", new.text) if known.rule != "unit" else new.text
    return [Edit(old.start + len(kept[0] if kept else ""), old.stop, whole)]


def _weekday_edits(old: Value, known: Mention, new: Value, day: Mention) -> list[Edit]:
    """Replace a weekday; no edits if a word before or after it belongs only to the old one ("the first Monday")."""
    (word,), (other,) = ([one for one in each.words if one.code == "W"] for each in (known, day))
    text = new.source[other.start : other.stop]
    counts = [
        _PATTERNS["counted_weekday"].search(one.source, 0, start)
        for one, start in ((old, word.start), (new, other.start))
    ]
    if any(counts):
        count, by = counts
        return [Edit(count.start(), word.stop, f"{by[0]}{text}")] if count and by else []
    if _PATTERNS["several_weekdays"].fullmatch(text):
        if _PATTERNS["single_weekday"].search(old.source, 0, word.start) or _PATTERNS["part_of_day"].match(
            old.source, word.stop
        ):
            text = text.removesuffix("s")
        elif _PATTERNS["dated_weekday"].search(old.source, 0, word.start):
            return []  # "next Monday" and "Wednesdays now"
    before, after = _before_day(old, known), _before_day(new, day)
    is_adverb = _PATTERNS["adverbial_weekday"].fullmatch(text) is not None  # "am Montag → mittwochs"
    was_adverb = _PATTERNS["adverbial_weekday"].fullmatch(old.source, word.start, word.stop) is not None
    if was_adverb and not is_adverb and not after:
        return []
    if not (is_adverb or was_adverb or (before and after)):  # "na terça → no sábado"
        before, after = "", ""
    return [Edit(word.start - len(before), word.stop, after + text)]


def _part_edit(source: str, word: DateWord, text: str) -> Edit:
    """Replace the day or month of a date, without the articles before them ("the 14th of January → the 15th")."""
    article = _PATTERNS["article_of_day"].match(source[word.start : word.stop])
    start = word.start + len(article[0] if article else "")
    return Edit(start, word.stop, _PATTERNS["article_of_day"].sub("", text))


def _before_day(value: Value, day: Mention) -> str:
    """The preposition directly before a weekday; empty if there is another word."""
    is_first = day.words[0].code == "W"
    match = _PATTERNS["before_weekday"].search(value.source, 0, day.start) if is_first else None
    return match[0] if match else ""


def _class_of(code: str) -> str:
    return "N" if code in "NO" else code


def _is_of_similar_size(number: str, other: str) -> bool:
    """Check whether a number has at most one digit more than another one, if both are written with digits."""
    sizes = [sum(map(str.isdigit, _FRACTION.sub("", one))) for one in (number, other)]
    return not all(sizes) or abs(sizes[0] - sizes[1]) <= 1


def _has_bound_of(known: Value, other: Value) -> bool:
    """Check whether no word before a number says that it is a limit, or the same word is before the other one."""
    bounds = [_PATTERNS["bound"].search(one.source, 0, one.start) for one in (known, other)]
    before, after = (one[0].casefold() if one else "" for one in bounds)
    return before == after or not before


def _preposition(time: str) -> str:
    match = _PATTERNS["preposition"].match(time)
    return match[0] if match else ""
