"""What the user is told about requests concerning memory: in English for models, translated when offline."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from importlib.resources import files
from typing import Self, cast

from agent.language.dates.formats import format_in
from agent.language.dates.periods import single_day
from agent.models.offline_language import Language

PARAGRAPHS = "\n\n"
"""What separates the paragraphs of an answer, which is Markdown."""


@dataclass(frozen=True, slots=True)
class RequestResults:
    """The results of requests in one language. Those that end with a colon precede what they concern."""

    forgotten_message: str
    forgotten: str
    restored: str
    undone: str
    """Said of what the last message has stated, and is no longer remembered."""
    remembered: str
    not_remembered: str
    nothing_forgotten: str
    nothing_found: str
    nothing_found_about: str
    nothing_before: str
    choose: str
    choose_more: str
    """Said of a list after what is forgotten."""
    choose_others: str
    """Said of a list for one request after what another one has forgotten."""
    all: str
    """Said of a request to delete all memories, which is not executed in the chat."""
    failed: str
    paused: str
    resumed: str
    is_on: str
    is_off: str
    private: str
    """Said of a request to save nothing of this conversation."""
    incognito: str
    """Said of a request to save nothing of what follows in this conversation."""
    public: str
    """Said of a request to save this conversation again."""
    conversation: str
    """Said of a request to forget what was learned from this conversation."""
    transfer: str
    """Where to export and import memories."""
    account: str
    """Where to delete the account."""
    view: str
    """Where to see, edit and delete memories."""
    not_switched: str
    said_on: str
    """Said before the day and the words of the user's statement."""
    entered: str
    """Said before the day and the text of a memory without a statement of the user."""
    reported: str
    disputed: str
    """Said of a list of what the user has called wrong."""
    ask_current: str
    """Said after what is forgotten because it is no longer true."""
    noted_instead: str
    pinned: str
    unpinned: str
    pin_which: str
    muted: str
    """Said before the preference not to mention something."""


def _read() -> Mapping[Language, RequestResults]:
    data = tomllib.loads(files("agent.models").joinpath("request_results.toml").read_text(encoding="utf-8"))
    return {cast("Language", language): RequestResults(**texts) for language, texts in data.items()}


RESULTS = _read()
ENGLISH = RESULTS["en"]
_CHANGES = ("forgotten", "undone", "restored", "noted_instead")
_CHANGE_STARTS = [(name, str(getattr(one, name))) for name in _CHANGES for one in RESULTS.values()]
_DATED = ("said_on", "entered")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def translate_results(text: str, language: Language) -> str:
    """Lines of English results as Markdown in a language, with what they concern unchanged: a paragraph per result."""
    paragraphs = re.split(r"\n(?!\d+\. )", text)
    return PARAGRAPHS.join(_translate(paragraph, language) for paragraph in paragraphs)


def forgotten_texts(results: str, language: Language) -> list[str]:
    """What translated results say is forgotten."""
    name = RESULTS[language].forgotten
    lines = [line.removeprefix(name) for line in results.splitlines() if line.startswith(name)]
    return [text.strip() for line in lines for text in line.split(";")]


@dataclass(frozen=True, slots=True)
class AnsweredChanges:
    """What an answer, in any language, says has changed."""

    removed: tuple[str, ...]
    """Forgotten or undone."""
    restored: tuple[str, ...]
    stated: tuple[str, ...]
    """Noted instead of something else."""

    @classmethod
    def read(cls, answer: str) -> Self | None:
        """Read an answer; None if it says nothing of that kind."""
        found: dict[str, list[str]] = {name: [] for name in _CHANGES}
        for line in answer.splitlines():
            for name, start in _CHANGE_STARTS:
                if line.startswith(start):
                    found[name] += [text.strip() for text in line.removeprefix(start).split(";")]
                    break
        if not any(found.values()):
            return None
        return cls((*found["forgotten"], *found["undone"]), tuple(found["restored"]), tuple(found["noted_instead"]))


def _translate(line: str, language: Language) -> str:
    for field in fields(RequestResults):
        english: str = getattr(ENGLISH, field.name)
        if line.startswith(english):
            rest = line[len(english) :]
            if field.name in _DATED:
                rest = _DATE.sub(lambda match: _written(match[0], language), rest, count=1)
            return f"{getattr(RESULTS[language], field.name)}{rest}"
    return line


def _written(day: str, language: Language) -> str:
    return format_in(language).write(single_day(date.fromisoformat(day)))
