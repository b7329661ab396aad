"""Detect statements that a newer statement makes untrue, by their form.

The rules are conservative: a false positive retires a valid memory until the user undoes it, while a false negative
only leaves an outdated memory next to the new one.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from agent.language.facts.extraction import extract_from_user, plain_clauses
from agent.language.parsing.openers import Evidence, blank_openers, read_opener
from agent.language.parsing.sentences import NON_FACTUAL, compile_any, is_first_person
from agent.language.revision.attitudes import attitudes, is_reversed
from agent.language.revision.changes import Change, changes, is_changed
from agent.language.revision.conflicts import conflict, is_excluded_food
from agent.language.revision.reply_settings import is_excluded, lasting_values
from agent.language.revision.slots import bare, claims
from agent.language.revision.value_statements import has_marker, replaces_value
from agent.language.text_cache import cache_per_user
from agent.language.words import frames
from agent.language.words.alignment import is_outdated
from agent.language.words.frames import Frame, word_key, word_keys
from agent.language.words.possession import belongs_to_other
from agent.language.words.spelling import spelled_like, with_accents
from agent.timestamps import parse_timestamp

MAX_COMPARED_CHARS = 2_000

_PARTIAL = compile_any(
    r"\b(?:sometimes|mostly|half|part|temporarily|(?<!last )(?<!this )(?<!next )weekends?|weekdays?|summers?"
    r"|winters?|second|another|side|teilweise|manchmal)\b"
)
_JOINED = compile_any(r"\b(?:and|or|but|also|auch|también|aussi)\b")
_SUBJECT = compile_any(
    r"^(?:(?:so|and|now|finally|recently) )?(?:i|we|my|our)(?:'\w{1,2})?"
    r"(?: (?:have|am|are|just|recently|finally|now)){0,4} "
)
# A text without the words that the rules for extracting facts need, such as a stored fact.
_NO_OWN_FACT = compile_any(
    r"\A(?![^\n]*\b(?:i|i'\w{1,2}|im|ive|my|me|mine|myself|we|we'\w{1,2}|our|us|you|your|please|call|answer|reply|respond"
    r"|use|write|speak|talk|explain|give|keep|always|never|don't|dont|do not)\b)(?-i:[A-Z\u00c0-\u00de])[^\n]*\Z"
)
# A number that may also be an amount ("The rent is up to 1950") does not count.
_YEAR = compile_any(
    r"(?<![£$€])(?<!\bto )(?<!\bis )(?<!\bnow )(?<!\bcosts )(?<!\bpay )\b(?:19|20)\d\d\b"
    r"(?! ?(?:[€£$%]|euros?\b|pounds\b|dollars\b|a (?:month|week|day)\b|per\b|k?cal\w*|steps|words"
    r"|km\b|m[gl]\b|people))"
)
# A habit that ended in the past is not continued.
_PAST_END = compile_any(r"\b(?:quit|stopped|gave up|given up)\b(?!.{0,12}\b(?:first|old|previous|former|last)\b)")
_PAST = compile_any(r"\b(?:ago|as a (?:child|kid|teen\w*|student|baby)|back then|at the time|when i was)\b")
# Slots that are recognised in the user's own words, also where no fact is extracted from them.
_OWN_SLOTS = {
    "ability", "diet", "employer", "home", "job", "major", "relationship", "religion", "salary", "time_zone", "weight",
}  # fmt: skip


def supersedes(new: str, old: str, *, stated_at: str, is_correction: bool = False) -> bool:
    """Check whether a new statement, made at an ISO 8601 time, certainly makes an old one untrue.

    Both are memories as the rules form them ("Moved to Paris" supersedes "Lives in Oslo"), or statements of users in
    German, Spanish or French. A correction says that its value is another one than before.
    """
    stated = [replace(one, is_change=one.is_change or (is_correction and one.slot != "home")) for one in claims(new)]
    pairs = [(one, other) for one in stated for other in claims(old)]
    if not _PARTIAL.search(new) and any(is_excluded_food(one, other) for one, other in pairs):
        return not _is_past(new, stated_at)
    if not any(conflict(one, other, is_partial=False) for one, other in pairs) or _is_past(new, stated_at):
        return False
    is_move = any(one.is_change and one.slot == other.slot == "home" for one, other in pairs)
    patterns = (_PARTIAL,) if is_move else (_PARTIAL, _JOINED)
    is_partial = any(pattern.search(text) for pattern in patterns for text in (new, old))
    return not is_partial or any(conflict(one, other, is_partial=True) for one, other in pairs)


def contradicts(new: str, old: str, *, stated_at: str) -> bool:
    """Check whether a statement in a new text supersedes one in an old text; both are messages or memories.

    Of each, the first `MAX_COMPARED_CHARS` are compared.
    """
    new, old = with_accents(new[:MAX_COMPARED_CHARS]), with_accents(old[:MAX_COMPARED_CHARS])
    new = spelled_like(new, old)
    may_concern = has_marker(new) or _newer(new).may_concern(_word_keys(old))
    return may_concern and not belongs_to_other(new, old) and _contradicts(new, old, stated_at)


@cache_per_user(maxsize=8192)
def _contradicts(new: str, old: str, stated_at: str) -> bool:
    newer, keys = _newer(new), _word_keys(old)
    are_related = not keys.isdisjoint(newer.frame_keys)
    if are_related and any(is_outdated(before, after) for after in newer.frames for before in _frames(old)):
        return not _is_past(new, stated_at)
    stated = newer.changes if are_related else newer.changes_of_any_words
    if any(is_changed(change, one) for change in stated for one in _parts(old)):
        return not _is_past(new, stated_at)
    if is_reversed(new, old) or is_excluded(new, old) or (has_marker(new) and replaces_value(new, old)):
        return not _is_past(new, stated_at)
    if not newer.claiming.may_concern(keys):
        return False
    older = _claiming(old)
    if newer.claiming.slots.isdisjoint(older.slots):
        return False
    pairs = product(newer.claiming.statements, older.statements)
    is_correction = newer.claiming.is_correction
    return any(supersedes(one, other, stated_at=stated_at, is_correction=is_correction) for one, other in pairs)


class _Newer(NamedTuple):
    """What comparisons read of a newer text."""

    frames: tuple[Frame, ...]
    frame_keys: frozenset[str]
    """The keys of the words of which a text about the same contains one; see `frames.word_keys`."""
    changes: tuple[Change, ...]
    changes_of_any_words: tuple[Change, ...]
    """Those that may concern a text without any of the words."""
    has_attitudes: bool
    has_preferences: bool
    """True if it contains a lasting preference about the form of answers."""
    claiming: "_Claiming"

    def may_concern(self, keys: frozenset[str]) -> bool:
        """Check whether the text may make one untrue whose words have these keys."""
        return (
            bool(self.changes_of_any_words)
            or self.has_attitudes
            or self.has_preferences
            or not keys.isdisjoint(self.frame_keys)
            or self.claiming.may_concern(keys)
        )


@cache_per_user(maxsize=4096)
def _newer(text: str) -> _Newer:
    stated = changes(text)
    return _Newer(
        frames=_frames(text),
        frame_keys=frozenset(word_key(token) for frame in _frames(text) for token in frame.significant),
        changes=stated,
        changes_of_any_words=tuple(change for change in stated if change.is_of_any_words),
        has_attitudes=bool(attitudes(text)),
        has_preferences=bool(lasting_values(text)),
        claiming=_claiming(text),
    )


@cache_per_user(maxsize=4096)
def _frames(text: str) -> tuple[Frame, ...]:
    return tuple(frames.frames(text))


@cache_per_user(maxsize=4096)
def _parts(text: str) -> tuple[str, ...]:
    """A text, and the clauses that are about the user by themselves."""
    first, *others = frames.clauses(text)
    return (text, first, *filter(frames.has_named_subject, others)) if others else (text,)


@cache_per_user(maxsize=4096)
def _word_keys(text: str) -> frozenset[str]:
    return frozenset(word_keys(text))


class _Claiming(NamedTuple):
    """The statements of a text that make claims."""

    statements: tuple[str, ...]
    slots: frozenset[str]
    """The slots of their claims."""
    keys: frozenset[str] | None
    """The keys of the words of which a text that they supersede contains one; None if it need not contain any."""
    is_correction: bool
    """True if the text says that an earlier one was wrong."""

    def may_concern(self, keys: frozenset[str]) -> bool:
        """Check whether a statement may supersede one in a text whose words have these keys."""
        return bool(self.statements) and (self.keys is None or not keys.isdisjoint(self.keys))


@cache_per_user(maxsize=4096)
def _claiming(text: str) -> _Claiming:
    is_correction = read_opener(text, 0, len(text))[1] is Evidence.CORRECTION
    made = {one: claims(one) for one in _statements(blank_openers(text).strip() if is_correction else text)}
    statements = {one: found for one, found in made.items() if found}
    slots = {claim.slot for found in statements.values() for claim in found}
    related = {"name": "called", "does:be": "job", "diet": "does:eat"}
    slots |= {other for slot, other in related.items() if slot in slots}
    # An activity concerns only statements about the same thing ("Plays the violin"); other slots have any values.
    values = [bare(claim.value) for found in statements.values() for claim in found if claim.slot.startswith("does:")]
    is_specific = all(values) and len(values) == sum(map(len, statements.values()))
    keys = frozenset(word_keys(" ".join(values))) if is_specific else None
    return _Claiming(tuple(statements), frozenset(slots), keys, is_correction)


def _statements(text: str) -> Iterator[str]:
    if not is_first_person(text):
        yield text
    if not _NO_OWN_FACT.match(text):
        yield from (fact.text for fact in extract_from_user(text))
    for clause in plain_clauses(text):
        predicate = _SUBJECT.sub("", clause)
        if predicate == clause:
            yield clause
        elif not NON_FACTUAL.search(clause):
            yield from (one for one in (predicate, clause) if any(claim.slot in _OWN_SLOTS for claim in claims(one)))


def _is_past(text: str, stated_at: str) -> bool:
    """Check whether a text refers to the past: its latest year is before the year preceding `stated_at`."""
    if _PAST_END.search(text):
        return False
    years = [int(year) for year in _YEAR.findall(text)]
    return bool(_PAST.search(text)) or (bool(years) and max(years) < parse_timestamp(stated_at).year - 1)
