"""Find what the user states by saying what is right instead of something that is remembered."""

import re
from collections.abc import Sequence

from agent.language.facts.extraction import own_statements
from agent.language.parsing.sentences import contains_request, is_small_talk, plain_punctuation
from agent.language.pattern_files import load_patterns
from agent.language.references.bare_corrections import bare_correction
from agent.language.references.corrected_values import correct_value
from agent.language.requests.clause_subjects import refers_to_antecedent
from agent.language.revision.value_statements import value_of

MAX_CHARS = 200
MAX_VALUE_WORDS = 4
_PATTERNS = load_patterns("requests/memory_remark_words.toml")
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\d_]+|\d+")
_EDGES = " \t\r\n.,;:!\u3002\uff01\uff0c"


def right_statement(known: Sequence[str], text: str) -> str | None:
    """The statement that a message makes after the user has called a known one wrong; None if it makes none.

    Args:
        known: the wordings of the statement that is wrong, best first.
        text: a complete statement ("I live in York"), or only the right value ("it's York").
    """
    plain = plain_punctuation(text).strip()
    if not plain or len(plain) > MAX_CHARS or contains_request(plain) or is_small_talk(plain):
        return None
    start = _PATTERNS["value_start"].match(plain)
    if start is None and refers_to_antecedent(plain):
        return next(filter(None, (_with_predicate(one, plain) for one in known)), None)
    if start is not None or bare_correction(plain) is not None or _is_short(plain):
        value = plain[start.end() :] if start else plain
        return next(filter(None, (_with_value(one, plain, value) for one in known)), None)
    if not own_statements(plain):
        return None
    return next(filter(None, (_completed(one, plain) for one in known)), text.strip())


def _is_short(plain: str) -> bool:
    words = _WORD.findall(plain)
    is_word = len(words) <= 1 or (len(plain.split()) == 1 and plain.isascii())
    return is_word or (len(words) <= MAX_VALUE_WORDS and not own_statements(plain))


def _with_predicate(statement: str, plain: str) -> str | None:
    """A statement with the predicate of another one, whose subject is a pronoun ("she lives in Bergen")."""
    _, *words = plain.strip(_EDGES).split()
    for count in range(len(words) - 1, 0, -1):
        common = re.search(rf"\b{re.escape(' '.join(words[:count]))}\b", statement, re.IGNORECASE)
        if common and len(statement[common.end() :].split()) <= MAX_VALUE_WORDS:
            return f"{statement[: common.start()]}{' '.join(words)}"
    return None


def _completed(statement: str, plain: str) -> str | None:
    """A statement with the value of a shorter one, which omits the rest ("I have three" of "I have two kids")."""
    if len(plain.split()) >= len(statement.split()):
        return None
    corrected = correct_value(statement, plain)
    kept = {word.casefold() for word in _WORD.findall(corrected or "")}
    return corrected if all(word.casefold() in kept for word in _WORD.findall(plain)) else None


def _with_value(statement: str, plain: str, value: str) -> str | None:
    """A statement with another value; None if it is not clear which one it replaces."""
    value = value.strip(_EDGES)
    if _PATTERNS["no_name"].fullmatch(value):
        return None
    named = value[:1].upper() + value[1:]
    corrected = next(filter(None, (correct_value(statement, f"no, {one}") for one in (plain, value, named))), None)
    if corrected:
        return corrected
    old = value_of(statement).strip(_EDGES)
    if not old or len(value.split()) > MAX_VALUE_WORDS:
        return None
    value = named if old[:1].isupper() else value
    return re.sub(rf"{re.escape(old)}(?=[\s.!\u3002]*$)", lambda _: value, statement)
