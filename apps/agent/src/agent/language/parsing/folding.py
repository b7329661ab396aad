"""Fold the characters of a text, so that disguised words read like plain ones.

`fold` removes what readers do not see and replaces each character by its plainest form; `readings` also gives what a
text says if look-alike letters, spaced-out letters and digits in words are read as letters.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from functools import lru_cache, partial
from importlib.resources import files

from agent.language.pattern_files import compile_lazily, load_patterns
from agent.language.text_cache import cache_per_user

_DATA = tomllib.loads(files("agent.language").joinpath("parsing/folding.toml").read_text(encoding="utf-8"))
_LATIN = str.maketrans({char: letter for letter, chars in _DATA["latin"].items() for char in chars})
_STROKES = {char: letter for letter, chars in _DATA["stroke"].items() for char in chars}
_CYRILLIC = str.maketrans(_DATA["cyrillic"]["latin"], _DATA["cyrillic"]["cyrillic"])
_LEET = str.maketrans(_DATA["leet"]["digits"], _DATA["leet"]["letters"])

_PUNCTUATION = dict(zip("\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u2010\u2011\u2012\u2212\u2013\u2014\u2800\u1160",
                        "''''\"\"\"------  ", strict=True))  # fmt: skip
_LETTER_BLOCKS = (0x1F150, 0x1F170, 0x1F1E6)  # enclosed letters A to Z that normalisation keeps
_TAGS = (0xE0020, 0xE007F)  # invisible copies of ASCII, as an offset of 0xE0000
WINDOW_CHARS, OVERLAP_CHARS = 2_000, 600  # a pattern spans less than the overlap
_MAX_EXPANSION = 4  # characters; U+FDFA stands for a phrase of 18

_INVISIBLE = re.compile("[\u200b-\u200d\u2060\ufeff\u00ad]")
_MIXED_SCRIPT = re.compile(r"[\u0400-\u04ff]{1,30}[a-zA-Z]|[a-zA-Z]{1,30}[\u0400-\u04ff]")
_WORD = re.compile(r"[^\W\d_]+")
_BLANKS = re.compile(" {2,}")
_BREAKS = re.compile(r" ?\n[ \n]*")
# Single letters or digits with one or two separators between them ("i g n o r e", "p.a.s.s").
_SPACED = re.compile(r"(?<![^\W_])[^\W_](?:[ .,*_\-|/'~+:=]{1,3}[^\W_](?![^\W_])){3,}")
_SEPARATORS = re.compile(r"[ .,*_\-|/'~+:=]+")
_LEET_WORD = re.compile(
    r"(?<![\w@$!|])(?!\w{1,30}@[\w-]{1,30}\.)[\w@$!|]{0,30}[^\W\d_][013457@$!|]{1,3}[^\W\d_][\w@$!|]{0,30}"
)


def fold(text: str) -> str:
    """Remove invisible characters and marks, and replace each character by its plainest form.

    Runs of white space become one blank or one line break.
    """
    return _collapse(_fold_chars(text))


@cache_per_user(maxsize=128)  # a sentence is classified by several patterns in turn
def readings(text: str) -> tuple[str, ...]:
    """What a text says, folded, in overlapping windows: as it stands, and with disguised letters read as letters.

    A long text therefore costs a multiple of its length at most, and mostly only one reading per window.
    """
    windows = [window for source in dict.fromkeys(_visible_and_hidden(text)) for window in _windows(source)]
    return tuple(one for window in windows for one in dict.fromkeys(map(_collapse, _letter_readings(window))))


def load_folded_patterns(file: str) -> dict[str, re.Pattern[str]]:
    """Load case-sensitive patterns for folded texts: letters are folded, and a blank also matches a line break."""
    return {
        name: compile_lazily("".join(map(_fold_char, pattern.pattern)).replace(" ", r"\s"), flags=0)
        for name, pattern in load_patterns(file).items()
    }


def _visible_and_hidden(text: str) -> Iterator[str]:
    """Yield the text without invisible characters, then with blanks for them, then what its tag characters say."""
    yield _fold_chars(text)
    if not text.isascii():
        if _INVISIBLE.search(text):
            yield _fold_chars(_INVISIBLE.sub(" ", text))
        yield "".join(chr(ord(char) - 0xE0000) for char in text if _TAGS[0] <= ord(char) < _TAGS[1])


def _windows(text: str) -> Iterator[str]:
    """Yield overlapping parts, cut at white space where there is any near the end."""
    start = 0
    while start + WINDOW_CHARS < len(text):
        end = start + WINDOW_CHARS
        cut = max(text.rfind(" ", end - OVERLAP_CHARS // 2, end), text.rfind("\n", end - OVERLAP_CHARS // 2, end))
        yield text[start : end if cut < 0 else cut]
        start += WINDOW_CHARS - OVERLAP_CHARS
    yield text[start:]


def _letter_readings(plain: str) -> Iterator[str]:
    yield plain
    latin = plain if plain.isascii() else plain.translate(_LATIN)
    latin = _SPACED.sub(_join_letters, latin)
    yield latin
    if _LEET_WORD.search(latin):
        yield from (
            _LEET_WORD.sub(partial(_read_digits, one=letter), latin) for letter in ("il" if "1" in latin else "i")
        )
    if not plain.isascii():
        yield _SPACED.sub(_join_letters, plain)
        yield _WORD.sub(_to_cyrillic, plain) if _MIXED_SCRIPT.search(plain) else plain


def _fold_chars(text: str) -> str:
    return text if text.isascii() and text.isprintable() else "".join(map(_fold_char, text))


def _collapse(text: str) -> str:
    """Reduce runs of white space in a folded text, where it consists of blanks and line breaks."""
    plain = _BLANKS.sub(" ", text) if "  " in text else text
    return _BREAKS.sub("\n", plain) if "\n" in plain else plain


@lru_cache(maxsize=4096)
def _fold_char(char: str) -> str:
    if char in _PUNCTUATION:
        return _PUNCTUATION[char]
    if char.isspace():
        return "\n" if char in "\n\r\u2028\u2029\x85" else " "
    for block in _LETTER_BLOCKS:
        if block <= ord(char) < block + 26:
            return chr(ord("A") + ord(char) - block)
    # One character at a time: normalising a long run of marks takes quadratic time, because they are sorted.
    parts = unicodedata.normalize("NFKD", char)
    letters = "".join(map(_fold_part, parts))[:_MAX_EXPANSION]
    return unicodedata.normalize("NFC", letters)


def _fold_part(char: str) -> str:
    """Fold a character without a decomposition; "" if readers do not see it."""
    if unicodedata.category(char) in {"Cf", "Cc", "Mn", "Me"}:
        return ""
    digit = unicodedata.decimal(char, None)
    return str(digit) if digit is not None else _PUNCTUATION.get(char) or _STROKES.get(char, char)


def _to_cyrillic(word: re.Match[str]) -> str:
    return word[0].translate(_CYRILLIC) if _MIXED_SCRIPT.search(word[0]) else word[0]


def _join_letters(run: re.Match[str]) -> str:
    """Join single letters; separators of more than one character, if any, stand between words."""
    lengths = {len(each) for each in _SEPARATORS.findall(run[0])}
    shortest = min(lengths)
    return _SEPARATORS.sub(lambda each: " " if len(each[0]) > shortest else "", run[0])


def _read_digits(word: re.Match[str], *, one: str) -> str:
    return word[0].replace("1", one).translate(_LEET)
