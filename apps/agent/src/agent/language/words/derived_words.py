"""Relate words of one origin: a compound and its head ("Knie-OP", "OP"), a verb and its noun."""

import re

from agent.language.dates.notes import split_date_note
from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns
from agent.language.text_cache import cache_per_user
from agent.language.words.content import SCHEDULE, content_of

MIN_HEAD_CHARS = 4
"""Of a head that is joined without a hyphen."""
MIN_MODIFIER_CHARS = 3
STEM_CHARS = 5  # "steriliseren" and "sterilisatie"

_PATTERNS = load_patterns("words/derived_words.toml")
_WORD = re.compile(r"[^\W\d_][\w-]*")


def names_compound(new: str, old: str) -> str:
    """The head by which a newer text names a compound in an older one, casefolded; empty if there is none.

    Both must say when something is: "die Bahn" is not each railway that was mentioned.
    """
    heads = _heads(new)
    if not heads or not (is_scheduled(new) and is_scheduled(old)):
        return ""
    old = split_date_note(old)[0]
    known = {word.casefold() for word in _WORD.findall(plain_punctuation(old))}
    return next((head for head in heads if head not in known and any(_is_compound(one, head) for one in known)), "")


def names_action(new: str, old: str) -> str:
    """The stem by which a newer text names an action with a noun and an older one with a verb, or the reverse."""
    nouns, verbs = _actions(new)
    if not (nouns or verbs):
        return ""
    old_nouns, old_verbs = _actions(split_date_note(old)[0])
    return min((nouns & old_verbs) | (verbs & old_nouns), default="")


@cache_per_user(maxsize=4096)
def _actions(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of the nouns for actions in a text, and of verbs."""
    known = frozenset(word.casefold() for word in _WORD.findall(text))
    nouns, verbs = (filter(_PATTERNS[kind].fullmatch, known) for kind in ("noun", "verb"))
    return frozenset(map(_action_stem, nouns)), frozenset(map(_action_stem, verbs))


def _action_stem(word: str) -> str:
    return word.removeprefix("ge")[:STEM_CHARS]


@cache_per_user(maxsize=4096)
def _heads(text: str) -> tuple[str, ...]:
    matches = _PATTERNS["definite"].finditer(plain_punctuation(text))
    return tuple(dict.fromkeys(match["noun"].casefold() for match in matches))


def _is_compound(word: str, head: str) -> bool:
    modifier = word.removesuffix(head)
    is_joined = modifier.endswith("-") or (len(head) >= MIN_HEAD_CHARS and len(modifier) >= MIN_MODIFIER_CHARS)
    return modifier != word and len(modifier) > 1 and is_joined


def is_scheduled(text: str) -> bool:
    """Check whether a text contains a weekday, month or time, besides those in a date note."""
    text = split_date_note(text)[0]
    return any(kind in SCHEDULE for kind, _, _ in content_of(text).quantities)
