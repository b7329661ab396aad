"""Tell events of the same name apart: appointments with different people, exams in different subjects."""

from agent.language.pattern_files import load_patterns
from agent.language.text_cache import cache_per_user

_PATTERNS = load_patterns("references/event_kinds.toml")
_EVENT = _PATTERNS["event"]
_HOSTS = {name: pattern for name, pattern in _PATTERNS.items() if name != "event"}


def are_different_events(text: str, other: str) -> bool:
    """Check whether two texts are about different events ("vet appointment", "dentist is at 3"; "maths exam")."""
    hosts, others = _hosts(text), _hosts(other)
    if hosts and others:
        return hosts.isdisjoint(others)
    kinds, known = _kinds(text), _kinds(other)
    shared = {name for name, _ in kinds} & {name for name, _ in known}
    named = {kind for name, kind in known if name in shared}
    return bool(shared) and kinds.isdisjoint(known) and not any(kind in text.casefold() for kind in named)


@cache_per_user(maxsize=4096)
def _hosts(text: str) -> frozenset[str]:
    """The persons with whom an appointment is."""
    return frozenset(name for name, pattern in _HOSTS.items() if pattern.search(text))


@cache_per_user(maxsize=4096)
def _kinds(text: str) -> frozenset[tuple[str, str]]:
    """The name of each event that is preceded by a word for its kind, and that word, casefolded."""
    return frozenset((match["head"].casefold(), match["kind"].casefold()) for match in _EVENT.finditer(text))
