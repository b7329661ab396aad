"""Replace the words of a text by their classes, so that patterns can describe structures in any language.

A classified text has one token per word, followed by a blank: a symbol for each class of the word, or "-" if it has
none. The tokens of punctuation are "." at the end of a sentence and "," otherwise.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import count

from agent.language.parsing.folding import fold
from agent.language.pattern_files import compile_lazily

HOST = "\ue000"  # stands for a web or mail address
MAX_STEM_CHARS = 14
_HOST = re.compile(
    r"(?:https?://|www\.)[^\s\"')>]{1,300}|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,60}\.[\w.-]{1,60}"
    r"|(?<![\w.-])[\w-]{1,40}\.(?:com|org|net|io|ai|dev|app|example|info|biz|xyz|co|ru|cn|de|fr|es|it|nl|pl|br)\b"
)
_CJK = "\u3040-\u30ff\u3400-\u9fff"
_TOKEN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:'[^\W_{_CJK}]+)*|[{HOST}.!?;:,\n\u3002\u3001]")
_PUNCTUATION = {**dict.fromkeys(".!?\u3002", "."), **dict.fromkeys(";:,\n\u3001", ",")}
_ARABIC_PREFIX = re.compile("[\u0648\u0641]?(?:\u0628\u0627\u0644|\u0644\u0644|\u0627\u0644|[\u0628\u0644\u0643])?")


class WordClasses:
    """The words, stems ("recommend*") and phrases of each class.

    Args:
        words: the words of each class, separated by commas or line breaks; those of "name" are the capitalised words
            within a sentence that have no other class.
    """

    def __init__(self, words: Mapping[str, str]) -> None:
        self.symbols = {name: chr(symbol) for name, symbol in zip(words, count(0x100))}
        self._words: defaultdict[str, set[str]] = defaultdict(set)
        self._stems: defaultdict[str, set[str]] = defaultdict(set)
        self._phrase_words: defaultdict[str, int] = defaultdict(lambda: 1)
        for name, listed in words.items():
            for word in filter(None, map(str.strip, re.split(r"[,\n]", fold(listed).lower()))):
                self._add(word, self.symbols[name])
        cjk = sorted((word for word in self._words if re.match(f"[{_CJK}]", word)), key=len, reverse=True)
        self._cjk_word = compile_lazily("|".join(cjk), flags=0)

    def classify(self, text: str) -> str:
        """Replace the words of a folded text by the symbols of their classes."""
        tokens = list(self._tokens(_HOST.sub(f" {HOST} ", text) if "." in text else text))
        lower = [token.lower() for token in tokens]
        classified, position = ["."], 0
        while position < len(tokens):
            size, symbols = self._longest_phrase(lower, position)
            if not symbols and classified[-1] != "." and tokens[position][0].isupper():
                symbols = self.symbols["name"]
            classified.append(symbols or "-")
            position += size
        return " ".join([*classified, ""])

    def _add(self, word: str, symbol: str) -> None:
        phrase = " ".join(_TOKEN.findall(word.rstrip("*")))
        spellings = {phrase, phrase.replace("'", " ")} if " " in phrase else {phrase}
        for spelling in spellings:  # a contraction is one token only if it is listed as a word
            (self._stems if word.endswith("*") else self._words)[spelling].add(symbol)
            first, *others = spelling.split(" ")
            self._phrase_words[first] = max(self._phrase_words[first], 1 + len(others))

    def _tokens(self, text: str) -> Iterator[str]:
        for token in _TOKEN.findall(text):
            if token[0] >= "\u3040" and token != HOST and re.match(f"[{_CJK}]", token):
                yield from self._cjk_word.findall(token)
            elif "'" in token and token.lower() not in self._words:
                yield from token.split("'")
            else:
                yield token

    def _longest_phrase(self, tokens: list[str], position: int) -> tuple[int, str]:
        first = tokens[position]
        if first in _PUNCTUATION:
            return 1, _PUNCTUATION[first]
        for size in range(self._phrase_words.get(first, 1), 1, -1):
            if symbols := self._words.get(" ".join(tokens[position : position + size])):
                return size, "".join(sorted(symbols))
        symbols = self._classes(first)
        if not symbols and "\u0621" <= first[0] <= "\u064a":
            symbols = self._classes(_ARABIC_PREFIX.sub("", first, count=1))
        return 1, "".join(sorted(symbols))

    def _classes(self, word: str) -> set[str]:
        stems = (self._stems.get(word[:size], ()) for size in range(2, min(len(word), MAX_STEM_CHARS) + 1))
        return self._words.get(word, set()).union(*stems)


class Form:
    """An order of word classes; see prompt_injection.toml for the notation."""

    def __init__(self, form: str, symbols: Mapping[str, str]) -> None:
        self._symbols = symbols
        parts = form.split(" ")
        words = [part for part in parts if part[0] not in "~!," and part != "start"]
        self._required = [{symbols[name] for name in part.split("/")} for part in words]
        self._pattern = compile_lazily(r"(?<![^ ])" + "".join(map(self._part, parts)), flags=0)

    def occurs_in(self, classified: str, symbols: frozenset[str]) -> bool:
        """Check whether a classified text, given also as a set of its symbols, contains the form."""
        has_words = not any(map(symbols.isdisjoint, self._required))
        return has_words and self._pattern.search(classified) is not None

    def _part(self, part: str) -> str:
        if part == "start":
            return f"(?:[.,] |(?<!{self._symbols['self']} ){self._word('start/must/now/always/only')})"
        if part == ",":
            return ", "
        if part[0] == "!":
            name, _, size = part[1:].partition("~")
            return f"(?!{_gap(int(size) - 1)}{self._word(name)})"
        if part[0] == "~":
            size, _, name = part[1:].partition("-")
            return _gap(int(size), self._symbols[name] if name else "")
        return self._word(part)

    def _word(self, names: str) -> str:
        symbols = "".join(self._symbols[name] for name in names.split("/"))
        return f"[^ .,]*[{symbols}][^ ]* "


class Combinations:
    """Classes that occur together in a sentence, in any order; see implied_instructions.toml for the notation.

    They are looked up by the first class of each, so that a sentence is compared with few of them.
    """

    def __init__(self, rules: Iterable[str], symbols: Mapping[str, str]) -> None:
        self._by_first: defaultdict[str, list[tuple[list[set[str]], set[str]]]] = defaultdict(list)
        for rule in rules:
            parts = rule.split(" ")
            first, *others = ({symbols[name] for name in part.split("/")} for part in parts if part[0] != "!")
            excluded = {symbols[part[1:]] for part in parts if part[0] == "!"}
            for symbol in first:
                self._by_first[symbol].append((others, excluded))

    def occur_in(self, symbols: frozenset[str]) -> bool:
        """Check whether a sentence, given as the set of its symbols, contains one of the combinations."""
        found = (rule for symbol in symbols for rule in self._by_first.get(symbol, ()))
        return any(
            excluded.isdisjoint(symbols) and not any(map(symbols.isdisjoint, required)) for required, excluded in found
        )


def _gap(size: int, without: str = "") -> str:
    return f"(?:[^ .{without}]+ ){{0,{size}}}"
