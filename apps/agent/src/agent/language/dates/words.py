"""The words of dates in several languages: months, weekdays, numbers, units, and words such as "next" and "ago"."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import NamedTuple

from agent.language.parsing.sentences import plain_punctuation

_DATA: Mapping[str, Mapping[str, str]] = tomllib.loads(
    files("agent.language").joinpath("dates/words.toml").read_text(encoding="utf-8")
)
# The code of a word, by its table or key.
_CODES = {
    "month": "M",
    "month_after_day": "M",
    "weekday": "W",
    "day_offset": "D",
    "unit": "U",
    "span": "V",
    "number": "N",
    "rank": "K",
    "weeks_after": "w",
}
_DIRECTION_CODES = {
    "next": "X",
    "this": "T",
    "last": "L",
    "in": "I",
    "later": "Z",
    "before": "B",
    "ago": "A",
    "article": "a",
}

_FULL_HOUR = re.compile(
    r"(?<![\d:.,])(?P<hour>[01]?\d|2[0-4])(?:(?::00)? ?(?P<half>[ap])\.?m\b\.?|:00(?![\d:])| ?h(?:00)?(?!\w)| ?uhr\b)",
    re.IGNORECASE,
)


class DateWord(NamedTuple):
    """A word of a date; the codes are those of `_CODES`.

    Between two of them: "|" for other words, "," for a comma, and "f" for "on" or "from" after a unit ("a week from").
    """

    code: str
    value: str
    start: int
    stop: int


def _vocabulary() -> dict[str, tuple[str, str]]:
    words: dict[str, tuple[str, str]] = {}
    for table, entries in _DATA.items():
        for key, alternatives in entries.items():
            code = _DIRECTION_CODES[key] if table == "direction" else _CODES.get(table, "")
            for word in alternatives.split("|") if code else ():
                words.setdefault(word, (code, key))
    return words


_WORDS = _vocabulary()
_AFTER_DAY = frozenset(word for words in _DATA["month_after_day"].values() for word in words.split("|"))
NUMBERS = {word: key for word, (code, key) in _WORDS.items() if code == "N"}
"""The digits of number words."""


def _alternatives(words: Iterable[str]) -> str:
    ordered = sorted(words, key=len, reverse=True)
    joined = [[re.escape(word) for word in ordered if _is_cjk(word) == cjk] for cjk in (False, True)]
    return rf"(?<![^\W\d_])(?:{'|'.join(joined[0])})(?!\w)|(?:{'|'.join(joined[1])})"


def _is_cjk(word: str) -> bool:
    return "\u3040" <= word[0] <= "\u9fff"


_CJK_NUMBER = "[\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341]{1,3}|\\d{1,2}"
# "Over twee weken", but not "over two weeks".
_DUTCH_IN = (
    r"\bover(?= (?:(?:een|één|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|veertien)\b"
    r"|\d{1,3} (?:dag|weken|maand|jaar)))"
)
_TOKEN = re.compile(
    r"(?P<iso>(?<!\d)(?:19|20)\d\d-\d\d-\d\d(?!\d))"
    r"|(?P<numeric>(?<![\d.])\d{1,2}(?P<separator>[./])\d{1,2}(?:(?P=separator)(?:\d{4}|\d\d)?)?(?![\d/]))"
    r"|(?P<cjk_year>(?:19|20)\d\d)\u5e74"
    rf"|(?P<cjk_month>{_CJK_NUMBER})\u6708(?!\u4e2a)|(?P<cjk_day>{_CJK_NUMBER})[\u65e5\u53f7\u865f]"
    r"|(?P<year>(?<![\d.,:$€£])(?:19|20)\d\d(?![\d:%]|[.,]\d))"
    r"|(?:(?<!\w)(?P<the>the|am|el|le|den|il|dia|día|zum|bis) )?"
    r"(?<![\d.,:])(?P<number>\d{1,3})(?![./]\d)(?P<ordinal>st|nd|rd|th|er|\u00ba|\.)?(?![\d:%])"
    rf"|(?P<word>{_DUTCH_IN}|(?<=\d )(?:{'|'.join(sorted(_AFTER_DAY))})\b|{_alternatives(_WORDS.keys() - _AFTER_DAY)})",
    re.IGNORECASE,
)
_GAP = re.compile(rf"[\s,]{{0,3}}(?:(?:{_DATA['filler']['words']})[\s,]{{1,3}}){{0,2}}(?:\u7684)?", re.IGNORECASE)
# "A week from Friday", "Friday week".
SEPARATORS = "|,f"
_FROM = frozenset({"from", "on"})
_WEEKS_AFTER = {"week": "1 week", "fortnight": "2 week"}
_LENGTH_CODES, _DAY_CODES = frozenset("UV"), frozenset("WD")


def date_words(text: str) -> Iterator[DateWord]:
    """Yield the words of dates, and what separates them."""
    end, previous = 0, ""
    for match in _TOKEN.finditer(text):
        gap = text[end : match.start()]
        code, value = _classify(match)
        if separator := _separator(gap, previous):
            yield DateWord(separator, "", end, match.start())
        elif gap == " " and previous in _DAY_CODES and match[0].casefold() in _WEEKS_AFTER:
            code, value = "w", _WEEKS_AFTER[match[0].casefold()]
        end, previous = match.end(), code
        yield DateWord(code, value, *match.span())


def _separator(gap: str, previous: str) -> str:
    if previous in _LENGTH_CODES and gap.strip().casefold() in _FROM:
        return "f"
    if not _GAP.fullmatch(gap):
        return "|"
    return "," if "," in gap else ""


def _classify(match: re.Match[str]) -> tuple[str, str]:
    groups = match.groupdict()
    if groups["iso"] or groups["numeric"]:
        return "F", match[0]
    if groups["word"]:
        return _WORDS.get(match[0].casefold(), ("I", "in"))
    if year := groups["year"] or groups["cjk_year"]:
        return "Y", year
    if month := groups["cjk_month"]:
        return "M", _number(month)
    if day := groups["cjk_day"]:
        return "O", _number(day)
    return ("O" if groups["ordinal"] or groups["the"] else "N"), groups["number"]


def _number(digits: str) -> str:
    """Convert a Chinese number up to 31."""
    if digits.isdecimal():
        return digits
    tens, _, ones = digits.rpartition("\u5341")
    ten = 10 * int(NUMBERS.get(tens, "1")) if "\u5341" in digits else 0
    return str(ten + int(NUMBERS.get(ones, "0")))


def plain_hours(text: str) -> str:
    """A text with plain punctuation, and full hours as numbers up to 23 ("10 pm", "22:00", "22h")."""
    return _FULL_HOUR.sub(_hour, plain_punctuation(text))


def _hour(match: re.Match[str]) -> str:
    hour, half = int(match["hour"]), (match["half"] or "").lower()
    return f"{hour % 12 + (12 if half == 'p' else 0)} " if half else f"{hour} "
