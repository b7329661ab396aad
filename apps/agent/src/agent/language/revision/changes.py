"""Detect that a newer sentence says that something changed: what has ended, and a new value of something.

The older statement must be about the same: it contains what has ended ("ditched Vim", "I use Vim"), or the thing that
has a new value ("my new boss is Kwame"), or a number, day or time of the same thing.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agent.language.grounding.checks import Word, stem, words
from agent.language.grounding.support import mentioned_persons
from agent.language.parsing.sentences import plain_punctuation, sentences
from agent.language.pattern_files import load_patterns
from agent.language.revision.frames import quantity_kind
from agent.language.text_cache import cache_per_user

MAX_SENTENCE_CHARS, MAX_OLD_CHARS = 300, 160
MIN_SHARE = 0.5

_PATTERNS = load_patterns("revision/changes.toml")

Stems = frozenset[str]


@dataclass(frozen=True, slots=True)
class _Content:
    """The significant words of a sentence."""

    things: Stems
    """Without general words and quantities."""
    quantities: tuple[tuple[str, str, str], ...]
    """Kind, value, and the stem of the next word, which may be empty."""
    persons: Stems


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence that says that something changed."""

    content: _Content
    ended: tuple[Stems, ...]
    renewed: tuple[tuple[Stems, Stems], ...]
    """Thing, which may be empty, and new value."""


@cache_per_user(maxsize=4096)
def changes(text: str) -> tuple[Change, ...]:
    """The changes that a text states; mostly none."""
    return tuple(_changes(text))


def is_changed(change: Change, statement: str) -> bool:
    """Check whether a change makes an older statement about the user untrue."""
    plain = plain_punctuation(statement)
    if len(plain) > MAX_OLD_CHARS or _PATTERNS["lasting"].search(plain) or plain.rstrip().endswith("?"):
        return False
    old = _content(plain)
    if not change.content.persons <= old.persons:
        return False
    if any(ended and ended <= old.things for ended in change.ended):
        return True
    return any(_is_renewed(thing, value, old) for thing, value in change.renewed) or _has_other_quantity(change, old)


def _changes(text: str) -> Iterator[Change]:
    for start, stop in sentences(text):
        sentence = " ".join(plain_punctuation(text[start:stop]).split())
        if len(sentence) > MAX_SENTENCE_CHARS or sentence.endswith(("?", "\uff1f", "\u061f")):
            continue
        ended = tuple(_stems(match[match.lastgroup or 0]) for match in _PATTERNS["ended"].finditer(sentence))
        renewed = tuple(_renewed(sentence))
        if ended or renewed or _PATTERNS["changed"].search(sentence):
            yield Change(_content(sentence), ended, renewed)


def _renewed(sentence: str) -> Iterator[tuple[Stems, Stems]]:
    for match in _PATTERNS["renewed"].finditer(sentence):
        groups = {name[0]: value for name, value in match.groupdict().items() if value}
        outside = f"{sentence[: match.start()]} {groups['v']}"
        yield _stems(groups.get("a", "")), _stems(groups["v"]) | (_stems(outside) if "a" not in groups else frozenset())


def _is_renewed(thing: Stems, value: Stems, old: _Content) -> bool:
    if thing:
        return thing <= old.things and bool(old.things - thing) and not (old.things - thing) & value
    shared = old.things & value
    return bool(shared) and bool(old.things - value) and bool(value - old.things)


def _has_other_quantity(change: Change, old: _Content) -> bool:
    about = old.things | old.persons
    shared = about & (change.content.things | change.content.persons)
    if not shared or len(shared) <= MIN_SHARE * len(about):
        return False
    return any(
        kind == other_kind
        and value not in {each for _, each, _ in old.quantities}
        and (not unit or unit == other_unit or unit in old.things)
        for kind, value, unit in change.content.quantities
        for other_kind, _, other_unit in old.quantities
    )


def _content(sentence: str) -> _Content:
    found = [word for word in words(sentence) if quantity_kind(word.text) or (word.is_content and _is_thing(word))]
    quantities = []
    for word, follower in zip(found, (*found[1:], None), strict=False):
        if kind := quantity_kind(word.text):
            is_unit = (
                follower and not quantity_kind(follower.text) and not _PATTERNS["passing"].fullmatch(follower.text)
            )
            quantities.append((kind, stem(word.text), follower.stem if follower and is_unit else ""))
    things = frozenset(word.stem for word in found if not quantity_kind(word.text))
    return _Content(things, tuple(quantities), mentioned_persons(sentence))


def _stems(text: str) -> Stems:
    return frozenset(word.stem for word in words(text) if word.is_content and _is_thing(word))


def _is_thing(word: Word) -> bool:
    return _PATTERNS["general"].fullmatch(word.text) is None
