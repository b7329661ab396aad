"""Find the earlier statement that a change most likely concerns, where it is not certain that this is untrue now.

"My French has got rusty" and "I'm conversational in French": the newer sentence says that something changed, and both
name the same thing.
"""

import re

from agent.language.dates.notes import split_date_note
from agent.language.parsing.sentences import plain_punctuation, sentences, with_apostrophes
from agent.language.pattern_files import load_patterns
from agent.language.revision.changes import changes, is_factual
from agent.language.revision.content import Content, content_of
from agent.language.revision.frames import clauses
from agent.language.revision.stems import Stems
from agent.language.text_cache import cache_per_user

MAX_CHARS = 200  # of a sentence that states a change, and of one that it concerns
MIN_STEM_CHARS = 3

_PATTERNS = load_patterns("revision/relations.toml")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def states_change(text: str) -> bool:
    """Check whether a text says that something changed, in whatever way."""
    return bool(_changes(text))


def shared_things(new: str, old: str) -> frozenset[str]:
    """The stems of the things that a change in a new text and an old statement name; empty if it is about others."""
    older = _older(old)
    found = (_shared(change, older) for change in _changes(new)) if older else ()
    return max(found, key=len, default=frozenset())


def _shared(new: tuple[Content, frozenset[str]], old: tuple[Content, frozenset[str]]) -> frozenset[str]:
    (newer, new_pairs), (older, old_pairs) = new, old
    if not newer.persons <= older.persons:
        return frozenset()
    return (newer.things & older.things) | (new_pairs & old_pairs)


@cache_per_user(maxsize=4096)
def _changes(text: str) -> tuple[tuple[Content, frozenset[str]], ...]:
    plain = with_apostrophes(plain_punctuation(split_date_note(text)[0]))
    spoken = (plain[start:stop].strip() for start, stop in sentences(plain))
    stated = [one for one in spoken if len(one) <= MAX_CHARS and is_factual(one) and _is_change(one)]
    parts = (part for one in stated for part in dict.fromkeys((one, *filter(_is_change, clauses(one)))))
    return tuple(map(_content, parts))


@cache_per_user(maxsize=4096)
def _older(statement: str) -> tuple[Content, frozenset[str]] | None:
    plain = with_apostrophes(plain_punctuation(split_date_note(statement)[0]))
    return None if len(plain) > MAX_CHARS or plain.rstrip().endswith("?") else _content(plain)


def _is_change(sentence: str) -> bool:
    return bool(changes(sentence)) or _PATTERNS["changed"].search(sentence) is not None


def _content(sentence: str) -> tuple[Content, frozenset[str]]:
    """The content of a sentence without what many statements name, and the pairs of characters of one without spaces."""
    content = content_of(sentence)
    things = frozenset(one for one in content.things if len(one) >= MIN_STEM_CHARS and not _is_common(one))
    pairs = frozenset(one for one in Stems.of(sentence).words if _UNSPACED.match(one) and not _is_common(one))
    return Content(things, content.quantities, content.persons, content.compounds), pairs


def _is_common(stem: str) -> bool:
    return _PATTERNS["common"].fullmatch(stem) is not None
