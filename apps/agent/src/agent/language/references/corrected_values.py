"""Put the value that a correction gives in the place of the one in the statement that it corrects.

"My dentist appointment is on Tuesday at 3 → sorry, I meant Thursday" becomes "My dentist appointment is on Thursday at
3". What the correction says after the value follows the statement ("75 actually, they bumped it"). A correction without
a value stays beside its statement, and so does one of which it is not certain which value it replaces.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import reduce
from itertools import islice

from agent.language.dates.notes import split_date_note
from agent.language.grounding.checks import is_quoted
from agent.language.parsing.sentences import Span, plain_punctuation
from agent.language.pattern_files import load_patterns
from agent.language.references.antecedents import CORRECTS, antecedent_in, without_antecedent
from agent.language.references.relations import states_change
from agent.language.references.restatements import restated
from agent.language.references.text_values import Edit, Value, values_in
from agent.language.revision.fragments import contrasts
from agent.language.revision.value_statements import replaces_value, value_of
from agent.language.text_cache import cache_per_user

MAX_CORRECTION_CHARS = 80
MAX_STATEMENT_CHARS = 300
MAX_CLAUSES = 3  # before a remark ("75 actually, they bumped it in March")
MIN_STEM_CHARS = 4
MIN_FORM_CHARS = 3  # of a number that is told from others by its form ("0600", "dock 4")
MIN_SIMILARITY = 0.75  # of two spellings of a name
_JOINT = "; "  # between a statement and an earlier correction
_PATTERNS = load_patterns("references/corrected_values.toml")
_FILLER = load_patterns("references/appointments.toml")["filler"]
_CLAUSE_END = re.compile(r"[.!;]+\s+|,\s+|!+\s*")
_WORD = re.compile(r"[^\W\d_]+|\d+")


def with_corrected_value(text: str) -> str:
    """A statement and its corrections ("A → B") as one statement with the corrected value; otherwise the text itself.

    A change that only likely concerns the statement ("A … B") does if it gives another value for what both name.
    A date note is left out if the correction replaces a day, because it was written for the other one.
    """
    statement, correction = antecedent_in(text), split_date_note(without_antecedent(text))[0]
    if not statement or antecedent_in(correction) or not (CORRECTS in text or _states_change(correction)):
        return text
    before, note = split_date_note(statement)
    corrected = _correct_in_turn([*before.split(_JOINT), correction]) or correct_value(before, correction)
    if corrected is None:
        return text
    return corrected if names_day(correction) else corrected + note


def _states_change(correction: str) -> bool:
    return states_change(correction) or _PATTERNS["spelled"].fullmatch(plain_punctuation(correction)) is not None


def is_own_text(text: str, quotes: Sequence[str]) -> bool:
    """Check whether a text consists of the user's own words: it is quoted, or a quoted statement as corrected."""
    if is_quoted(text, quotes):
        return True
    stated = split_date_note(text)[0]
    return any(antecedent_in(one) and split_date_note(with_corrected_value(one))[0] == stated for one in quotes)


def _correct_in_turn(statements: Sequence[str]) -> str | None:
    """A statement after several corrections, each of which replaces a value of what the others made of it."""
    first, *corrections = statements
    return reduce(lambda known, one: known and correct_value(known, one), corrections, first or None)


@cache_per_user(maxsize=8192)
def correct_value(statement: str, correction: str) -> str | None:
    """A statement with the values of a correction; None if it does not have exactly one of each kind, or says more."""
    old, new = plain_punctuation(statement), plain_punctuation(correction).strip()
    if max(len(old), len(new)) > MAX_STATEMENT_CHARS or new.endswith("?"):
        return None
    if whole := restated(old, new):
        return whole
    for stop, start in _heads(new):
        head, remark = new[:stop].strip(), new[start:].strip()
        corrected = statement
        for edit in sorted(_edits(old, head, remark), reverse=True):
            corrected = f"{corrected[: edit.start]}{edit.text}{corrected[edit.stop :]}"
        if corrected != statement:
            return f"{corrected}{_JOINT}{remark}" if any(map(str.isalnum, remark)) else corrected
    return None


def with_changed_value(known: str, statement: str) -> str | None:
    """A known statement with the value of another one about the same; None if it is about something else."""
    return correct_value(known, value_of(statement)) if replaces_value(statement, known) else None


def states_correction(statement: str, correction: str) -> bool:
    """Check whether a statement has all values of a correction, which says nothing else ("yoga is at 7 now")."""
    old, new = (
        plain_punctuation(split_date_note(statement)[0]),
        plain_punctuation(split_date_note(correction)[0]).strip(),
    )
    if max(len(old), len(new)) > MAX_STATEMENT_CHARS:
        return False
    return all(old[one.start : one.stop] == one.text for one in edits) if (edits := _edits(old, new, "")) else False


def _heads(new: str) -> Iterator[Span]:
    """Yield the ends of the first clauses of a correction, the longest first, and the starts of what follows them."""
    yield len(new), len(new)
    yield from reversed([match.span() for match in islice(_CLAUSE_END.finditer(new), MAX_CLAUSES)])


def _edits(old: str, new: str, remark: str) -> list[Edit]:
    """The edits of a statement by a correction, unless a remark after it gives further values, or asks something."""
    if len(new) > MAX_CORRECTION_CHARS or remark.endswith("?") or _PATTERNS["denied"].search(remark):
        return []
    edits = _contrast_edits(old, new) or _value_edits(old, new) or _name_edits(old, new)
    return [] if values_in(remark) or contrasts(remark) else edits


def _contrast_edits(old: str, new: str) -> list[Edit]:
    """Replace the wrong value by the right one that a correction names ("Hannah, not Anna")."""
    for contrast in contrasts(new):
        if not all(map(_is_value, (contrast.right, contrast.wrong))):
            continue
        rest = new.replace(plain_punctuation(contrast.quote), " ")
        found = list(re.finditer(rf"(?<!\w){re.escape(contrast.wrong)}(?!\w)", old, re.IGNORECASE))
        if len(found) == 1 and not _other_words(rest, old) and not _says_more_of(old, found[0], contrast.right):
            return [Edit(*found[0].span(), contrast.right)]
    return []


def _value_edits(old: str, new: str) -> list[Edit]:
    """Replace the only day, time and number of a statement by those of a correction that names nothing else."""
    values, rest = values_in(new), new
    for value in reversed(values):
        rest = f"{rest[: value.start]} {rest[value.stop :]}"
    if not values or _other_words(rest, old) or _PATTERNS["denied"].search(new):
        return []
    if _PATTERNS["age"].search(old) and _PATTERNS["now"].search(new):
        return []  # "18 months" and "she's two now"
    replaced = [(one, value) for value in values if (one := _replaced(values_in(old), value))]
    edits = [one.replace_with(value) for one, value in replaced]
    is_unique = len({one.start for one, _ in replaced}) == len(values)
    return [edit for each in edits for edit in each] if is_unique and all(edits) else []


def _replaced(known: Sequence[Value], value: Value) -> Value | None:
    """The value of a statement that another one replaces: the only one of its kind or form; None if unclear.

    A number may also be an hour ("gig starts at 8 → pushed back to 9").
    """
    same = [one for one in known if one.kind == value.kind]
    if not same and value.kind == "number":
        same = [one for one in known if one.kind == "time"]
    if len(same) > 1 and value.kind not in ("day", "range") and len(value.form) >= MIN_FORM_CHARS:
        same = [one for one in same if one.form == value.form]
    return same[0] if len(same) == 1 else None


def _name_edits(old: str, new: str) -> list[Edit]:
    """Replace the only name of a statement, or the only place after the same preposition, by that of a correction."""
    if spelled := _PATTERNS["spelled"].fullmatch(new):
        return _spelling_edits(old, spelled["name"])
    pattern = "only_name" if _PATTERNS["cue"].match(new) or new.startswith("*") else "name_first"
    match = _PATTERNS[pattern].fullmatch(new)
    if not match or re.search(rf"(?<!\w){re.escape(match['name'])}(?!\w)", old, re.IGNORECASE):
        return []
    days = [one for one in values_in(old) if one.kind in ("day", "range")]
    names = [
        one for one in _PATTERNS["names"].finditer(old) if not any(day.start <= one.start() < day.stop for day in days)
    ]
    if similar := [one for one in names if _is_spelling_of(match["name"], one[0])]:
        names = similar
    elif preposition := (match["preposition"] or "").strip():
        names = [one for one in names if old[: one.start()].casefold().endswith(f" {preposition.casefold()} ")]
    elif any(one.start() == 0 for one in names):
        return []  # the first word has a capital letter, whether or not it is a name
    is_replaced = len(names) == 1 and not _says_more_of(old, names[0], match["name"])
    return [Edit(*names[0].span(), match["name"])] if is_replaced else []


def _says_more_of(statement: str, name: re.Match[str], other: str) -> bool:
    """Check whether a statement goes on about what a name in it stands for, which is not another spelling of it."""
    is_other = not (values_in(name[0]) or _is_spelling_of(other, name[0]))
    return is_other and _PATTERNS["refers"].search(statement, name.end()) is not None


def _spelling_edits(old: str, name: str) -> list[Edit]:
    """Replace the only name of a statement that is another spelling of a name."""
    names = [one for one in _PATTERNS["names"].finditer(old) if one[0] != name and _is_spelling_of(name, one[0])]
    return [Edit(*names[0].span(), name)] if len(names) == 1 else []


def _is_spelling_of(name: str, other: str) -> bool:
    return SequenceMatcher(None, name.casefold(), other.casefold(), autojunk=False).ratio() >= MIN_SIMILARITY


def _is_value(text: str) -> bool:
    """Check for a number, day, time or name, rather than another word."""
    return bool(values_in(text)) or _PATTERNS["names"].fullmatch(text) is not None


def names_day(text: str) -> bool:
    """Check whether a text names a day, a date or a month, or a range."""
    return any(one.kind in ("day", "range") for one in values_in(plain_punctuation(text)))


def _other_words(rest: str, statement: str) -> set[str]:
    """The words of a correction that do not only say that it is one, and that its statement does not have."""
    rest = _FILLER.sub(" ", _PATTERNS["cue"].sub(" ", rest))
    known = {_stem(word) for word in _WORD.findall(statement)}
    return {word for word in _WORD.findall(rest) if _stem(word) not in known and (len(word) > 1 or word.isdigit())}


def _stem(word: str) -> str:
    return word.casefold()[: max(MIN_STEM_CHARS, len(word) - 2)]
