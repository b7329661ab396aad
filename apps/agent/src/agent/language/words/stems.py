"""The stems of content words, by which texts are compared; of texts without spaces, pairs of characters."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.language.pattern_files import load_patterns
from agent.language.text_cache import cache_per_user

STEM_CHARS = 4  # "lives" and "living" have the same stem
MIN_WORD_CHARS = 3  # of lower-case ASCII words
MAX_START_CHARS = 8  # between the end of a sentence and its successor's first word

_PATTERNS = load_patterns("words/parts.toml")
_FUNCTION_WORD, _FUNCTION_STRING = _PATTERNS["function_words"], _PATTERNS["function_strings"]
_UNSPACED = r"[\u3040-\u30ff\u3400-\u9fff]"
WORD = re.compile(rf"{_UNSPACED}+|(?:(?!{_UNSPACED})[^\W_])+")
_UNSPACED_START = re.compile(_UNSPACED)
_SENTENCE_START = re.compile(r"(?:^|[.!?])[\s\"'(]*$")


@dataclass(frozen=True, slots=True)
class Stems:
    """The stems of the content words of a text."""

    words: frozenset[str]
    names: frozenset[str]
    """Those of names and numbers, which `words` contains, too."""

    @classmethod
    def of(cls, *texts: str) -> "Stems":
        """The stems of all the texts."""
        found = [_stems(text) for text in texts]
        if len(found) == 1:
            return found[0]
        return cls(frozenset().union(*(one.words for one in found)), frozenset().union(*(one.names for one in found)))


def without_function_words(text: str) -> str:
    """A text without the function words of its languages; other characters remain."""
    return WORD.sub(lambda match: "" if _FUNCTION_WORD.fullmatch(match[0].casefold()) else match[0], text)


def word_count(text: str) -> int:
    """The number of words; of a text without spaces, of its characters."""
    unspaced = sum(len(run) for run in re.findall(rf"{_UNSPACED}+", text))
    return max(len(text.split()), unspaced)


@cache_per_user(maxsize=4096)
def _stems(text: str) -> Stems:
    found = list(_read_stems(text))
    return Stems(frozenset(stem for stem, _ in found), frozenset(stem for stem, is_name in found if is_name))


def _read_stems(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the stems of the content words of a text, and whether each is a name or a number."""
    for match in WORD.finditer(text):
        word, folded = match[0], match[0].casefold()
        if _UNSPACED_START.match(word):
            yield from ((pair, False) for pair in _pairs(word))
            continue
        is_first = _SENTENCE_START.search(text, max(0, match.start() - MAX_START_CHARS), match.start())
        is_name = word[0].isdigit() or (word[0].isupper() and not is_first)
        is_content = (is_name and len(word) > 1) or word[0].isdigit() or len(word) >= MIN_WORD_CHARS
        if is_content and not _FUNCTION_WORD.fullmatch(folded):
            yield folded if word[0].isdigit() else folded.removesuffix("s")[:STEM_CHARS], is_name


def _pairs(run: str) -> Iterator[str]:
    """Yield the pairs of characters between the function words of a run; a single character as it is."""
    for piece in filter(None, _FUNCTION_STRING.split(run)):
        yield from (piece[n : n + 2] for n in range(max(1, len(piece) - 1)))
