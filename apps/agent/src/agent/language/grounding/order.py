"""Compare the order of names, numbers and the sides of a comparison in two sentences."""

from agent.language.grounding.checks import words
from agent.language.pattern_files import load_patterns

_PATTERNS = load_patterns("grounding/order.toml")


def has_same_order(spoken: str, text: str) -> bool:
    """Check that a comparison names both sides in the user's order, and that numbers and names have their places."""
    if _PATTERNS["alternative"].search(spoken) and not _PATTERNS["alternative"].search(text):
        return False
    if not _has_own_numbers(spoken, text):
        return False
    names = {word.stem for word in words(spoken) if word.is_name}
    first = [word.stem for word in words(text)[:1]]
    named = {word.stem for word in words(text)} & names
    has_places = bool(names & {*first}) or len(named) > 1 or any(word.stem[:1].isdigit() for word in words(text))
    if not (has_places or _PATTERNS["comparison"].search(text) or _PATTERNS["comparison"].search(spoken)):
        return True
    stated = [word.stem for word in words(spoken) if word.is_content]
    repeated = [word.stem for word in words(text) if word.is_content and word.stem in stated]
    order = [stated.index(each) for each in dict.fromkeys(repeated)]
    return order == sorted(order)


def _has_own_numbers(spoken: str, text: str) -> bool:
    """Check that a text with a number has no word that the sentence has only after a later number."""
    said, stated = words(spoken), {word.stem for word in words(text)}
    numbers = [index for index, word in enumerate(said) if word.stem[:1].isdigit()]
    repeated = [index for index in numbers if said[index].stem in stated]
    later = next((index for index in numbers if repeated and index > repeated[-1]), None)
    if later is None:
        return True
    before = {word.stem for word in said[:later]}
    return all(word.stem in before or word.stem not in stated for word in said[later:] if word.is_content)
