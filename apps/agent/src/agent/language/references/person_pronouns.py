"""Recognise brief messages about a person named before: "she loves dinosaurs" after "My niece turned six"."""

from agent.language.pattern_files import load_patterns, read_tables
from agent.language.persons.roles import mentions
from agent.language.references.references import MAX_CONTINUATION_CHARS, Reference
from agent.language.words.parts import subject_of

_PATTERNS = load_patterns("references/person_pronouns.toml")
_GENDERS = {
    name: frozenset(roles.split()) for name, roles in read_tables("references/person_roles.toml")["roles"].items()
}


def refers_to_person(reference: Reference) -> bool:
    """Check whether a message begins with a pronoun, or a verb, for a person whom it does not name."""
    if len(reference.text) > MAX_CONTINUATION_CHARS or not reference.clauses or reference.is_request:
        return False
    first = reference.clauses[0]
    if _PATTERNS["remark"].match(first):
        return False
    return any(_PATTERNS[name].match(first) for name in ("female", "male", "either"))


def names_referent(reference: Reference, statement: str) -> bool:
    """Check whether a statement names a person or an animal to which the pronoun of a message may refer."""
    first = reference.clauses[0]
    other = "male" if _PATTERNS["female"].match(first) else "female" if _PATTERNS["male"].match(first) else ""
    named = mentions(statement)
    if named:
        return any(not one.roles <= _GENDERS.get(other, frozenset()) for one in named)
    subject = subject_of(statement)
    return bool(subject) and " " not in subject
