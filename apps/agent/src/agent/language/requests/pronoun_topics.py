"""Find the person that a pronoun in a request refers to ("Me and Mia broke up so forget everything about her")."""

from agent.language.pattern_files import load_patterns

MAX_CHARS = 300  # before the request

_PATTERNS = load_patterns("requests/pronoun_topics.toml")
# The most certain ones first.
_MENTIONS = (("pair_with_user", "pair_of_user"), ("object", "separated", "stopped", "acting"), ("relation",))


def is_pronoun(topic: str) -> bool:
    """Check whether a topic is only a pronoun of the third person."""
    return _PATTERNS["pronoun"].fullmatch(topic) is not None


def antecedent(before: str) -> str:
    """The only person that the text before a pronoun names; empty if it names none or several."""
    text = before[-MAX_CHARS:]
    for patterns in _MENTIONS:
        people = [match["who"] for name in patterns for match in _PATTERNS[name].finditer(text)]
        found = {person.casefold(): person for person in people}
        if found:
            return next(iter(found.values())) if len(found) == 1 else ""
    return ""
