"""Recognise a request to forget one thing that it names ("Forget the boiler service."), in several languages.

The same words may concern the task at hand ("Forget the list, give me prose"): parts of a text, and requests that go on
with what to do instead, do not count.
"""

import re
from dataclasses import dataclass

from agent.language.parsing.sentences import Span, contains_request
from agent.language.pattern_files import load_patterns

MAX_MESSAGE_CHARS = 200
MAX_WORDS = 7

_PATTERNS = load_patterns("requests/named_things.toml")
_CLAUSE_END = re.compile(
    r"[,;:\n(\uff0c\u060c]|\s-{1,2}\s|\s(?:because|since|as|weil|porque|parce que|perché|and|und|et|e|y) (?=\w{1,20} )"
)
_EDGES = " \t\r\n.,;:!?…\u3002\uff01\uff1f\u061f\uff0c\u3001\u060c\"'«»“”"


@dataclass(frozen=True, slots=True)
class NamedThing:
    """What a sentence asks to forget."""

    text: str
    is_certain: bool
    """Whether it hardly has another meaning: it uses the verb "forget", is specific, and says nothing else."""


def named_thing(plain: str, masked: str, sentence: Span, *, is_whole: bool) -> NamedThing | None:
    """The thing that a sentence asks to forget; None if it is no such request, or possibly part of another task.

    Args:
        plain: the message with plain punctuation.
        masked: the same without quoted text.
        sentence: its span.
        is_whole: whether the message consists of the sentence.
    """
    if len(plain) > MAX_MESSAGE_CHARS:
        return None
    for verb in ("forget", "delete"):
        match = _PATTERNS[verb].match(masked, *sentence)
        if match and (thing := _thing(masked[match.end() : sentence[1]])):
            text, has_reason = thing
            is_specific = _PATTERNS["specific"].match(text) is not None and "!" not in masked[slice(*sentence)]
            return NamedThing(text, is_certain=verb == "forget" and is_whole and is_specific and not has_reason)
    return None


def is_about_task(text: str) -> bool:
    """Check whether the words after "forget" are about a text, or are followed by what to do instead."""
    return _thing(text) is None


def names_other_task(text: str) -> bool:
    """Check whether a clause after a request says what to do instead."""
    return contains_request(text.strip(_EDGES)) or _PATTERNS["redirection"].search(text) is not None


def _thing(text: str) -> tuple[str, bool] | None:
    """The thing at the start of a text, and whether a reason follows."""
    end = _CLAUSE_END.search(text)
    name, rest = (text[: end.start()], text[end.start() :].strip(_EDGES[:5])) if end else (text, "")
    rest = _PATTERNS["tail"].sub("", rest.rstrip(_EDGES))
    if rest.strip(_EDGES) and not _is_reason(rest):
        return None
    name = _PATTERNS["tail"].sub("", name.rstrip(_EDGES)).strip(_EDGES)
    is_name = name and "\0" not in name and len(name.split()) <= MAX_WORDS
    if not is_name or _PATTERNS["no_thing"].match(name) or _PATTERNS["task"].match(name):
        return None
    return name, bool(rest.strip(_EDGES))


def _is_reason(rest: str) -> bool:
    return _PATTERNS["reason"].match(rest) is not None and not names_other_task(rest)
