"""Put the value that a correction gives in the place of the one in the statement that it corrects.

"My dentist appointment is on Tuesday at 3 → sorry, I meant Thursday" becomes "My dentist appointment is on Thursday at
3". A correction that says anything else stays beside its statement, and so does one of which it is not certain which
value it replaces.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from difflib import SequenceMatcher
from functools import reduce
from typing import NamedTuple

from agent.language.dates.notes import split_date_note
from agent.language.dates.resolution import Mention, mentions
from agent.language.dates.words import DateWord
from agent.language.grounding.checks import is_quoted
from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns
from agent.language.references.antecedents import CORRECTS, antecedent_in, without_antecedent
from agent.language.revision.fragments import contrasts
from agent.language.text_cache import cache_per_user
from agent.language.words.quantities import TOKEN, quantity_kind

MAX_CORRECTION_CHARS = 80
MAX_STATEMENT_CHARS = 300
MIN_STEM_CHARS = 4
MIN_FORM_CHARS = 3  # of a number that is told from others by its form ("0600", "dock 4")
MIN_SIMILARITY = 0.75  # of two spellings of a name
_ANY_DAY = date(2000, 1, 3)  # where a text names a day does not depend on when it was written
_LENGTHS = frozenset({"duration", "offset"})
_JOINT = "; "  # between a statement and an earlier correction
_PATTERNS = load_patterns("references/corrected_values.toml")
_SCHEDULE = load_patterns("references/appointments.toml")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_DIGIT = re.compile(r"\d")
_HOUR = re.compile(r"\d{1,2}(?=\s?[^\W\d_])")
_GROUPED = re.compile(r"\d[ /-]\d")


class _Value(NamedTuple):
    """A day, time or number in a text."""

    kind: str
    start: int
    stop: int
    day: Mention | None = None


class _Edit(NamedTuple):
    """Characters of a statement and what replaces them."""

    start: int
    stop: int
    text: str


def with_corrected_value(text: str) -> str:
    """A statement and its corrections ("A → B") as one statement with the corrected value; otherwise the text itself.

    A date note is left out if the correction replaces a day, because it was written for the other one.
    """
    if text.count(CORRECTS) != 1:
        return text
    statement, correction = antecedent_in(text), split_date_note(without_antecedent(text))[0]
    before, note = split_date_note(statement)
    corrected = _correct_in_turn([*before.split(_JOINT), correction]) or correct_value(before, correction)
    if corrected is None:
        return text
    return corrected if names_day(correction) else corrected + note


def is_own_text(text: str, quotes: Sequence[str]) -> bool:
    """Check whether a text consists of the user's own words: it is quoted, or a quoted statement as corrected."""
    if is_quoted(text, quotes):
        return True
    stated = split_date_note(text)[0]
    return any(CORRECTS in one and split_date_note(with_corrected_value(one))[0] == stated for one in quotes)


def _correct_in_turn(statements: Sequence[str]) -> str | None:
    """A statement after several corrections, each of which replaces a value of what the others made of it."""
    first, *corrections = statements
    return reduce(lambda known, one: known and correct_value(known, one), corrections, first or None)


@cache_per_user(maxsize=256)
def correct_value(statement: str, correction: str) -> str | None:
    """A statement with the values of a correction; None if it does not have exactly one of each kind, or says more."""
    old, new = plain_punctuation(statement), plain_punctuation(correction).strip()
    if len(new) > MAX_CORRECTION_CHARS or len(old) > MAX_STATEMENT_CHARS or new.endswith("?"):
        return None
    edits = _contrast_edits(old, new) or _value_edits(old, new) or _name_edits(old, new)
    for edit in sorted(edits, reverse=True):
        statement = f"{statement[: edit.start]}{edit.text}{statement[edit.stop :]}"
    return statement if edits else None


def _contrast_edits(old: str, new: str) -> list[_Edit]:
    """Replace the wrong value by the right one that a correction names ("Hannah, not Anna")."""
    for contrast in contrasts(new):
        if not all(map(_is_value, (contrast.right, contrast.wrong))):
            continue
        rest = new.replace(plain_punctuation(contrast.quote), " ")
        found = list(re.finditer(rf"(?<!\w){re.escape(contrast.wrong)}(?!\w)", old, re.IGNORECASE))
        if len(found) == 1 and not _other_words(rest, old):
            return [_Edit(*found[0].span(), contrast.right)]
    return []


def _value_edits(old: str, new: str) -> list[_Edit]:
    """Replace the only day, time and number of a statement by those of a correction that names nothing else."""
    values, known = list(_values(new)), list(_values(old))
    rest = new
    for value in reversed(values):
        rest = f"{rest[: value.start]} {rest[value.stop :]}"
    if not values or _PATTERNS["denied"].search(new) or _other_words(rest, old):
        return []
    edits: list[_Edit] = []
    for value in values:
        replaced = _replaced(old, known, new, value)
        if not replaced or sum(one.kind == value.kind for one in values) > 1:
            return []
        found = _edit(old, replaced, new, value)
        if not found:
            return []
        edits += found
    return edits


def _replaced(old: str, known: Sequence[_Value], new: str, value: _Value) -> _Value | None:
    """The value of a statement that another one replaces: the only one of its kind or form; None if unclear.

    A number may also be an hour ("gig starts at 8 → pushed back to 9").
    """
    same = [one for one in known if one.kind == value.kind]
    if not same and value.kind == "number":
        same = [one for one in known if one.kind == "time"]
    form = _form(new, value)
    if len(same) > 1 and value.kind != "day" and len(form) >= MIN_FORM_CHARS:
        same = [one for one in same if _form(old, one) == form]
    return same[0] if len(same) == 1 else None


def _form(text: str, value: _Value) -> str:
    return _DIGIT.sub("0", text[value.start : value.stop])


def _name_edits(old: str, new: str) -> list[_Edit]:
    """Replace the only name of a statement, or the only place after the same preposition, by that of a correction."""
    match = _PATTERNS["only_name"].fullmatch(new) or _PATTERNS["name_first"].fullmatch(new)
    if not match or re.search(rf"(?<!\w){re.escape(match['name'])}(?!\w)", old, re.IGNORECASE):
        return []
    days = [one for one in _values(old) if one.kind == "day"]
    names = [
        one for one in _PATTERNS["names"].finditer(old) if not any(day.start <= one.start() < day.stop for day in days)
    ]
    if similar := [one for one in names if _is_spelling_of(match["name"], one[0])]:
        names = similar
    elif preposition := (match["preposition"] or "").strip():
        names = [one for one in names if old[: one.start()].casefold().endswith(f" {preposition.casefold()} ")]
    elif any(one.start() == 0 for one in names):
        return []  # the first word has a capital letter, whether or not it is a name
    return [_Edit(*names[0].span(), match["name"])] if len(names) == 1 else []


def _is_spelling_of(name: str, other: str) -> bool:
    return SequenceMatcher(None, name.casefold(), other.casefold(), autojunk=False).ratio() >= MIN_SIMILARITY


def _values(plain: str) -> Iterator[_Value]:
    days = [_Value("day", one.start, one.stop, one) for one in mentions(plain, _ANY_DAY) if one.rule not in _LENGTHS]
    yield from days
    times = [
        _Value("time", *one.span())
        for one in _SCHEDULE["time"].finditer(plain)
        if not any(day.start < one.end() and one.start() < day.stop for day in days)
    ]
    yield from times
    numbers: list[_Value] = []
    for token in TOKEN.finditer(plain):
        start, stop = token.span()
        if any(one.start < stop and start < one.stop for one in (*days, *times)) or not _is_number(token[0]):
            continue
        if numbers and numbers[-1].stop == start - 1 and _GROUPED.fullmatch(plain, numbers[-1].stop - 1, start + 1):
            start = numbers.pop().start  # "07700 900123"
        numbers.append(_Value("number", start, stop))
    yield from numbers


def _is_number(token: str) -> bool:
    return quantity_kind(token.casefold()) in {"number", "code"} and not _PATTERNS["article"].fullmatch(token)


def _is_value(text: str) -> bool:
    """Check for a number, day, time or name, rather than another word."""
    return any(True for _ in _values(text)) or _PATTERNS["names"].fullmatch(text) is not None


def _edit(old: str, known: _Value, new: str, value: _Value) -> list[_Edit]:
    if known.day and value.day:
        return _day_edits(old, known.day, new, value.day)
    before, after = (text[one.start : one.stop] for text, one in ((old, known), (new, value)))
    if known.kind == "time":
        start = known.start + len(_preposition(before))
        after = after.removeprefix(_preposition(after))
        hour = _HOUR.match(old, start) if after.isdigit() else None  # "8pm" and "make it 9"
        return [_Edit(start, hour.end() if hour else known.stop, after)]
    return [_Edit(known.start, known.stop, after)]


def _day_edits(old: str, known: Mention, new: str, day: Mention) -> list[_Edit]:
    """Replace the parts of a date that another one has, or the whole of it, if this is complete."""
    known_words = {_class_of(word.code): word for word in known.words}
    words = {_class_of(word.code): new[word.start : word.stop] for word in day.words}
    if len(known_words) != len(known.words) or len(words) != len(day.words):
        return []
    is_weekday = day.rule == "weekday"
    if is_weekday and known.rule == "weekday" and words.keys() == {"W"}:
        word, prepositions = known_words["W"], [_before_day(old, known), _before_day(new, day)]
        before, after = prepositions if all(prepositions) else ("", "")  # "na terça → no sábado"
        return [_Edit(word.start - len(before), word.stop, after + words["W"])]
    if words.keys() < known_words.keys() and "W" not in known_words:
        return [_part_edit(old, known_words[one], text) for one, text in words.items()]
    is_complete = words.keys() == known_words.keys() or {"M", "N"} <= words.keys()
    is_day = is_weekday and known.rule in ("weekday", "unit")
    whole = new[day.start : day.stop]
    if known.rule == "weekday" and not is_day:
        whole = _PATTERNS["article_of_day"].sub("", whole)  # "am Dienstag → den 9. Dezember"
    return [_Edit(known.start, known.stop, whole)] if is_complete or is_day else []


def _part_edit(old: str, word: DateWord, text: str) -> _Edit:
    """Replace the day or month of a date, without the articles before them ("the 14th of January → the 15th")."""
    article = _PATTERNS["article_of_day"].match(old[word.start : word.stop])
    start = word.start + len(article[0] if article else "")
    return _Edit(start, word.stop, _PATTERNS["article_of_day"].sub("", text))


def _before_day(text: str, day: Mention) -> str:
    """The preposition directly before a weekday; empty if there is another word."""
    match = _PATTERNS["before_weekday"].search(text, 0, day.start) if day.words[0].code == "W" else None
    return match[0] if match else ""


def _class_of(code: str) -> str:
    return "N" if code in "NO" else code


def _preposition(time: str) -> str:
    match = _PATTERNS["preposition"].match(time)
    return match[0] if match else ""


def names_day(text: str) -> bool:
    """Check whether a text names a day, a date or a month."""
    return any(one.kind == "day" for one in _values(plain_punctuation(text)))


def _other_words(rest: str, statement: str) -> set[str]:
    """The words of a correction that do not only say that it is one, and that its statement does not have."""
    rest = _SCHEDULE["filler"].sub(" ", _PATTERNS["cue"].sub(" ", rest))
    known = {_stem(word) for word in _WORD.findall(statement)}
    return {word for word in _WORD.findall(rest) if _stem(word) not in known and (len(word) > 1 or word.isdigit())}


def _stem(word: str) -> str:
    return word.casefold()[: max(MIN_STEM_CHARS, len(word) - 2)]
