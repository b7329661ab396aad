"""Recognise messages that name what they are about, and therefore do not refer to what was said before."""

from itertools import dropwhile

from agent.language.pattern_files import load_patterns
from agent.language.references.references import Reference

_PATTERNS = load_patterns("references/own_subjects.toml")


def names_own_subject(reference: Reference) -> bool:
    """Check whether a message begins with its subject or object ("The wedding is postponed") rather than a pronoun.

    First clauses that only introduce a report are skipped ("Mum rang, …").
    """
    if any(_PATTERNS[name].match(reference.plain.strip()) for name in ("companions", "reported")):
        return True
    first = next(dropwhile(_PATTERNS["reports"].fullmatch, reference.clauses), "")
    return _PATTERNS["names"].match(first) is not None and _PATTERNS["refers"].search(first) is None


def refers_to_other(reference: Reference) -> bool:
    """Check whether a message begins with a clause that refers to what was said before ("they moved us")."""
    return any(map(_PATTERNS["refers"].search, reference.clauses[:1]))
