"""States of the user, such as a pregnancy or unemployment, and the statements that end them."""

import re
from collections.abc import Iterator

from agent.language.pattern_files import load_patterns
from agent.language.words.word_starts import name_starts, word_starts

_PATTERNS = load_patterns("revision/states.toml")
_PROSPECTIVE = load_patterns("revision/change_patterns")["prospective"]
_OWN_CLAUSES = re.compile(r"^(?:i|i've|we|we've)\b.*?(?:[,;]\s(?:and\s)?|\sand\s)", re.IGNORECASE)
_END, _WORDS = "_ends", "_words"
_STARTS = {
    name.removesuffix(_WORDS): name_starts(one.pattern) for name, one in _PATTERNS.items() if name.endswith(_WORDS)
}
"""The beginnings of the words of which an end contains one, for the states for which they are known."""

STATES = tuple(name.removesuffix(_END) for name in _PATTERNS if name.endswith(_END))

OWN_STATES = frozenset({"fear", "part_time", "full_time", "weight_goal", "absence", "debt", "applying", "unlicensed"})
"""The states that end only for the person who says so; a pregnancy also ends for the user's wife."""


def ended_states(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the states of the user that a sentence ends, each with the words for what it concerns, or none."""
    starts = word_starts(sentence)
    for state in STATES:
        if state in _STARTS and starts.isdisjoint(_STARTS[state]):
            continue
        for match in _PATTERNS[state + _END].finditer(sentence):
            before, after = sentence[: match.start()], sentence[match.end() :]
            is_prospective = _PROSPECTIVE.search(f"{before} {after}") is not None
            if not is_prospective and not _PATTERNS["other_subject"].search(_without_own_clauses(before)):
                yield state, " ".join(filter(None, match.groupdict().values()))


def _without_own_clauses(before: str) -> str:
    """The words before an end without the earlier clauses about the user ("I got the screen fixed, and moved …")."""
    return _OWN_CLAUSES.sub("", before)


def is_in_state(state: str, statement: str) -> bool:
    """Check whether a statement says that the user is in a state, not another person."""
    others = _PATTERNS.get(f"{state}_others")
    return _PATTERNS[state].search(statement) is not None and (others is None or others.match(statement) is None)
