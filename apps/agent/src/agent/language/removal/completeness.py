"""Check that what remains of a sentence is a statement by itself, so that nothing true is lost or torn apart."""

import re
from collections.abc import Sequence

from agent.language.dates.notes import split_date_note
from agent.language.parsing.sentences import is_small_talk
from agent.language.removal.phrases import is_phrase
from agent.language.revision.departures import tears_company
from agent.language.words import frames
from agent.language.words.content import content_of, stems
from agent.language.words.parts import (
    begins_with_pronoun,
    begins_with_third_person,
    other_subject,
    split_parts,
    subject_of,
)
from agent.language.words.quantities import quantity_kind
from agent.language.words.verbless import counts_things

MAX_LOST_WORDS = 1  # a verb without its object
MAX_SUBJECT_WORDS = 3
WEEKDAY_CHARS = 3
# Words without what they belong to: "Monday and, and I swim", "We have who is fourteen".
_LOOSE_WORDS = re.compile(
    r"\b(?:and|or|und|oder|y|o|et|ou|e|en|of)(?:,|\W*$)|\b(?:have|has|got) (?:who|which)\b", re.IGNORECASE
)
# "Kyle", "with Anna and Tom"
_COMPANIONS = re.compile(
    r"(?:(?:with|mit|con|avec|com|met|w/) )?[A-ZÀ-Þ][\w-]*(?: (?:and|und|y|et|e|en) [A-ZÀ-Þ][\w-]*)?"
)
_FURTHER_WORD = re.compile(r"\s*(?:,|&|\b(?:and|und|y|et|e|en)\b)\s*(\w+)")


def is_complete_rest(rest: str, sentence: str, removed: Sequence[str]) -> bool:
    """Check that a sentence without some of its parts keeps what else it states, and its subject.

    Args:
        rest: what remains; complete if empty.
        sentence: the whole sentence.
        removed: the parts, verbatim.
    """
    (rest, _), (sentence, _) = split_date_note(rest), split_date_note(sentence)
    if not rest.strip():
        return True
    lost = stems(sentence) - stems(" ".join(removed)) - stems(rest)
    if len(lost) > MAX_LOST_WORDS or lost & _names(sentence):
        return False
    is_joined = any(_is_joined_by_day(one, sentence) for one in removed)
    is_torn = _is_explained(sentence, removed) or _names_only_companion(rest, sentence) or tears_company(rest, sentence)
    if is_joined or is_torn or _LOOSE_WORDS.search(rest):
        return False
    return _keeps_start(rest, sentence) or _has_subject(rest)


def lists_other_things(sentence: str, new: str) -> bool:
    """Check whether a sentence also counts things that a newer text does not name ("We live in Leeds, two cats")."""
    named = stems(new)
    counted = (part for part in split_parts(sentence)[1:] if counts_things(part))
    return any(named.isdisjoint(stems(part)) for part in counted)


def concerns_other_clause(sentence: str, removed: Sequence[str], new: str) -> bool:
    """Check whether the phrases are in clauses that have no word in common with a newer text, while another clause has.

    "My son swims on Monday, my daughter dances on Friday" keeps the Friday after "swimming moved to Tuesday".
    """
    named, clauses = stems(new), [one for one in frames.clauses(sentence) if frames.is_independent(one)]
    shares = {clause: not named.isdisjoint(stems(clause)) for clause in clauses}
    concerned = [shares[clause] for clause in clauses for part in removed if is_phrase(part) and part in clause]
    return any(shares.values()) and bool(concerned) and not any(concerned)


def removes_other_day(sentence: str, removed: Sequence[str], new: str) -> bool:
    """Check whether the parts lack a weekday that a newer text repeats ("the Thursday class is at 4 now")."""
    repeated = _weekdays(sentence) & _weekdays(new)
    return bool(repeated) and not repeated <= _weekdays(" ".join(removed))


def removes_other_thing(sentence: str, new: str) -> bool:
    """Check whether a whole sentence also gives weekdays of things that a newer text does not name.

    "Standup is daily at 9:15, retro every other Friday at 3" says more than what "standup is at 9:45 now" replaces.
    """
    named = stems(new)
    _, *others = frames.clauses(sentence)
    scheduled = (one for one in others if _weekdays(one) and not is_phrase(one))
    return any(things and things.isdisjoint(named) for things in map(stems, scheduled))


def _weekdays(text: str) -> set[str]:
    """The beginnings of the weekdays in a text, which are the same in "Thurs" and "Thursday"."""
    found = (value for kind, value, _ in content_of(text).quantities if kind == "weekday")
    return {value[:WEEKDAY_CHARS] for value in found}


def _names(text: str) -> frozenset[str]:
    """The stems of the words with a capital letter, except at the beginning."""
    capitals = (word for word in text.split()[1:] if word.lstrip("('\"")[:1].isupper())
    return stems(" ".join(capitals))


def _is_joined_by_day(part: str, sentence: str) -> bool:
    """Check whether a part is followed by a further weekday ("Monday" and Wednesday), which remains."""
    further = _FURTHER_WORD.match(sentence.partition(part)[2])
    return (
        further is not None and quantity_kind(further[1].casefold().removesuffix("s")) == "weekday" and is_phrase(part)
    )


def _is_explained(sentence: str, removed: Sequence[str]) -> bool:
    """Check whether a removed part only explains the subject ("My car, a Clio, …"), whose predicate remains."""
    subject, comma, explained = sentence.partition(", ")
    is_subject = bool(comma) and len(subject.split()) <= MAX_SUBJECT_WORDS and not is_small_talk(subject)
    is_kept = is_subject and not any(one.startswith(subject) for one in removed)
    return is_kept and any(explained.startswith(f"{one}, ") for one in removed)


def _names_only_companion(rest: str, sentence: str) -> bool:
    """Check whether only the names at the end of a sentence with a verb remain ("I play with Luis and Kyle")."""
    names = rest.strip(" .!")
    return _COMPANIONS.fullmatch(names) is not None and sentence.rstrip(" .!").endswith(f" {names}")


def _keeps_start(rest: str, sentence: str) -> bool:
    """Check whether what remains begins with the same word, or the sentence began with no subject that it lacks."""
    if sentence.split(maxsplit=1)[0].casefold() == rest.split(maxsplit=1)[0].casefold():
        return True
    had_subject = frames.has_own_subject(sentence) or begins_with_pronoun(sentence) or other_subject(sentence)
    return not had_subject and not begins_with_third_person(rest)


def _has_subject(rest: str) -> bool:
    names_subject = frames.is_independent(rest) or frames.has_named_subject(rest) or bool(subject_of(rest))
    return names_subject and not begins_with_third_person(rest)
