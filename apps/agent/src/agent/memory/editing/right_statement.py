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
    is_value = start is not None or bare_correction(plain) is not None or _is_short(plain)
    if is_value:
        value = plain[start.end() :] if start else plain
        return next(filter(None, (_with_value(one, plain, value) for one in known)), None)
    return text.strip() if own_statements(plain) and not refers_to_antecedent(plain) else None


def _is_short(plain: str) -> bool:
    words = _WORD.findall(plain)
    return len(words) <= 1 or (len(words) <= MAX_VALUE_WORDS and not own_statements(plain))


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
