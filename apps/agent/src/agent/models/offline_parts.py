"""Read the parts of the tip that answer a question about a period, or for everything that is known."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from langchain_core.messages import BaseMessage, SystemMessage

from agent.models.offline_language import Language
from agent.models.offline_phrases import PHRASES
from agent.models.offline_quotes import listed
from agent.models.offline_statements import Statement, bullets, plain
from agent.models.request_results import PARAGRAPHS

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


def list_everything(messages: Sequence[BaseMessage], known: Sequence[Statement], language: Language) -> str:
    """List what is known, in the order of the prompt: the most important first. What the thread states precedes it."""
    texts = [one.text for one in bullets(messages[::-1])]
    positions = {text: number for number, text in enumerate(texts)}
    answer = listed(PHRASES[language].quoted, sorted(known, key=lambda one: positions.get(one.text, -1)))
    lines = (line for one in messages if isinstance(one, SystemMessage) for line in one.text.splitlines())
    is_complete = not any(line.startswith(_MORE) for line in lines)
    return answer if is_complete or not answer else f"{answer}{PARAGRAPHS}{PHRASES[language].more}"


def _bullets(lines: Sequence[str]) -> Iterator[Statement]:
    day = ""
    for number, line in enumerate(lines):
        if not line:
            return
        if heading := _DAY.fullmatch(line):
            day = heading["day"] or ""
        elif line.startswith("- "):
            yield Statement(plain(line[2:]), day, order=-number)
