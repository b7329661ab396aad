"""Detect that a newer sentence says that something changed: what has ended, and a new value of something.

The older statement must be about the same: it contains everything that has ended ("ditched Vim", "I use Vim"), or the
thing that has a new value ("my new boss is Kwame"), or a number, day or time of the same thing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from agent.language.dates.notes import split_date_note
from agent.language.parsing.openers import read_opener
from agent.language.parsing.sentences import NON_FACTUAL, plain_punctuation, sentences, with_apostrophes
from agent.language.pattern_files import load_patterns
from agent.language.revision.ends import End, ended, is_ended, is_of_other
from agent.language.revision.name_corrections import NameCorrection, name_corrections
from agent.language.revision.topics import changed_topics, is_about
from agent.language.text_cache import cache_per_user
from agent.language.words import frames
from agent.language.words.content import SCHEDULE, Content, Stems, content_of, is_owned, named_words, stems, words_of
from agent.language.words.frames import evidence_in
from agent.language.words.owners import owner_of
from agent.language.words.parts import given_name, subject_of
from agent.language.words.synonyms import RELATIVES

MAX_SENTENCE_CHARS, MAX_OLD_CHARS = 300, 160
MIN_SHARE = 0.5

_PATTERNS = load_patterns("revision/change_patterns")
MULTIPLIERS = {"k", "m", "mil", "mio", "tsd"}  # "18k" and "5k" may be of different things
MAX_DAY_DIGITS = 2  # a longer number in a date is its year
_CODE = re.compile(r"[\d@]")
# Whom the user told, or did not tell, about the change in the clauses before.
_TOLD = re.compile(
    r"[,;] (?:(?:just|but|only|and|i|i've|have|haven't|never|not) ){0,4}(?:told|tell|telling)\b.*", re.IGNORECASE
)
_OWNED, _OWNER = re.compile(r"(?<='s )\w+"), re.compile(r"\w{1,40}(?='s )")


@dataclass(frozen=True, slots=True)
class _Topic:
    """A topic with a new value, such as a new home."""

    name: str
    value: frozenset[str]
    """The words for it, casefolded; empty if the sentence does not name it."""
    things: Stems
    """What an earlier statement of the topic contains."""
    named: frozenset[str]
    """The words for these things, casefolded."""

    def replaces(self, statement: str, old: Content) -> bool:
        """Check whether an older statement is about the topic, and gives another value."""
        if not self.things <= old.things:
            return False
        is_named = bool(self.things)
        if is_named and (is_of_other(self.things, statement) or self._is_of_other_person(statement, old)):
            return False
        if not is_about(self.name, statement, is_named=is_named) or self._is_age_of_other(statement):
            return False
        return not self.value or not self.value <= words_of(statement)

    def _is_age_of_other(self, statement: str) -> bool:
        """Check for an age in a clause whose subject has another name ("My son is 4 and my cat is called Leo")."""
        if self.name != "age_of" or not subject_of(statement):
            return False
        subject = stems(f"{subject_of(statement)} {given_name(statement)}")
        first, *others = frames.clauses(statement)
        dependent = [first, *(one for one in others if not frames.has_named_subject(one))]
        shared = dependent if self.things <= subject else []
        aged = (one for one in (first, *others) if is_about(self.name, one, is_named=True))
        return not any(one in shared or self.things <= stems(one) for one in aged)

    def _is_of_other_person(self, statement: str, old: Content) -> bool:
        """Check whether a statement only mentions the person whom the topic concerns ("My wife's mum lives here")."""
        if not self.things <= old.persons:
            return False
        if not (self.things <= RELATIVES or self.named <= words_of(statement)):
            return True  # "hermana", "hermano"
        subject = stems(subject_of(statement))
        is_subject = not subject or not subject.isdisjoint(self.things)
        return not is_subject or any(not self.things.isdisjoint(stems(one)) for one in _OWNED.findall(statement))


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence that says that something changed."""

    content: Content
    ended: tuple[End, ...]
    renewed: tuple[tuple[Stems, str], ...]
    """Thing and new value."""
    is_new: bool
    """True if the sentence says that something is new or was wrong, so that its quantities replace others."""
    topics: tuple[_Topic, ...]
    """What the user has one of at a time, and is another one now."""
    rescheduled: tuple[Stems, ...]
    """What takes place at another time."""
    is_own: bool
    """True if the subject is the user."""
    names: tuple[NameCorrection, ...] = ()
    owners: Stems = frozenset()
    """The owners of things in it ("Tom's exam")."""

    @property
    def is_of_any_words(self) -> bool:
        """Whether an older statement that it concerns may have other words."""
        return bool(self.ended or self.topics or self.renewed or self.rescheduled or self.names)


class _Older(NamedTuple):
    """An older statement, and what comparisons read of it."""

    text: str
    """The statement with plain punctuation."""
    content: Content
    is_lasting: bool
    """True if it does not describe a state that may end or change."""


@cache_per_user(maxsize=4096)
def _older(statement: str) -> tuple[_Older, ...]:
    """Read an older statement; none for a long one, or a question.

    One that is lasting in a part ("Lily is allergic to nuts and does gymnastics") is followed by its other clauses.
    """
    plain = with_apostrophes(plain_punctuation(split_date_note(statement)[0]))
    if len(plain) > MAX_OLD_CHARS or plain.rstrip().endswith("?"):
        return ()
    whole = _read(plain)
    return (whole, *_changeable_clauses(plain)) if whole.is_lasting else (whole,)


def _read(text: str) -> _Older:
    return _Older(text, content_of(text), _PATTERNS["lasting"].search(text) is not None)


def _changeable_clauses(text: str) -> Iterator[_Older]:
    """The clauses of a statement that are not lasting, each with the subject that it shares with the first one."""
    clauses = frames.clauses(text)
    subject = subject_of(clauses[0])
    for clause in clauses if len(clauses) > 1 else ():
        is_complete = clause.startswith(subject) or frames.has_named_subject(clause)
        old = _read(clause if is_complete else f"{subject} {clause}")
        if not old.is_lasting:
            yield old


@cache_per_user(maxsize=4096)
def changes(text: str) -> tuple[Change, ...]:
    """The changes that a text states; mostly none."""
    names = tuple(name_corrections(text))
    if not names:
        return tuple(_changes(text))
    of_names = Change(content_of(text), (), (), is_new=False, topics=(), rescheduled=(), is_own=False, names=names)
    return (*_changes(text), of_names)


def reports_death(text: str) -> bool:
    """Check whether a text reports a death."""
    return any(end.is_death for change in changes(text) for end in change.ended)


def reports_other_time(text: str) -> bool:
    """Check whether a text reports that something takes place at another time."""
    return any(change.rescheduled for change in changes(text))


def is_changed(change: Change, statement: str) -> bool:
    """Check whether a change makes an older statement about the user untrue."""
    return any(_concerns(change, old) for old in _older(statement))


def _concerns(change: Change, old: _Older) -> bool:
    mentioned = change.content.things | change.content.persons | change.owners
    topics = (one for one in change.topics if owner_of(one.things, old.text) <= mentioned)
    if any(topic.replaces(old.text, old.content) for topic in topics):
        return True
    if any(correction.concerns(old.text) for correction in change.names):
        return True
    if any(is_ended(end, old.content, old.text, is_lasting=old.is_lasting) for end in change.ended):
        return True
    return not old.is_lasting and change.content.persons <= old.content.persons and _has_other_value(change, old)


def _has_other_value(change: Change, old: _Older) -> bool:
    """Check whether a change gives another value, day or number of what an older statement is about."""
    renewed = change.renewed if change.is_new and _PATTERNS["identity"].search(old.text) else ()
    if any(_is_renewed(thing, value, old.text, old.content) for thing, value in renewed):
        return True
    if _is_rescheduled(change, old):
        return True
    is_of_other = change.is_own and not old.content.persons <= change.content.persons
    is_of_other = is_of_other or not change.owners <= old.content.things | old.content.persons
    return change.is_new and not is_of_other and _has_other_quantity(change, old.content)


def _changes(text: str) -> Iterator[Change]:
    plain = with_apostrophes(plain_punctuation(text))
    for start, stop in sentences(plain):
        first, evidence = read_opener(plain, start, stop)
        sentence = _TOLD.sub("", frames.without_report(" ".join(plain[first:stop].split())))
        if not sentence or len(sentence) > MAX_SENTENCE_CHARS or not is_factual(sentence):
            continue
        ends, renewed = tuple(dict.fromkeys(ended(sentence))), tuple(_renewed(sentence))
        is_new = bool(evidence or evidence_in(sentence) or _PATTERNS["changed"].search(sentence))
        is_new = is_new and not any(_PATTERNS[name].search(sentence) for name in ("added_time", "shift"))
        whole = " ".join(plain[start:stop].split())  # "Change of plans: …"
        topics = tuple(
            _Topic(name, words_of(value), stems(things), words_of(things))
            for name, value, things in changed_topics(whole)
        )
        moved = tuple(stems(named_words(match, "x")) for match in _PATTERNS["rescheduled"].finditer(sentence))
        if ends or renewed or is_new or topics or moved:
            is_own = frames.has_own_subject(sentence)
            owners = stems(" ".join(_OWNER.findall(sentence)))
            yield Change(content_of(sentence), ends, renewed, is_new, topics, moved, is_own, owners=owners)
        yield from _changed_quantities(sentence, is_new=is_new)


def _changed_quantities(sentence: str, *, is_new: bool) -> Iterator[Change]:
    """The clauses of a sentence that give numbers, days or times of different things."""
    clauses = list(filter(frames.is_independent, frames.clauses(sentence)))
    for clause in clauses if is_new and len(clauses) > 1 else ():
        if (content := content_of(clause)).quantities:
            yield Change(content, (), (), is_new, (), (), frames.has_own_subject(clause))


def is_factual(sentence: str) -> bool:
    """Check whether a sentence states something, and neither asks nor supposes it."""
    if sentence.endswith(("?", "\uff1f", "\u061f")):
        return False
    return NON_FACTUAL.search(sentence) is None or _PATTERNS["factual"].search(sentence) is not None


def _renewed(sentence: str) -> Iterator[tuple[Stems, str]]:
    if _PATTERNS["addition"].search(sentence):
        return
    for match in _PATTERNS["renewed"].finditer(sentence):
        groups = {name[0]: value for name, value in match.groupdict().items() if value}
        yield stems(groups["a"]), groups["v"]


def _is_renewed(thing: Stems, value: str, statement: str, old: Content) -> bool:
    others = old.things - thing
    if not thing or not thing <= old.things or not others or is_owned(statement):
        return False
    is_code = _CODE.search(value) is not None
    return value.casefold() not in statement.casefold() if is_code else not others & stems(value)


def _is_of_other(statement: str) -> bool:
    return is_owned(statement) and not statement.casefold().startswith(("my ", "our ", "the "))


def _is_rescheduled(change: Change, old: _Older) -> bool:
    """Check whether a statement gives another day or time of what was moved."""
    new = {kind: value for kind, value, _ in change.content.quantities if kind in SCHEDULE}
    differs = any(kind in new and value != new[kind] for kind, value, _ in old.content.quantities)
    days = _days(old.content)
    differs = differs or bool(days and _days(change.content, is_in_month=True) - days)
    things = (thing for thing in change.rescheduled if thing and thing <= old.content.things)
    return differs and any(not _is_of_another(thing, old.text) for thing in things)


def _is_of_another(thing: Stems, statement: str) -> bool:
    """Check whether a statement is about an event of a person whom the words for the moved event do not name."""
    owners = stems(" ".join(_OWNER.findall(statement))) if _is_of_other(statement) else Stems()
    return is_of_other(thing, statement) or (bool(owners) and owners.isdisjoint(thing))


def _days(content: Content, *, is_in_month: bool = False) -> set[str]:
    """The numbers of the days in dates; without a month, which may be known, only ordinal numbers are days."""
    quantities = content.quantities
    is_date = any(kind == "month" for kind, _, _ in quantities)
    kinds = {"number", "ordinal"} if is_date else {"ordinal"} if is_in_month else set()
    values = (value.rstrip("stndrh") for kind, value, _ in quantities if kind in kinds)
    return {value for value in values if len(value) <= MAX_DAY_DIGITS}


def _has_other_quantity(change: Change, old: Content) -> bool:
    about = {one for one in old.things | old.persons if not _PATTERNS["dose"].fullmatch(one)}
    shared = about & (change.content.things | change.content.persons)
    is_same_thing = len(shared) > MIN_SHARE * len(about)
    is_only_thing = bool(shared) and change.content.things <= old.things
    is_thing_shared = bool(shared - old.persons)
    return any(
        kind == other_kind
        and value not in {each for _, each, _ in old.quantities}
        and (
            (unit and unit == other_unit and (is_thing_shared or unit not in MULTIPLIERS))
            or (is_same_thing and (not unit or unit in old.things))
            or is_scheduled
        )
        and (shared or kind == "ordinal")
        for kind, value, unit in change.content.quantities
        for other_kind, _, other_unit in old.quantities
        for is_scheduled in [is_only_thing and kind in {*SCHEDULE, "frequency"}]
    )
