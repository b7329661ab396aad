"""What a sentence says has ended, and the earlier statements that it concerns."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.language.dates.resolution import strip_dates
from agent.language.pattern_files import load_patterns
from agent.language.revision.departures import departed
from agent.language.revision.states import OWN_STATES, STATES, ended_states, is_in_state
from agent.language.words import frames
from agent.language.words.content import Content, Stems, is_owned, named_words, persons_in, stems, words_of
from agent.language.words.parts import given_name, other_subject, subject_of

MIN_COMMON_CHARS = 4  # of inflections of a word: "engaged", "engagement"

_PATTERNS = load_patterns("revision/change_patterns")
# When something ended.
_PART_OF_DAY = re.compile(
    r"\b(?:cette nuit|ce matin|hier soir|anoche|esta (?:noche|mañana)|questa (?:notte|mattina)|stanotte|stamattina"
    r"|esta (?:noite|manhã)|vannacht|vanochtend|vanmorgen|(?:heute|letzte) nacht)\b",
    re.IGNORECASE,
)
_REMAINING = re.compile(r"\b(?:just|only) (?:[\w'-]{1,20} ){1,4}left\b", re.IGNORECASE)  # "only Kit left"
_WEEKDAYS = re.compile(r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|\w{3,8}tags|mittwochs)\b", re.IGNORECASE)
_ENDED_STATES = {
    "found": "seeking",
    "completed": "preparing",
    "estranged": "friendly",
    "moved_out": "cohabiting",
    "surpassed": "favouring",
}
_UNCONDITIONAL = {"called_off": "planned", "outgrown": "relative_allergy"}
_ADVICE = "x_advised"


@dataclass(frozen=True, slots=True)
class End:
    """Something that has ended."""

    things: Stems
    of_work: bool = False
    """True if only work has ended, not everything that concerns the organisation."""
    persons: Stems = frozenset()
    """The persons whom the clause mentions."""
    who: frozenset[str] = frozenset()
    """The words for whom it concerns, casefolded."""
    is_own: bool = False
    """True if it concerns only statements about the user."""
    is_of_user: bool = False
    """True if the user is the subject of the clause, so that statements about other people are not concerned."""
    is_death: bool = False
    state: str = ""
    """The pattern of the statements that it concerns, if only these have ended, such as those about a search."""


def ended(sentence: str) -> Iterator[End]:
    """What has ended: a state, an object of a verb that says so, or all that a clause with such a word names."""
    sentence = _REMAINING.sub(" ", sentence)
    for state, named in ended_states(sentence):
        yield End(stems(named), state=state, is_of_user=state in OWN_STATES)
    for said, state in _UNCONDITIONAL.items():
        for match in _PATTERNS[said].finditer(sentence):
            who = words_of(named_words(match, "w"))
            yield End(stems(named_words(match, "x")), persons=persons_in(sentence), who=who, state=state)
    for match in _PATTERNS["lost"].finditer(sentence):
        yield End(stems(named_words(match, "x")), is_death=True)
    for separate in frames.separate_clauses(sentence):
        of_work = _PATTERNS["of_work"].search(separate) is not None
        for clause in frames.clauses(separate):
            if not _PATTERNS["prospective"].search(clause):
                yield from _ended_in_clause(clause, of_work=of_work)


def _ended_in_clause(clause: str, *, of_work: bool) -> Iterator[End]:
    persons, is_of_user = persons_in(clause), frames.has_own_subject(clause)
    who = words_of(departed(clause))  # "Kit left the band", which goes on without Kit
    for match in _PATTERNS["ended"].finditer(clause):
        is_advice = (match.lastgroup or "").startswith(_ADVICE)
        if things := stems(named_words(match, "x")) | _repeated_weekdays(clause):
            concerned = frozenset() if is_advice else persons
            yield End(things, of_work, concerned, who, is_own=is_advice, is_of_user=is_of_user)
    for said, state in _ENDED_STATES.items():
        for match in _PATTERNS[said].finditer(clause):
            yield End(stems(named_words(match, "x")), of_work, persons, state=state)
    rest, count = _PATTERNS["ending"].subn(_kept, clause)
    things = stems(strip_dates(_PART_OF_DAY.sub(" ", rest), relative=True)) | _repeated_weekdays(clause)
    if count and things:
        is_death = _PATTERNS["death"].search(clause) is not None
        who = frozenset() if is_death else who
        yield End(things, of_work, persons, who, is_death=is_death, is_of_user=is_of_user and not is_death)


def _kept(match: re.Match[str]) -> str:
    return f" {' '.join(value for value in match.groupdict().values() if value)} "


def is_ended(end: End, old: Content, statement: str, *, is_lasting: bool) -> bool:
    """Check whether a statement is about what has ended, and not about something else with the same words.

    Args:
        end: what has ended.
        old: the words of the statement.
        statement: its text, with plain punctuation.
        is_lasting: True if it does not describe a state that may end, unless the end is that of such a state.
    """
    if (
        not _is_of_same(end, old)
        or (is_lasting and not _is_lasting_state(end))
        or (end.is_of_user and is_of_other(end.things, statement))
    ):
        return False
    return _is_about(end, old, statement)


def is_of_other(things: Stems, statement: str) -> bool:
    """Check whether a statement is about a person ("My sister does yoga", "Lily does it") whom no thing names."""
    subject = subject_of(statement)
    who = subject.partition(" ")[2] or subject
    is_named = subject != other_subject(statement)
    is_person = is_named or bool(persons_in(who)) or _PATTERNS["superior"].fullmatch(who) is not None
    if not is_person or not things.isdisjoint(stems(subject)):
        return False
    if not things.isdisjoint(stems(given_name(statement))):
        return False
    return _PATTERNS["to_user"].search(statement[len(subject) :]) is None


def _is_about(end: End, old: Content, statement: str) -> bool:
    if end.state and not _is_about_state(end, statement):
        return False
    if (end.who and not end.who <= words_of(statement)) or (end.of_work and not _PATTERNS["work"].search(statement)):
        return False
    is_specific = end.of_work or len(end.things) > 1  # more than a weekday, on which other things take place
    things = old.things | _weekdays(old) if is_specific else old.things
    words_of_old = {other for one in end.things for other in things if _is_same(one, other)}
    if not end.things:
        return _is_state(end) or (bool(end.state) and end.of_work)
    is_about = all(any(_is_same(one, other) for other in things) for one in end.things)
    if end.state == "allergy" and not _is_only_allergy(old, end):
        return False
    belongs_to_other = is_owned(statement)  # "Nan's cat" outlives her
    if end.state in _UNCONDITIONAL.values():
        return is_about and not belongs_to_other
    is_whole = _is_state(end) or not words_of_old <= old.compounds or (end.is_death and not belongs_to_other)
    return is_about and is_whole


def _repeated_weekdays(clause: str) -> Stems:
    """The days on which something no longer takes place ("on Tuesdays"), not the one on which it ended."""
    return stems(" ".join(match[0] for match in _WEEKDAYS.finditer(clause)))


def _weekdays(old: Content) -> Stems:
    return frozenset(value for kind, value, _ in old.quantities if kind == "weekday")


def _is_about_state(end: End, statement: str) -> bool:
    if end.state == "seeking" and is_owned(statement):
        return False  # "need to ring the plumber, his number is …"
    return is_in_state(end.state, statement) if _is_state(end) else bool(_PATTERNS[end.state].search(statement))


def _is_only_allergy(old: Content, end: End) -> bool:
    """Check whether a statement names no other allergy, which would be lost with it."""
    others = (one for one in old.things if not one.startswith("allerg"))
    return all(any(_is_same(one, other) for other in end.things) for one in others)


def _is_state(end: End) -> bool:
    """Check for a state of the user, such as a pregnancy."""
    return end.state in STATES


def _is_lasting_state(end: End) -> bool:
    return _is_state(end) or end.state == _UNCONDITIONAL["outgrown"]


def _is_of_same(end: End, old: Content) -> bool:
    """Check whether an end concerns no other person than the older statement."""
    return _is_state(end) or end.is_death or (end.persons <= old.persons and not (end.is_own and old.persons))


def _is_same(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) >= MIN_COMMON_CHARS and longer.startswith(shorter))
