"""Recognise messages that begin like a correction but are about the answer, the chat, or other things ("3 eggs")."""

from collections.abc import Sequence

from agent.language.pattern_files import load_patterns
from agent.language.references.references import Reference
from agent.language.words.stems import Stems

_PATTERNS = load_patterns("references/asides.toml")


def is_aside(reference: Reference) -> bool:
    """Check whether a message tells the assistant how to answer, or only reacts ("nah do it w/o libs", "nee hoor")."""
    plain = reference.plain.strip()
    return any(_PATTERNS[name].search(plain) for name in ("instructs", "wishes", "reacts", "lists"))


def counts_others(reference: Reference, statements: Sequence[str]) -> bool:
    """Check whether a message begins with a number of things that no statement names ("3 eggs, 200 g flour")."""
    counted = None if reference.updates else _PATTERNS["counts"].match(reference.clauses[0])
    if counted is None or _PATTERNS["no_thing"].fullmatch(counted["noun"]):
        return False
    named = Stems.of(counted["noun"]).words
    return all(named.isdisjoint(Stems.of(one).words) for one in statements)
