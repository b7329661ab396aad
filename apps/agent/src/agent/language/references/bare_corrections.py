"""Recognise corrections that give nothing but another value ("oops the 14th", "jednak w Beskidy", "hij wordt 71").

The value replaces one of the same kind: a number, a day, a month, a place, or another name. Small talk and questions
that have no such value may stand between the statement and its correction.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice

from agent.language.facts.extraction import own_statements
from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns
from agent.language.references.references import asks
from agent.language.text_cache import cache_per_user
from agent.language.words import frames
from agent.language.words.values import are_comparable, differing, quantities

MAX_CHARS = 80
MAX_STARTS = 4  # words or phrases before the value
MAX_VALUE_WORDS = 6
MAX_STATEMENTS = 3  # messages, besides requests and small talk
MIN_STEM_CHARS = 4

_PATTERNS = load_patterns("references/bare_corrections.toml")
_WORD = re.compile(r"\d[\d.,:h]*\w{0,3}|[^\W\d_]+")
_CLASSES = ("month", "weekday", "ordinal")


@dataclass(frozen=True, slots=True)
class BareCorrection:
    """A value that replaces another one."""

    value: str
    """The value, perhaps after a preposition or an article."""
    verb: str
    """The pronoun and the verb before the value; empty if there is none."""
    has_cue: bool
    """True if the message says that it corrects something."""
    is_denial: bool
    """True if it begins with "no", which may answer a question."""

    def corrects(self, statement: str) -> bool:
        """Check whether a statement has another value of the same kind, and every other word of the correction."""
        if not self.replaces_kind(statement):
            return False
        if not (self.has_cue or self.is_denial):
            return self._has_verb_of(statement) and bool(quantities(self.value))
        return True

    def replaces_kind(self, text: str) -> bool:
        """Check whether a text has a value of the same kind, but not this one."""
        if _PATTERNS["place"].match(self.value):
            return _PATTERNS["has_place"].search(text) is not None and self._is_other_name(text)
        if _PATTERNS["name"].match(self.value) and not _kinds(self.value):
            return _PATTERNS["has_name"].search(text) is not None and self._is_other_name(text)
        if not are_comparable(self.value, text) or _other_words(self.value, text):
            return False
        return bool(differing(_kinds(self.value), _kinds(text)))

    def _is_other_name(self, text: str) -> bool:
        return self.value.rstrip(" .!").casefold() not in text.casefold()

    def _has_verb_of(self, statement: str) -> bool:
        """Check whether a statement has the same verb ("Papa wordt zaterdag 70", "hij wordt 71")."""
        known = frames.value_tokens(statement)
        words = (word for word in self.verb.casefold().split() if not _PATTERNS["copula"].fullmatch(word))
        return any(word in known for word in words)


@cache_per_user(maxsize=512)
def bare_correction(text: str) -> BareCorrection | None:
    """Read a message that gives nothing but another value; None for any other message."""
    plain = plain_punctuation(text).strip()
    if not plain or len(plain) > MAX_CHARS or plain.endswith("?"):
        return None
    start, names, verb = _starts(plain)
    value, is_marked = _without_tail(plain[start:])
    if plain.startswith("*") or plain.endswith("*"):
        value, is_marked = value.strip("* "), True
    has_cue = is_marked or "cue" in names or _PATTERNS["marks"].search(verb) is not None
    is_denial = "denial" in names
    if not (has_cue or is_denial or verb) or not _is_value(value):
        return None
    return BareCorrection(value, verb, has_cue=has_cue, is_denial=is_denial and not has_cue)


def find_corrected(text: str, earlier: Sequence[str], *, answers_question: bool) -> tuple[int, list[str]] | None:
    """The position and statements of the earlier message with the value that a bare correction replaces.

    Args:
        text: the message.
        earlier: the user's earlier messages in the conversation, oldest first.
        answers_question: True if the message may only answer a question of the assistant.
    """
    correction = bare_correction(text)
    if correction is None or (answers_question and not (correction.has_cue or correction.verb)):
        return None
    for position, statements in islice(_statements(correction, earlier), MAX_STATEMENTS):
        if corrected := [one for one in statements if correction.corrects(one)]:
            return position, corrected
    return None


def _statements(correction: BareCorrection, earlier: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The earlier messages that state something, the latest first, up to a request that may be what is corrected."""
    for position in range(len(earlier) - 1, -1, -1):
        text = earlier[position]
        if asks(text):
            if correction.replaces_kind(text):
                return
        elif statements := own_statements(text):
            yield position, statements


def _starts(plain: str) -> tuple[int, set[str], str]:
    """The end of the words before a value, the names of their patterns, and the pronoun and verb among them."""
    end, names, verb = 0, set(), ""
    for _ in range(MAX_STARTS):
        pairs = ((name, _PATTERNS[name].match(plain, end)) for name in ("cue", "denial", "filler", "pronoun"))
        name, found = next(((name, match) for name, match in pairs if match), ("", None))
        if found is None:
            break
        end = found.end()
        names.add(name)
        verb = found[0].strip() if name == "pronoun" else verb
    return end, names, verb


def _without_tail(value: str) -> tuple[str, bool]:
    """A value without the words for a correction that follow it, and whether there are any."""
    tail = _PATTERNS["tail"].search(value)
    return (value[: tail.start()], True) if tail and tail.start() else (value.rstrip(" .!"), False)


def _is_value(text: str) -> bool:
    if not text or len(text.split()) > MAX_VALUE_WORDS or _PATTERNS["no_name"].search(text):
        return False
    return bool(_kinds(text)) or any(_PATTERNS[name].match(text) for name in ("place", "name"))


@cache_per_user(maxsize=2048)
def _kinds(text: str) -> Mapping[str, Set[str]]:
    """The numbers, days and months in a text, also in forms that the other comparisons do not know."""
    found = {kind: set(values) for kind, values in quantities(text).items()}
    for name in _CLASSES:
        named = {word for word in map(str.casefold, _WORD.findall(text)) if _PATTERNS[name].fullmatch(word)}
        if named:
            found.setdefault(name, set()).update(named)
    return found


def _other_words(value: str, statement: str) -> set[str]:
    """The words of a value besides numbers, days, units and prepositions that a statement does not have."""
    known = {_stem(word) for word in _WORD.findall(statement)}
    numbers = set().union(*_kinds(value).values())
    named = (word for word in map(str.casefold, _WORD.findall(value)) if word not in numbers and word[0].isalpha())
    return {word for word in named if not _PATTERNS["part"].fullmatch(word) and _stem(word) not in known}


def _stem(word: str) -> str:
    return word.casefold()[: max(MIN_STEM_CHARS, len(word) - 2)]
