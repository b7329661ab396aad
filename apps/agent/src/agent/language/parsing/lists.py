"""Find the things that a sentence lists, each of which can be removed from it ("two visits: the vet and the bank")."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.language.parsing.sentences import Span, plain_punctuation, sentences
from agent.language.pattern_files import load_patterns

MAX_CHARS = 400
MAX_ITEM_WORDS = 10  # a longer one is a clause
MIN_CLAUSE_WORDS = 3
MAX_PLAIN_WORDS = 3
"""Maximum number of words in an item without an article."""

_PATTERNS = load_patterns("parsing/lists.toml")
_KINDS = ("clauses", "continued", "colon", "owned", "plain")
_END_MARKS = " \t\r\n.!;,\u3002\uff01"


@dataclass(frozen=True, slots=True)
class ListItem:
    """One of the things that a sentence lists."""

    text: str
    """Verbatim, without the conjunction and the punctuation around it."""
    rest: str
    """The sentence without it."""


def list_items(sentence: str) -> list[ListItem]:
    """The things that a sentence lists; empty if removing one of them could garble what remains."""
    plain = plain_punctuation(sentence)
    stop = len(plain.rstrip(_END_MARKS))
    if len(plain) > MAX_CHARS or sum(any(map(str.isalnum, plain[slice(*one)])) for one in sentences(plain)) != 1:
        return []
    for kind in _KINDS:
        lead = _PATTERNS[f"{kind}_lead"].match(plain, 0, stop)
        spans = list(_split(plain, kind, (lead.end(), stop))) if lead else []
        if len(spans) > 1 and all(_is_item(plain[slice(*span)], kind) for span in spans):
            return [_item(sentence, spans, number) for number in range(len(spans))]
    return []


def without_item(sentence: str, text: str) -> str:
    """A sentence without one of the things that it lists; empty if it lists no such thing."""
    return next((item.rest for item in list_items(sentence) if item.text == text), "")


def _split(plain: str, kind: str, span: Span) -> Iterator[Span]:
    start = span[0]
    for separator in _PATTERNS[f"{kind}_separator"].finditer(plain, *span):
        if separator.start() > start:
            yield start, separator.start()
        start = separator.end()
    yield start, span[1]


def _is_item(item: str, kind: str) -> bool:
    count = len(item.split())
    if kind == "clauses":
        return count >= MIN_CLAUSE_WORDS
    if kind == "continued":
        return count >= MIN_CLAUSE_WORDS and _PATTERNS["conjunction"].search(item) is None
    is_short = 0 < count <= (MAX_PLAIN_WORDS if kind == "plain" else MAX_ITEM_WORDS)
    return is_short and _PATTERNS["clause"].search(item) is None


def _item(sentence: str, spans: list[Span], number: int) -> ListItem:
    """An item, and the sentence from which it is cut together with the separator on one side."""
    start, stop = spans[number]
    is_first, is_last = number == 0, number == len(spans) - 1
    cut = (spans[number - 1][1], stop) if is_last else (start, spans[number + 1][0])
    rest = (sentence[: cut[0]] + sentence[cut[1] :]).strip()
    lead = sentence[: spans[0][0]].strip()
    if is_first and not lead:
        rest = rest[0].upper() + rest[1:]
    return ListItem(re.sub(r"\s+", " ", sentence[start:stop]).strip(), rest)
