"""Detect that a newer sentence says that something changed: what has ended, and a new value of something.

The older statement must be about the same: it contains everything that has ended ("ditched Vim", "I use Vim"), or the
thing that has a new value ("my new boss is Kwame"), or a number, day or time of the same thing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from agent.language.dates.notes import split_date_note
from agent.language.dates.resolution import strip_dates
from agent.language.grounding.checks import Word, stem, words
from agent.language.grounding.support import mentioned_persons
from agent.language.parsing.openers import read_opener
from agent.language.parsing.sentences import NON_FACTUAL, plain_punctuation, sentences, with_apostrophes
from agent.language.pattern_files import load_patterns
from agent.language.revision import frames
from agent.language.revision.frames import evidence_in, quantity_kind
from agent.language.revision.states import STATES, ended_states, is_in_state
from agent.language.revision.topics import changed_topics, is_about
from agent.language.text_cache import cache_per_user

MAX_SENTENCE_CHARS, MAX_OLD_CHARS = 300, 160
MIN_SHARE = 0.5
MIN_NOUN_CHARS = 3
MIN_COMMON_CHARS = 4  # of inflections of a word: "engaged", "engagement"

_PATTERNS = load_patterns("revision/changes.toml")

_DIGITS = "0123456789.,"

Stems = frozenset[str]


@dataclass(frozen=True, slots=True)
class _Content:
    """The significant words of a sentence."""

    things: Stems
    """Without general words and quantities."""
    quantities: tuple[tuple[str, str, str], ...]
    """Kind, value, and the stem of the next word, which may be empty."""
    persons: Stems
    compounds: Stems
    """The words that another one follows directly, with which they form a name of something else."""


@dataclass(frozen=True, slots=True)
class _End:
    """Something that has ended."""

    things: Stems
    of_work: bool = False
    """True if only work has ended, not everything that concerns the organisation."""
    persons: Stems = frozenset()
    """The persons whom the clause mentions."""
    is_death: bool = False
    state: str = ""
    """The pattern of the statements that it concerns, if only these have ended, such as those about a search."""


@dataclass(frozen=True, slots=True)
class _Topic:
    """A topic with a new value, such as a new home."""

    name: str
    value: frozenset[str]
    """The words for it, casefolded; empty if the sentence does not name it."""
    things: Stems
    """What an earlier statement of the topic contains."""

    def replaces(self, statement: str, old: _Content) -> bool:
        """Check whether an older statement is about the topic, and gives another value."""
        is_same = self.value and self.value <= _words(statement)
        return not is_same and self.things <= old.things and is_about(self.name, statement, is_named=bool(self.things))


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence that says that something changed."""

    content: _Content
    ended: tuple[_End, ...]
    renewed: tuple[tuple[Stems, Stems], ...]
    """Thing and new value."""
    is_new: bool
    """True if the sentence says that something is new or was wrong, so that its quantities replace others."""
    topics: tuple[_Topic, ...]
    """What the user has one of at a time, and is another one now."""


@cache_per_user(maxsize=4096)
def changes(text: str) -> tuple[Change, ...]:
    """The changes that a text states; mostly none."""
    return tuple(_changes(text))


def is_changed(change: Change, statement: str) -> bool:
    """Check whether a change makes an older statement about the user untrue."""
    plain = with_apostrophes(plain_punctuation(split_date_note(statement)[0]))
    if len(plain) > MAX_OLD_CHARS or plain.rstrip().endswith("?"):
        return False
    old = _content(plain)
    if any(topic.replaces(plain, old) for topic in change.topics):
        return True
    is_lasting = _PATTERNS["lasting"].search(plain) is not None
    ended = [end for end in change.ended if _is_of_same(end, old) and (_is_state(end) or not is_lasting)]
    if any(_is_ended(end, old, plain) for end in ended):
        return True
    if is_lasting or not change.content.persons <= old.persons:
        return False
    is_identity = change.is_new and _PATTERNS["identity"].search(plain) is not None
    is_renewed = is_identity and any(_is_renewed(thing, value, old) for thing, value in change.renewed)
    return is_renewed or (change.is_new and _has_other_quantity(change, old))


def _is_ended(end: _End, old: _Content, statement: str) -> bool:
    """Check whether a statement is about what has ended, and not about something else with the same words."""
    if end.state and not _is_about_state(end, statement):
        return False
    if end.of_work and not _PATTERNS["work"].search(statement):
        return False
    words_of_old = {other for one in end.things for other in old.things if _is_same(one, other)}
    if not end.things:
        return _is_state(end) or (bool(end.state) and end.of_work)
    is_about = all(any(_is_same(one, other) for other in old.things) for one in end.things)
    if end.state == "allergy" and not _is_only_allergy(old, end):
        return False
    is_owner = "'s " in statement  # "Nan's cat" outlives her
    is_whole = _is_state(end) or not words_of_old <= old.compounds or (end.is_death and not is_owner)
    return is_about and is_whole


def _is_about_state(end: _End, statement: str) -> bool:
    return is_in_state(end.state, statement) if _is_state(end) else bool(_PATTERNS[end.state].search(statement))


def _is_only_allergy(old: _Content, end: _End) -> bool:
    """Check whether a statement names no other allergy, which would be lost with it."""
    others = (one for one in old.things if not one.startswith("allerg"))
    return all(any(_is_same(one, other) for other in end.things) for one in others)


def _is_state(end: _End) -> bool:
    """Check for a state of the user, such as a pregnancy."""
    return end.state in STATES


def _is_of_same(end: _End, old: _Content) -> bool:
    """Check whether an end concerns no other person than the older statement."""
    return _is_state(end) or end.is_death or end.persons <= old.persons


def _is_same(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) >= MIN_COMMON_CHARS and longer.startswith(shorter))


def _changes(text: str) -> Iterator[Change]:
    plain = with_apostrophes(plain_punctuation(text))
    for start, stop in sentences(plain):
        first, evidence = read_opener(plain, start, stop)
        sentence = frames.without_report(" ".join(plain[first:stop].split()))
        is_question = sentence.endswith(("?", "\uff1f", "\u061f"))
        if not sentence or len(sentence) > MAX_SENTENCE_CHARS or is_question or NON_FACTUAL.search(sentence):
            continue
        ended, renewed = tuple(dict.fromkeys(_ended(sentence))), tuple(_renewed(sentence))
        is_new = bool(evidence or evidence_in(sentence) or _PATTERNS["changed"].search(sentence))
        topics = tuple(_Topic(name, _words(value), _stems(things)) for name, value, things in changed_topics(sentence))
        if ended or renewed or is_new or topics:
            yield Change(_content(sentence), ended, renewed, is_new, topics)


def _ended(sentence: str) -> Iterator[_End]:
    """What has ended: a state, an object of a verb that says so, or all that a clause with such a word names."""
    for state, named in ended_states(sentence):
        yield _End(_stems(named), state=state)
    of_work = _PATTERNS["of_work"].search(sentence) is not None
    for clause in frames.clauses(sentence):
        if _PATTERNS["prospective"].search(clause):
            continue
        persons = mentioned_persons(clause)
        for match in _PATTERNS["ended"].finditer(clause):
            if things := _stems(match[match.lastgroup or 0]):
                yield _End(things, of_work, persons)
        for said, state in (("found", "seeking"), ("completed", "preparing")):
            for match in _PATTERNS[said].finditer(clause):
                yield _End(_stems(match[match.lastgroup or 0]), of_work, persons, state=state)
        rest, count = _PATTERNS["ending"].subn(_kept, clause)
        if count and (things := _stems(strip_dates(rest, relative=True))):
            yield _End(things, of_work, persons, is_death=_PATTERNS["death"].search(clause) is not None)


def _kept(match: re.Match[str]) -> str:
    return f" {' '.join(value for value in match.groupdict().values() if value)} "


def _renewed(sentence: str) -> Iterator[tuple[Stems, Stems]]:
    if _PATTERNS["addition"].search(sentence):
        return
    for match in _PATTERNS["renewed"].finditer(sentence):
        groups = {name[0]: value for name, value in match.groupdict().items() if value}
        yield _stems(groups["a"]), _stems(groups["v"])


def _is_renewed(thing: Stems, value: Stems, old: _Content) -> bool:
    others = old.things - thing
    return bool(thing) and thing <= old.things and bool(others) and not others & value


def _has_other_quantity(change: Change, old: _Content) -> bool:
    about = {one for one in old.things | old.persons if not _PATTERNS["dose"].fullmatch(one)}
    shared = about & (change.content.things | change.content.persons)
    is_same_thing = len(shared) > MIN_SHARE * len(about)
    return any(
        kind == other_kind
        and value not in {each for _, each, _ in old.quantities}
        and ((unit and unit == other_unit) or (is_same_thing and (not unit or unit in old.things)))
        and (shared or kind == "ordinal")
        for kind, value, unit in change.content.quantities
        for other_kind, _, other_unit in old.quantities
    )


def _content(sentence: str) -> _Content:
    every = words(sentence)
    found = [word for word in every if quantity_kind(word.text) or (word.is_content and _is_thing(word))]
    adjacent = {id(word): follower for word, follower in pairwise(every)}
    quantities = []
    for word, following in zip(found, (*found[1:], None), strict=False):
        if kind := quantity_kind(word.text):
            # "Second year" is of a year, but "two years" are a measure of something else.
            follower = adjacent.get(id(word)) if kind == "ordinal" else following
            is_counted = follower and (kind == "ordinal" or not _is_measure(follower.text))
            is_unit = follower and is_counted and not quantity_kind(follower.text)
            suffix = word.text.lstrip(_DIGITS) if word.text[:1] in _DIGITS and kind in {"number", "code"} else ""
            unit = suffix or (follower.stem if follower and is_unit else "")
            quantities.append((kind, stem(word.text), unit))
    things = frozenset(word.stem for word in found if not quantity_kind(word.text))
    compounds = frozenset(one.stem for one, other in pairwise(every) if _is_name(other) and one.text < "\u3040")
    return _Content(things, tuple(quantities), mentioned_persons(sentence), compounds)


def _stems(text: str) -> Stems:
    return frozenset(word.stem for word in words(text) if word.is_content and _is_thing(word))


def _words(text: str) -> frozenset[str]:
    return frozenset(word.text for word in words(text))


def _is_measure(word: str) -> bool:
    return any(_PATTERNS[name].fullmatch(word) for name in ("passing", "measure"))


def _is_noun(word: Word) -> bool:
    is_long = len(word.text) >= MIN_NOUN_CHARS
    return is_long and word.is_content and _is_thing(word) and not quantity_kind(word.text)


def _is_name(word: Word) -> bool:
    """Check for a noun that forms a name with the one before it."""
    return _is_noun(word) and _PATTERNS["generic"].fullmatch(word.text) is None


def _is_thing(word: Word) -> bool:
    return _PATTERNS["general"].fullmatch(word.text) is None
