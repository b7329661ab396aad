"""Compare the quantities that two texts name: weekdays, months and numbers."""

from collections.abc import Mapping, Sequence, Set

from agent.language.grounding.checks import significant_stems, words
from agent.language.pattern_files import load_patterns
from agent.language.text_cache import cache_per_user
from agent.language.words import frames
from agent.language.words.quantities import quantities_by_kind, quantity_kind

MAX_OWN_WORDS = 1  # after a value ("80 max")

_PATTERNS = load_patterns("words/values.toml")
_MEASURES = ("amount", "mass", "length", "date")


def quantities(text: str) -> Mapping[str, Set[str]]:
    """The weekdays, months and numbers in a text; times and parts of dates are numbers, too."""
    found: dict[str, set[str]] = {}
    for kind, named in quantities_by_kind(text).items():
        values = {value for value in named if not _PATTERNS["time_unit"].fullmatch(value)}
        if values:
            found.setdefault(kind if kind in {"weekday", "month"} else "number", set()).update(values)
    return found


def differing(values: Mapping[str, Set[str]], others: Mapping[str, Set[str]]) -> set[str]:
    """The values of a kind of which the others have at least one, and not the same."""
    pairs = ((_counted(values[kind]), _counted(others[kind])) for kind in values.keys() & others.keys())
    return {value for found, known in pairs if known for value in found - known}


def are_comparable(text: str, statement: str) -> bool:
    """Check whether the numbers of two texts may be of one kind; False for a price and a date ("£480", "the 20th")."""
    measured, known = _measures(text), _measures(statement)
    return not (measured and known) or not measured.isdisjoint(known)


def measures_another(text: str, statement: str) -> bool:
    """Check whether a text has a price, weight or the like, and a statement has none, nor a number without a unit."""
    measured, known = _measures(text), quantities(statement).keys()
    is_dated = "date" in measured and not known.isdisjoint({"weekday", "month"})
    return bool(measured) and not is_dated and not ("number" in known and are_comparable(text, statement))


def gives_other_value(text: str, statement: str) -> bool:
    """Check whether a text gives another day, or another number of what a statement has one of.

    It comes first, with hardly any other word after it: "the clutch costs 800" is no other number of books.
    A duration is compared with durations only: "no running for 6 weeks" is no other number of children.
    """
    undated = _PATTERNS["duration"].sub(" ", text)
    compared = text if _PATTERNS["duration"].search(statement) else undated
    values, known = quantities_by_kind(compared), quantities_by_kind(statement)
    own_words = [word for word in words(undated) if word.is_content and word.stem not in significant_stems(statement)]
    are_values = [quantity_kind(word.text) is not None for word in own_words]
    is_first = not any(are_values) or are_values[0]
    return bool(differing(values, known)) and is_first and are_values.count(False) <= MAX_OWN_WORDS


def wrong_values(text: str) -> list[str]:
    """The days, numbers and times that a text calls wrong, beside the right ones ("le 5 juillet, pas le 3")."""
    found = (
        match
        for match in _PATTERNS["wrong"].finditer(text)
        if match["value_instead"] or quantities(match.string[: match.start()])
    )
    return [(match["value"] or match["value_instead"]).casefold().removeprefix("l'") for match in found]


def has_value(statement: str, value: str) -> bool:
    """Check whether a statement contains a value, or the first words of one ("Tuesday for the dentist")."""
    tokens, words = frames.value_tokens(statement), frames.value_tokens(value)
    heads = (words[:length] for length in range(len(words), 0, -1))
    head = next((head for head in heads if _contains(tokens, head)), ())
    return any(frames.is_content(token) or quantity_kind(token) for token in head)


@cache_per_user(maxsize=1024)
def _measures(text: str) -> frozenset[str]:
    return frozenset(name for name in _MEASURES if _PATTERNS[name].search(text))


def _contains(tokens: Sequence[str], part: Sequence[str]) -> bool:
    return any(tuple(tokens[n : n + len(part)]) == tuple(part) for n in range(len(tokens) - len(part) + 1))


def _counted(values: Set[str]) -> set[str]:
    return {value for value in values if not _PATTERNS["article"].fullmatch(value)}
