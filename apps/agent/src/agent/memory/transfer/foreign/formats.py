"""The formats of exports of other applications, and how they are recognised."""

import codecs
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from agent.memory.transfer.foreign import conversations, memory_lists
from agent.memory.transfer.foreign.entries import Entries, Record
from agent.memory.transfer.foreign.record_reader import WRAPPERS

ForeignFormat = Literal["chatgpt", "claude", "mem0", "zep", "langmem"]
ImportFormat = Literal["auto", "keepsake", "chatgpt", "claude", "mem0", "zep", "langmem"]
"""`auto`: recognised from the content."""

_MARKERS = re.compile(rb'"(?:mapping|chat_messages|conversations_memory|memory|fact|namespace)"\s*:')


@dataclass(frozen=True, slots=True)
class Format:
    """The format of an application."""

    application: str
    """Its name, as shown to users."""
    matches: Callable[[Record], bool]
    read: Callable[[Record], Entries]


FORMATS: Mapping[ForeignFormat, Format] = {
    "chatgpt": Format("ChatGPT", conversations.is_chatgpt, conversations.read_chatgpt),
    "claude": Format("Claude", conversations.is_claude, conversations.read_claude),
    "mem0": Format("mem0", memory_lists.is_mem0, memory_lists.read_mem0),
    "zep": Format("Zep", memory_lists.is_zep, memory_lists.read_zep),
    "langmem": Format("LangMem", memory_lists.is_langgraph, memory_lists.read_langgraph),
}


def format_of(record: Record) -> ForeignFormat | None:
    """Recognise the format of a record; None if it has none of them."""
    return next((name for name, one in FORMATS.items() if one.matches(record)), None)


def is_foreign(head: bytes) -> bool:
    """Check whether a file that begins with these bytes is an export of another application."""
    head = head.removeprefix(codecs.BOM_UTF8).lstrip()
    if head.startswith(b"["):
        return True
    line = head.partition(b"\n")[0]
    try:
        first = json.loads(line)
    except (ValueError, RecursionError):
        return head.startswith(b"{") and _MARKERS.search(head) is not None
    if not isinstance(first, dict) or "kind" in first or "place" in first:
        return False
    return format_of(first) is not None or any(isinstance(first.get(name), list) for name in WRAPPERS)
