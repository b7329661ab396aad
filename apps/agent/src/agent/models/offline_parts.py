"""Read the part of the tip that answers a question about a period; `agent.memory.recall` writes its heading."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage, SystemMessage

from agent.models.offline_statements import Statement, plain

_DAY = re.compile(r"(?P<day>\d{4}-\d\d-\d\d)?(?:At any time)?:")
_MORE = "(And more"


@dataclass(frozen=True, slots=True)
class TipPart:
    """A heading of the tip and the statements below it, in their order."""

    heading: re.Match[str]
    statements: Sequence[Statement]
    """Each with its day; empty for what has none."""
    is_complete: bool
    """False if the tip had no room for more."""


def find_part(messages: Sequence[BaseMessage], heading: re.Pattern[str]) -> TipPart | None:
    """The latest part of a prompt with a heading; None without one."""
    for message in reversed([one for one in messages if isinstance(one, SystemMessage)]):
        lines = message.text.splitlines()
        for number, line in enumerate(lines):
            if match := heading.fullmatch(line):
                rest = lines[number + 1 :]
                return TipPart(match, list(_bullets(rest)), not any(one.startswith(_MORE) for one in rest))
    return None


def _bullets(lines: Sequence[str]) -> Iterator[Statement]:
    day = ""
    for number, line in enumerate(lines):
        if not line:
            return
        if heading := _DAY.fullmatch(line):
            day = heading["day"] or ""
        elif line.startswith("- "):
            yield Statement(plain(line[2:]), day, order=-number)
