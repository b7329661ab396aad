"""Find the earlier statement that a change most likely concerns, where it is not certain that this is untrue now.

"My French has got rusty" and "I'm conversational in French": the newer sentence says that something changed, and both
name the same thing. Statements of the user's names concern each other, too ("I go by Kit these days").
"""

import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from agent.language.dates.notes import split_date_note
from agent.language.grounding.checks import words
from agent.language.parsing.openers import read_opener
from agent.language.parsing.sentences import plain_punctuation, sentences, with_apostrophes
from agent.language.pattern_files import load_patterns
from agent.language.persons.roles import mentions
from agent.language.references.event_kinds import are_different_events
from agent.language.revision.changes import Change, changes, reports_other_time
from agent.language.revision.exclusions import excludes, has_exclusion
from agent.language.revision.fragments import Contrast, contrasts
from agent.language.revision.other_persons import changed_attribute, changes_attribute
from agent.language.revision.own_predicates import subject_of_both
from agent.language.text_cache import cache_per_user
from agent.language.words.content import Content, Stems, content_of, persons_in, stems
from agent.language.words.derived_words import is_scheduled, names_action, names_compound
from agent.language.words.frames import clauses, evidence_in, has_own_subject, without_report
from agent.language.words.owners import owner_of
from agent.language.words.possession import belongs_to_other
from agent.language.words.stems import Stems as StemsOfText
from agent.language.words.stems import without_function_words, word_count
from agent.language.words.synonyms import RELATIVES
from agent.language.words.values import has_value

MAX_CHARS = 200
"""Maximum length of a sentence that states a change."""
MAX_OLD_CHARS = 300  # of a sentence
MIN_STEM_CHARS = 3
MIN_FORM_CHARS = 5
MAX_VALUE_WORDS = 2  # of a correction that names only two values
MAX_LOST_THINGS = 2  # that a change of a value or time does not repeat
MAX_BRIEF_WORDS = 14  # of a sentence in which one word ("only", "new") is enough
NAME = "name"
_EXCLUDED = "excluded"
_ABSENCES = {"childless", "petless"}

_PATTERNS = load_patterns("references/relations.toml")
_SAME = load_patterns("words/parts.toml")["same"]
_OWNER = re.compile(r"\b[A-ZÀ-Þ]\w{1,20}(?='s\s\w)")
_SON = re.compile(r"\b(?:my|our|his|her|their) (son)\b", re.IGNORECASE)  # by itself, a function word of other languages
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


class _Subject(NamedTuple):
    """What a sentence is about."""

    things: Stems
    """The stems of what it names; of a text without spaces, pairs of characters."""
    persons: Stems
    owned: Stems
    """What belongs to the user ("my phone")."""
    of_others: Stems
    """What belongs to another person ("his number")."""
    owners: tuple[str, ...]
    """Other people with names who own something ("Steve's new address")."""
    shortened: Stems
    """The longer stems of what it names, without their last letter."""
    possessors: Stems
    """The persons of whom it only names a possession that does or undergoes something ("my boss's dog died")."""
    agents: Stems
    """The persons who only act for the user ("the doctor put my ramipril up to 10")."""
    sentence: str

    def shared(self, old: "_Subject") -> Stems:
        """What it has in common with what an old sentence is about; nothing if either is about another person."""
        is_named = not (self.things.isdisjoint(old.things) and self.things.isdisjoint(old.shortened))
        if not is_named and self.shortened.isdisjoint(old.things):
            return frozenset()
        shared = frozenset(one for one in self.things if old._names(one))
        is_of_other = not self.persons <= old.persons and self.owned.isdisjoint(shared)
        is_owned_by_other = bool(self.owners) and not any(one in old.sentence for one in self.owners)
        of_different = (old.of_others & self.owned) | (self.of_others & old.owned)
        of_different |= self.of_others if is_owned_by_other else frozenset()
        if not owner_of(shared, old.sentence) <= self.things | self.persons | stems(" ".join(self.owners)):
            return frozenset()
        is_by_the_way = shared <= self.possessors | old.possessors or shared <= self.agents
        is_of_other = is_of_other or (is_by_the_way and not _have_same_kinds(self.sentence, old.sentence))
        is_unrelated = is_of_other or shared <= subject_of_both(self.sentence, old.sentence)
        return frozenset() if is_unrelated else shared - of_different

    def _names(self, stem: str) -> bool:
        """Check whether it names a thing, whose stem may keep a letter of an ending ("deposit", "deposits")."""
        is_longer = len(stem) > MIN_FORM_CHARS and stem[:-1] in self.things
        return stem in self.things or stem in self.shortened or is_longer


def states_change(text: str) -> bool:
    """Check whether a text says that something changed, in whatever way."""
    return bool(_changes(text)) or has_exclusion(text) or changes_attribute(text)


@cache_per_user(maxsize=16_384)
def shared_things(new: str, old: str) -> Stems:
    """The stems of what a change in a new text and a sentence of an old one name; empty if they are unrelated."""
    shared = {change.shared(one) for change in _changes(new) for one in _older(old)}
    if _changes(new) and persons_in(new) <= persons_in(old):
        shared.add(frozenset(filter(None, (names_compound(new, old), names_action(new, old)))))
    if excludes(new, old):
        shared.add(stems(new) & stems(old) or frozenset({_EXCLUDED}))
    excluded = (frozenset({one.wrong.casefold()}) for one in contrasts(new) if _is_corrected(one, new, old))
    most = max((*shared, *excluded), key=len, default=frozenset())
    attribute, name = changed_attribute(new, old)
    if attribute:
        return most | {attribute, f"{attribute} of {name}"}
    is_other = bool(most) and (are_different_events(new, old) or belongs_to_other(new, split_date_note(old)[0]))
    return frozenset() if is_other else most


def _is_corrected(contrast: Contrast, new: str, old: str) -> bool:
    """Check whether an old text has the wrong value of a correction that names only two values."""
    is_bare = word_count(contrast.right) <= MAX_VALUE_WORDS and not has_own_subject(contrast.right)
    is_bare = is_bare and persons_in(new) <= persons_in(old)
    return is_bare and has_value(old, contrast.wrong)


def gives_new_value(new: str, old: str) -> bool:
    """Check whether a newer text has another number, day or time than an older one, or calls its value wrong."""
    if excludes(new, old) or (reports_other_time(new) and is_scheduled(new) and is_scheduled(old)):
        return True
    values, known = (_values_by_unit(split_date_note(text)[0]) for text in (new, old))
    return any(not values[unit] <= known[unit] for unit in values.keys() & known.keys())


def _values_by_unit(text: str) -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for kind, value, unit in content_of(plain_punctuation(text)).quantities:
        counted = "" if kind == "month" else unit
        found.setdefault(("number" if kind == "time" else kind, counted), set()).add(value)
    return found


def without_changes(text: str) -> str:
    """A text without the words that say that something changed."""
    return _PATTERNS["changed"].sub(" ", _plain(text))


def changed_things(text: str) -> Stems:
    """The stems of what the changes in a text name; empty if it states none."""
    return frozenset(thing for change in _changes(text) for thing in change.things)


def shared_with_fact(new: str, said: str, fact: str) -> Stems:
    """The same for the user's words for a fact; nothing if the fact is a name that the change leaves as it is."""
    shared = shared_things(new, said)
    if NAME in shared or not _PATTERNS["identifies"].search(fact):
        return shared
    role = next(iter(mentions(fact)), None)  # "Hairdresser is called Rosalind" ends with "Rosalind retired"
    is_replaceable = role is not None and role.is_named_by_role and not role.is_kin
    return shared if is_replaceable and _PATTERNS["succeeds"].search(new) else frozenset()


def loses_person(old: str, new: str) -> bool:
    """Check whether an old statement about the same names a person or an animal that a newer one does not name."""
    are_related = not StemsOfText.of(old).words.isdisjoint(StemsOfText.of(new).words)
    return are_related and not persons_in(old) <= persons_in(new)


def loses_details(old: str, new: str) -> bool:
    """Check whether an old statement says more than what another time or value in a newer one replaces.

    One with "same time" or "same place" has no time or place without the old statement.
    """
    if _SAME.search(new):
        return True
    is_ended = any(change.ended for change in changes(new)) and not excludes(new, old)
    if is_ended or not (content_of(new).quantities and content_of(old).quantities):
        return False
    return len(stems(old) - stems(new)) > MAX_LOST_THINGS


@cache_per_user(maxsize=4096)
def _changes(text: str) -> tuple[_Subject, ...]:
    stated = any(change.is_new or _is_stated(change) for change in changes(text))
    if not (stated or _PATTERNS["changed"].search(text)):
        return ()
    found, before = [], ""
    for sentence in _sentences(_plain(text), MAX_CHARS):
        is_brief = word_count(sentence) <= MAX_BRIEF_WORDS
        is_change = partial(_is_change, is_brief=is_brief) if stated else _has_marker
        own_clauses = (one for one in clauses(sentence) if not _PATTERNS["denied"].match(one))
        parts = dict.fromkeys((sentence, *filter(is_change, own_clauses))) if is_change(sentence) else ()
        subjects = [_subject(part) if _has_marker(part) else _without_compounds(_subject(part)) for part in parts]
        if parts and before and not any(subject.things for subject in subjects):
            subjects = [_subject(before)]  # "Keto's done. Quit it."
        found += subjects
        before = sentence
    return tuple(found)


@cache_per_user(maxsize=4096)
def _older(text: str) -> tuple[_Subject, ...]:
    plain = _plain(text)
    asked = (_PATTERNS["supposed"].split(plain[slice(*span)], maxsplit=1)[0] for span in sentences(plain))
    return tuple(map(_subject, _sentences(". ".join(filter(None, asked)), MAX_OLD_CHARS)))


def _plain(text: str) -> str:
    return with_apostrophes(plain_punctuation(split_date_note(text)[0]))


def _sentences(plain: str, max_chars: int) -> Iterator[str]:
    """Yield the sentences that state something, and neither ask nor suppose it."""
    for start, stop in sentences(plain):
        sentence = without_report(plain[start:stop].strip())
        if len(sentence) <= max_chars and not sentence.endswith("?") and not _PATTERNS["supposed"].search(sentence):
            yield sentence


def _has_marker(sentence: str) -> bool:
    return _PATTERNS["changed"].search(sentence) is not None


def _is_change(sentence: str, *, is_brief: bool) -> bool:
    if _has_marker(sentence) or evidence_in(sentence) or read_opener(sentence, 0, len(sentence))[1]:
        return True
    return any((is_brief and change.is_new) or _is_stated(change) for change in changes(sentence))


def _is_stated(change: Change) -> bool:
    """Check whether a change is said to be one; who has a dog now only is no longer without pets."""
    values = change.renewed or change.topics or change.rescheduled or change.names
    return bool(values) or any(end.state not in _ABSENCES for end in change.ended)


def _subject(sentence: str) -> _Subject:
    """What a sentence is about, without what many statements name, unless it is the user's ("my birthday")."""
    sentence = _PATTERNS["operation"].sub("operation", sentence)
    owned = stems(" ".join(match[1] for match in _PATTERNS["owned"].finditer(sentence)))
    content = content_of(without_function_words(_PATTERNS["changed"].sub(" ", sentence)))
    agents = _agents(sentence, content)
    named_persons = content.persons - agents
    gendered = content.persons - RELATIVES  # "hermano" and "hermana" have the same stem
    named = {one.rstrip("\u00e9") for one in content.things - gendered if len(one) >= MIN_STEM_CHARS}
    named |= {word.text.removesuffix("s") for word in words(sentence) if word.stem in gendered}
    named |= {value for kind, value, _ in content.quantities if kind == "code"}  # "C1"
    pairs = {one for one in StemsOfText.of(sentence).words if _UNSPACED.match(one)}
    common = {one for one in named | pairs if _PATTERNS["common"].fullmatch(one)}
    common |= {one for one in named - owned if _PATTERNS["common_of_others"].fullmatch(one)}
    names = {NAME} if _PATTERNS["naming"].search(sentence) else set()
    of_others = stems(" ".join(match[1] for match in _PATTERNS["owned_by_others"].finditer(sentence)))
    things = frozenset((named | pairs) - common | names)
    owners = tuple(one for one in _OWNER.findall(sentence) if not persons_in(one))
    possessors = stems(" ".join(match["who"] for match in _PATTERNS["possessor"].finditer(sentence)))
    shortened = frozenset(one[:-1] for one in things if len(one) > MIN_FORM_CHARS)
    things |= {f"#{match[1]}" for match in _PATTERNS["numbered"].finditer(sentence)}  # "the 47"
    persons = named_persons | frozenset(_SON.findall(sentence.lower()))
    return _Subject(things, persons, owned, of_others - owned, owners, shortened, possessors, agents, sentence)


def _without_compounds(subject: _Subject) -> _Subject:
    """A subject without the first words of compounds: "no budget airlines" is about airlines, not about the budget."""
    return subject._replace(things=subject.things - content_of(subject.sentence).compounds)


def _agents(sentence: str, content: Content) -> Stems:
    """The persons who only act for the user ("the doctor put my ramipril up to 10"), not those whom it is about."""
    first = next(iter(mentions(sentence)), None)
    if first is None or not first.is_named_by_role or first.is_kin or len(sentence[: first.start].split()) > 1:
        return Stems()
    is_on_user = content.quantities or _PATTERNS["on_user"].search(sentence, first.end)
    named = sentence[first.start : first.end]
    return stems(named) | persons_in(named) if is_on_user else Stems()


def _have_same_kinds(new: str, old: str) -> bool:
    """Check whether two sentences give values of the same kind, such as frequencies."""
    kinds, known = ({kind for kind, _, _ in content_of(one).quantities} for one in (new, old))
    return not kinds.isdisjoint(known)
