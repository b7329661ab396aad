"""Recognise remarks about what the assistant remembers ("that's wrong", "how do you know that?", "pin that").

A remark without a topic means what the assistant's last answer shows. Whether that shows a memory is not known here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_pattern_lists, load_patterns

RemarkKind = Literal["wrong", "outdated", "unsaid", "denied", "origin", "pin", "unpin", "mute"]
"""What a remark says about a memory, or asks for:

`wrong`: it is not true; `denied`: the same with nothing but "no"; `outdated`: it is no longer true;
`unsaid`: the user has never said it;
`origin`: how the assistant knows it, or when the user said it;
`pin`, `unpin`: always keep it in mind, or no longer; `mute`: do not mention it without being asked.
"""

DENIALS = frozenset[RemarkKind]({"wrong", "outdated", "unsaid", "denied"})
"""The remarks that the same message or the next one may complete with a correction."""
MAX_CHARS = 200

_PATTERNS = load_patterns("requests/memory_remark_words.toml")
_REMARKS = load_pattern_lists("requests/memory_remarks.toml")
_KINDS: tuple[RemarkKind, ...] = ("outdated", "wrong", "unsaid", "origin", "unpin", "pin", "mute", "denied")
_EDGES = " \t\r\n.,;:!?\u2026\u3002\uff01\uff1f\uff0c\"'\u00bf\u00a1"


@dataclass(frozen=True, slots=True)
class MemoryRemark:
    """A remark about a memory."""

    kind: RemarkKind
    topic: str = ""
    """The words that name the memory; empty for what the last answer shows."""
    rest: str = ""
    """What the message says after the remark, which may be what is right."""


def memory_remark(message: str) -> MemoryRemark | None:
    """Read a message that begins with a remark about a memory; None for any other message."""
    if len(message) > MAX_CHARS or not _PATTERNS["trigger"].search(message):
        return None
    text = " ".join(plain_punctuation(message).split()).strip()
    lead = _PATTERNS["lead"].match(text)
    starts = dict.fromkeys((0, lead.end() if lead else 0))
    found = (_read(kind, text[start:].lstrip("\u00bf\u00a1")) for kind in _KINDS for start in starts)
    return next(filter(None, found), None)


def mute_wordings(message: str, topic: str) -> Iterator[str]:
    """Yield the ways to say that a topic is not to be mentioned, the user's own first."""
    yield message
    yield f"don't bring up {topic} again"
    yield f"n\u00e3o fale mais sobre {topic}"
    yield f"don't bring up my {topic} again"


def without_pin(text: str) -> tuple[str, bool]:
    """What is to be remembered without a request to pin it at its end, and whether there is one."""
    match = _PATTERNS["pin_after"].search(text)
    return (text[: match.start()], True) if match else (text, False)


def asks_for_removal(text: str) -> bool:
    """Check whether a text after a remark only asks to forget what is wrong ("please delete it")."""
    return len(text) <= MAX_CHARS and _PATTERNS["removal"].fullmatch(plain_punctuation(text).strip(_EDGES)) is not None


def _read(kind: RemarkKind, text: str) -> MemoryRemark | None:
    for pattern in _REMARKS[kind]:
        match = pattern.match(text)
        if match is None:
            continue
        if _topic(match) and kind not in DENIALS:  # it extends to the end of the message
            if (whole := pattern.fullmatch(text.rstrip(_EDGES))) is not None:
                return MemoryRemark(kind, _topic(whole))
            continue
        if (rest := _rest_after(kind, text, match.end())) is not None:
            return MemoryRemark(kind, _topic(match), rest)
    return None


def _topic(match: re.Match[str]) -> str:
    """What the first group that matched contains."""
    return next(filter(None, match.groupdict().values()), "").strip(_EDGES)


def _rest_after(kind: RemarkKind, text: str, end: int) -> str | None:
    """What follows a remark; None if the remark does not end there."""
    if _PATTERNS["tail"].fullmatch(text, end):
        return ""
    joint = _PATTERNS["joint"].match(text, end)
    if kind not in DENIALS or kind == "denied" or joint is None:
        return None
    return text[joint.end() :].strip()
