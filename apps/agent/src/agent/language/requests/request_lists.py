"""Read requests with a list of what to remember or to forget ("Remember these: I'm vegan, I have a dog")."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from agent.language.parsing.sentences import Span, contains_request
from agent.language.pattern_files import load_patterns
from agent.language.requests.clause_subjects import is_complete

MAX_ITEMS = 8
MAX_ITEM_CHARS = 300

_PATTERNS = load_patterns("requests/memory_request_patterns")
_ACTIONS: dict[str, Literal["remember", "forget"]] = {
    "remember_list": "remember",
    "numbered_list": "remember",
    "forget_list": "forget",
}
_MARK = re.compile(r"(?:[-\u2013\u2022*]|\(?\d{1,2}[.):\u3001])[ \t]{0,3}(?=[^\s\d]|\d+ [^\W\d_])")
_NUMBER = re.compile(r"[ \t;,]{1,3}\(?\d{1,2}[.):\u3001][ \t]{0,3}(?=[^\s\d])")
_AND = r"(?:and|und|y|e|et|en|plus|also)"
_SEPARATOR = re.compile(
    rf"[;,]\s{{1,3}}(?:{_AND}\s)?|\s{_AND}\s|[\uff0c\u3001\uff1b](?:\u8fd8\u6709|\u548c)?|\s&\s", re.IGNORECASE
)
_THAT = re.compile(r"(?:that|dass|que|che|dat)\s|qu'", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!](?=\s|$)|[\u3002\uff01]")
_QUESTION = re.compile(r"[?\uff1f]")
_EDGES = " \t\r\n.,;:!\u3002\uff01\uff0c\u3001\uff1b"


class RequestList(NamedTuple):
    """A request with a list."""

    action: Literal["remember", "forget"]
    items: Sequence[Span]
    """What it lists, without marks and words that join the items."""


def request_list(plain: str, masked: str, start: int) -> RequestList | None:
    """The request with a list that begins at a position; None if none does.

    Args:
        plain: the message with plain punctuation.
        masked: the same without quoted text.
        start: the first character of a sentence.
    """
    for name, action in _ACTIONS.items():
        lead = _PATTERNS[name].match(masked, start)
        if lead and "\0" not in lead[0]:
            items = [one for one in _items(plain, lead.end(), action) if one[0] < one[1]][:MAX_ITEMS]
            texts = [plain[slice(*one)] for one in items]
            if not texts or "\0" in masked[lead.end() : items[-1][1]]:
                return None
            is_list = len(items) > 1 if action == "forget" else any(map(is_complete, texts))
            return RequestList(action, items) if is_list else None
    return None


def _items(plain: str, start: int, action: str) -> Iterator[Span]:
    if _MARK.match(plain, start):
        yield from _marked_items(plain, start)
        return
    is_in_lines = "\n" in plain[max(0, start - 3) : start]
    for line in _lines(plain, start):
        if is_in_lines:
            yield _trimmed(plain, *line)
        else:
            for sentence in _sentences(plain, line):
                yield from _inline_items(plain, sentence, needs_clause=action == "remember")
            return


def _marked_items(plain: str, start: int) -> Iterator[Span]:
    """The items with bullets or numbers, in lines or in one line."""
    for begin, stop in _lines(plain, start):
        mark = _MARK.match(plain, begin)
        if not mark:
            return
        position = mark.end()
        if mark[0].strip()[-1:] not in "-\u2013\u2022*":
            for number in _NUMBER.finditer(plain, position, stop):
                yield _trimmed(plain, position, number.start())
                position = number.end()
        yield _trimmed(plain, position, stop)


def _lines(plain: str, start: int) -> Iterator[Span]:
    """The lines up to an empty one, or one that asks something."""
    while start < len(plain):
        stop = plain.find("\n", start)
        stop = len(plain) if stop < 0 else stop
        line = plain[start:stop]
        if not line.strip() or len(line) > MAX_ITEMS * MAX_ITEM_CHARS:
            return
        begin = start + len(line) - len(line.lstrip())
        if _QUESTION.search(line) and not _SENTENCE_END.search(line):
            return
        yield begin, stop
        start = stop + 1


def _sentences(plain: str, line: Span) -> Iterator[Span]:
    """The sentences of a line, up to one that asks for something."""
    start, stop = line
    for end in [*(one.end() for one in _SENTENCE_END.finditer(plain, *line)), stop]:
        sentence = plain[start:end]
        if _QUESTION.search(sentence) or (start > line[0] and contains_request(sentence)):
            return
        if any(map(str.isalnum, sentence)):
            yield start, end
        start = end


def _inline_items(plain: str, sentence: Span, *, needs_clause: bool) -> Iterator[Span]:
    """The items of a sentence; what is no clause by itself belongs to the item before it ("I like fish and chips")."""
    start = sentence[0]
    for separator in _SEPARATOR.finditer(plain, *sentence):
        rest = plain[separator.end() : min(sentence[1], separator.end() + MAX_ITEM_CHARS)]
        if not needs_clause or is_complete(_THAT.sub("", rest.strip(), count=1)):
            yield _trimmed(plain, start, separator.start())
            start = separator.end()
    yield _trimmed(plain, start, sentence[1])


def _trimmed(plain: str, start: int, stop: int) -> Span:
    """A span without the marks around its text, and without "that" at its start."""
    text = plain[start:stop]
    start, stop = start + len(text) - len(text.lstrip(_EDGES)), stop - len(text) + len(text.rstrip(_EDGES))
    that = _THAT.match(plain, start, stop)
    return (that.end() if that else start), max(stop, start)
