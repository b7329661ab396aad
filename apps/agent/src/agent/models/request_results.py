"""What the user is told about requests concerning memory: in English for models, translated when offline."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib.resources import files
from typing import cast

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
    not_switched: str


def _read() -> Mapping[Language, RequestResults]:
    data = tomllib.loads(files("agent.models").joinpath("request_results.toml").read_text(encoding="utf-8"))
    return {cast("Language", language): RequestResults(**texts) for language, texts in data.items()}


RESULTS = _read()
ENGLISH = RESULTS["en"]


def translate_results(text: str, language: Language) -> str:
    """Lines of English results as Markdown in a language, with what they concern unchanged: a paragraph per result."""
    paragraphs = re.split(r"\n(?!\d+\. )", text)
    return PARAGRAPHS.join(_translate(paragraph, RESULTS[language]) for paragraph in paragraphs)


def forgotten_texts(results: str, language: Language) -> list[str]:
    """What translated results say is forgotten."""
    name = RESULTS[language].forgotten
    lines = [line.removeprefix(name) for line in results.splitlines() if line.startswith(name)]
    return [text.strip() for line in lines for text in line.split(";")]


def _translate(line: str, translated: RequestResults) -> str:
    for field in fields(RequestResults):
        english: str = getattr(ENGLISH, field.name)
        if line.startswith(english):
            return f"{getattr(translated, field.name)}{line[len(english) :]}"
    return line
