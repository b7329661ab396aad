"""Distinguish the user's things from those of other persons ("my exam", "My boss has an exam")."""

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns
from agent.language.persons.roles import mentions
from agent.language.text_cache import cache_per_user
from agent.language.words.content import Stems, stems

_PATTERNS = load_patterns("words/possession.toml")


def belongs_to_other(new: str, old: str) -> bool:
    """Check whether another person has in an older statement what belongs to the user in a newer text.

    "My exam got moved to Monday" says nothing about "My boss has an exam on Friday".
    """
    owned = _owned(new)
    return bool(owned) and not owned.isdisjoint(_of_subject(old))


@cache_per_user(maxsize=4096)
def _owned(text: str) -> Stems:
    """The stems of the things that a text says are the user's, but no persons, nor what belongs to these."""
    found = (match["thing"] for match in _PATTERNS["owned"].finditer(plain_punctuation(text)))
    own = (word for thing in found if "'s" not in thing for word in thing.split() if not mentions(word))
    return stems(" ".join(own))


@cache_per_user(maxsize=4096)
def _of_subject(statement: str) -> Stems:
    """The stems of what a statement says that a person has; empty if it also mentions the user."""
    plain = plain_punctuation(statement).strip()
    match = _PATTERNS["person"].match(plain)
    if match is None or not (match["name"] or mentions(match["subject"])):
        return Stems()
    rest = plain[match.end() :]
    return Stems() if _PATTERNS["user"].search(rest) else stems(rest)
