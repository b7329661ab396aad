"""Recognise two statements that only share their subject: "Priya is vegan" and "Priya passed her test".

The second one says that something changed, but nothing that the first one states. This is certain unless something
happened to the subject itself ("Pottery got cancelled"), or both give a place, a day, a time or a number.
"""

from agent.language.pattern_files import load_patterns
from agent.language.words.content import Stems, content_of, persons_in, stems
from agent.language.words.parts import other_subject

_PATTERNS = load_patterns("revision/own_predicates.toml")
PLACE = "place"


def subject_of_both(new: str, old: str) -> Stems:
    """The stems of the subject that a change and an older sentence share; empty if it may concern what this states."""
    subject, known = own_subject(new), own_subject(old)
    shared = stems(subject) & stems(known)
    if not shared or _PATTERNS["happens"].search(new) or _kinds(new) & _kinds(old) or _is_state(new, subject):
        return frozenset()
    return shared


def _is_state(sentence: str, subject: str) -> bool:
    """Check whether a sentence says in what state a thing of the user is ("my English is fluent now")."""
    is_thing = bool(other_subject(sentence)) and not persons_in(subject)
    return is_thing and _PATTERNS["state"].match(sentence, sentence.find(subject) + len(subject)) is not None


def own_subject(sentence: str) -> str:
    """The subject of a sentence that says nothing about the user; empty if there is none."""
    match = _PATTERNS["subject"].match(sentence)
    if match is None or _PATTERNS["user"].search(sentence, match.end()):
        return ""
    return match["subject"]


def _kinds(sentence: str) -> set[str]:
    """The kinds of values in a sentence, of which a newer one may replace an older one."""
    kinds = {kind for kind, _, _ in content_of(sentence).quantities}
    return kinds | ({PLACE} if _PATTERNS["place"].search(sentence) else set())
