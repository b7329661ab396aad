"""Words without content of their own, in several languages, and the language of a text by them."""

import re
import tomllib
from collections import Counter
from importlib.resources import files

MIN_WORDS = 2  # function words that identify a language
SCRIPTS = {
    "ja": re.compile(r"[\u3040-\u30ff]"),
    "ko": re.compile(r"[\uac00-\ud7af]"),
    "zh": re.compile(r"[\u3400-\u9fff]"),
    "ar": re.compile(r"[\u0600-\u06ff]"),
    "ru": re.compile(r"[\u0400-\u04ff]"),
    "he": re.compile(r"[\u0590-\u05ff]"),
    "hi": re.compile(r"[\u0900-\u097f]"),
    "th": re.compile(r"[\u0e00-\u0e7f]"),
    "el": re.compile(r"[\u0370-\u03ff]"),
}
MIN_SCRIPT_SHARE = 0.2  # of the letters; texts in other scripts contain Latin names

_DATA = tomllib.loads(files("agent.language").joinpath("parsing/function_words.toml").read_text(encoding="utf-8"))
_BY_LANGUAGE = {language: frozenset(words.split()) for language, words in _DATA["function_words"].items()}
SYNONYMS = {word: key for key, words in _DATA["synonyms"].items() for word in words.split()}
"""A common word for each of several with the same meaning."""
FUNCTION_WORDS = frozenset[str]().union(*_BY_LANGUAGE.values())
_LETTERS = re.compile(r"[^\W\d_]+")
MAX_CHARS = 2_000  # the rest of a text does not matter for its language


def language_of(text: str) -> str | None:
    """The language of a text, as a code, by its script and function words; None if they do not tell."""
    text = text[:MAX_CHARS].casefold()
    words = _LETTERS.findall(text)
    letters = sum(map(len, words))
    for language, script in SCRIPTS.items() if not text.isascii() else ():
        if len(script.findall(text)) > MIN_SCRIPT_SHARE * letters:
            return language
    words = [word for word in words if word in FUNCTION_WORDS]
    counts = Counter({language: sum(word in known for word in words) for language, known in _BY_LANGUAGE.items()})
    (best, most), (_, second) = counts.most_common(2)
    return best if most >= MIN_WORDS and most > second else None
