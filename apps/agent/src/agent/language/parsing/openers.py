"""Recognise the words before a statement that say that it corrects or updates an earlier one ("Correction: …")."""

import re
from enum import IntEnum

from agent.language.parsing.sentences import plain_punctuation, sentences
from agent.language.pattern_files import compile_lazily, read
from agent.language.text_cache import cache_per_user

MAX_PARTS = 6

_OPENERS = {name: "|".join(ones) for name, ones in read("parsing/openers.toml").items()}
_WORD = re.compile(r"[^\W_]")
_LATIN_END = r"(?:(?<=[\u3400-\u9fff])|(?!\w))"
_PART = compile_lazily(
    rf"(?:(?P<correction>{_OPENERS['correction']})|(?P<update>{_OPENERS['update']})|(?:{_OPENERS['filler']}))"
    rf"{_LATIN_END}[\s,.:;!\uff1a\uff0c\u3002\uff01\u3001\u060c\u2026-]{{0,5}}"
)


class Evidence(IntEnum):
    """What the user says about the relation of a statement to earlier ones."""

    NONE = 0
    UPDATE = 1
    """It is new."""
    CORRECTION = 2
    """The earlier one was wrong."""


def read_opener(text: str, start: int, stop: int) -> tuple[int, Evidence]:
    """The end of the opener of a sentence, which is `start` if there is none, and what it says."""
    while start < stop and not text[start].isalnum():
        start += 1
    length, evidence = _read_opener(text[start:stop])
    return start + length, evidence


@cache_per_user(maxsize=1024)
def _read_opener(sentence: str) -> tuple[int, Evidence]:
    end = last = 0
    evidence = Evidence.NONE
    for _ in range(MAX_PARTS):
        part = _PART.match(sentence, end)
        if not part:
            break
        end = part.end()
        found = part.lastgroup
        if found:
            last, evidence = end, max(evidence, Evidence[found.upper()])
    return last, evidence


def blank_openers(text: str) -> str:
    """Replace openers by spaces, so that the statement is read by itself. Offsets do not change."""
    plain, parts, copied = plain_punctuation(text), [], 0
    for start, stop in sentences(plain):
        end, evidence = read_opener(plain, start, stop)
        if evidence and _WORD.search(plain, end, stop):
            parts += [text[copied:start], " " * (end - start)]
            copied = end
    return "".join([*parts, text[copied:]])


def with_opener(text: str, quote: str) -> str:
    """A quote from a text, with the opener that precedes it there."""
    at, plain = text.find(quote), plain_punctuation(text)
    for start, stop in sentences(plain):
        if start < at < stop:
            end, evidence = read_opener(plain, start, stop)
            return text[start : at + len(quote)].strip() if evidence and at <= end else quote
    return quote
