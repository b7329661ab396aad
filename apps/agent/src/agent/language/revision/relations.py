"""Find the earlier statement that a change most likely concerns, where it is not certain that this is untrue now.

"My French has got rusty" and "I'm conversational in French": the newer sentence says that something changed, and both
name the same thing. Statements of the user's names concern each other, too ("I go by Kit these days").
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from agent.language.dates.notes import split_date_note
from agent.language.parsing.sentences import plain_punctuation, sentences, with_apostrophes
from agent.language.pattern_files import load_patterns
from agent.language.revision.changes import changes
from agent.language.revision.content import Stems, content_of, stems
from agent.language.revision.frames import clauses
from agent.language.revision.stems import Stems as StemsOfText
from agent.language.text_cache import cache_per_user

MAX_CHARS = 200
"""Of a sentence that states a change; also of a message whose sentences are about the same."""
MAX_OLD_CHARS = 300  # of a sentence
MIN_STEM_CHARS = 3
NAME = "name"

_PATTERNS = load_patterns("revision/relations.toml")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


class _Subject(NamedTuple):
    """What a sentence is about."""

    things: Stems
    """The stems of what it names; of a text without spaces, pairs of characters."""
    persons: Stems


def states_change(text: str) -> bool:
    """Check whether a text says that something changed, in whatever way."""
    return bool(_changes(text))


def shared_things(new: str, old: str) -> Stems:
    """The stems of what a change in a new text and a sentence of an old one name; empty if they are unrelated."""
    shared = (
        change.things & one.things for change in _changes(new) for one in _older(old) if change.persons <= one.persons
    )
    return max(shared, key=len, default=frozenset())


@cache_per_user(maxsize=4096)
def _changes(text: str) -> tuple[_Subject, ...]:
    plain = _plain(text)
    found = []
    for sentence in _sentences(plain, MAX_CHARS):
        parts = [one for one in dict.fromkeys((sentence, *clauses(sentence))) if _is_change(one)]
        subjects = list(map(_subject, parts))
        if parts and not any(subject.things for subject in subjects) and len(plain) <= MAX_CHARS:
            subjects = [_subject(plain)]  # "Keto's done. Quit it."
        found += subjects
    return tuple(found)


@cache_per_user(maxsize=4096)
def _older(text: str) -> tuple[_Subject, ...]:
    return tuple(map(_subject, _sentences(_plain(text), MAX_OLD_CHARS)))


def _plain(text: str) -> str:
    return with_apostrophes(plain_punctuation(split_date_note(text)[0]))


def _sentences(plain: str, max_chars: int) -> Iterator[str]:
    """Yield the sentences that state something, and neither ask nor suppose it."""
    for start, stop in sentences(plain):
        sentence = plain[start:stop].strip()
        if len(sentence) <= max_chars and not sentence.endswith("?") and not _PATTERNS["supposed"].search(sentence):
            yield sentence


def _is_change(sentence: str) -> bool:
    return bool(changes(sentence)) or _PATTERNS["changed"].search(sentence) is not None


def _subject(sentence: str) -> _Subject:
    """What a sentence is about, without what many statements name, unless it is the user's ("my birthday")."""
    content = content_of(sentence)
    owned = stems(" ".join(match[1] for match in _PATTERNS["owned"].finditer(sentence)))
    named = {one.rstrip("\u00e9") for one in content.things if len(one) >= MIN_STEM_CHARS}
    pairs = {one for one in StemsOfText.of(sentence).words if _UNSPACED.match(one)}
    common = {one for one in named | pairs if _PATTERNS["common"].fullmatch(one)}
    common |= {one for one in named - owned if _PATTERNS["common_of_others"].fullmatch(one)}
    names = {NAME} if _PATTERNS["naming"].search(sentence) else set()
    return _Subject(frozenset((named | pairs) - common | names), content.persons)
