"""Answers of the offline model to questions for what the user said in a period, or last, and for when they did.

It quotes the part of the tip with the heading "Said …" (see `agent.memory.recall.said`); without memory, what the user
said in the thread today.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from importlib.resources import files
from itertools import groupby

from langchain_core.messages import BaseMessage

from agent.language.dates.formats import format_in
from agent.language.dates.periods import single_day
from agent.language.said.questions import SaidQuestion, said_question
from agent.models.offline_language import Language
from agent.models.offline_parts import find_part
from agent.models.offline_phrases import PHRASES
from agent.models.offline_quotes import listed
from agent.models.offline_related_words import with_related
from agent.models.offline_statements import Statement
from agent.models.request_results import PARAGRAPHS
from agent.models.word_match import match_statements, significant_words

_PHRASES: Mapping[str, Mapping[str, str]] = tomllib.loads(
    files("agent.models").joinpath("offline_said.toml").read_text(encoding="utf-8")
)
_HEADING = re.compile(
    r"Said (?:(?P<start>\d{4}-\d\d-\d\d)(?: (?P<from>\d\d:\d\d))?"
    r"(?: to (?P<stop>\d{4}-\d\d-\d\d)(?: (?P<to>\d\d:\d\d))?)?, the period asked about"
    r"|last|most recently|in the last conversation|on these days):(?P<nothing> nothing.*)?"
)


@dataclass(frozen=True, slots=True)
class _SaidPart:
    """What was said, as the tip contains it, the latest first."""

    when: str
    """The period that was searched, in the words of the user's language; empty if the question names none."""
    statements: Sequence[Statement]
    is_complete: bool = True


def answer_about_saying(
    message: str, messages: Sequence[BaseMessage], known: Sequence[Statement], language: Language
) -> str | None:
    """Answer a question for what the user said, or for when; None for other messages.

    Args:
        message: the user's message.
        messages: the prompt.
        known: the statements of the thread and of the tip.
        language: that of the message.
    """
    now = datetime.now(UTC)
    question = said_question(message, now)
    if question is None:
        return None
    part = _read(messages, language) or _from_thread(question, known, now, language)
    statements = part.statements
    if question.topic:
        others = () if question.period else known
        statements = _about(question.topic, statements, language) or _about(question.topic, others, language)
    if not statements:
        closest = listed(PHRASES[language].closest, part.statements) if question.period else ""
        return closest or _nothing(question, part, language)
    answer = _listed(question, part.when, statements, language)
    return answer if part.is_complete else f"{answer}{PARAGRAPHS}{PHRASES[language].more}"


def _listed(question: SaidQuestion, when: str, statements: Sequence[Statement], language: Language) -> str:
    phrases = _PHRASES[language]
    if question.kind == "period":
        return listed(phrases["told"].format(when), statements)
    title = phrases.get(question.kind, phrases["told"])
    days = groupby(statements, key=lambda one: one.day)
    return PARAGRAPHS.join(listed(title.format(on_day(day, language)), list(ones)) for day, ones in days)


def _nothing(question: SaidQuestion, part: _SaidPart, language: Language) -> str:
    if not part.when:
        return PHRASES[language].nothing_known if question.topic else _PHRASES[language]["nothing"]
    return _PHRASES[language]["told_nothing_about" if question.topic else "told_nothing"].format(part.when)


def _about(topic: str, statements: Sequence[Statement], language: Language) -> list[Statement]:
    """The statements that share enough words with a topic, or contain it, as a Chinese word in a longer one."""
    words = with_related(significant_words(topic, language))
    matches = match_statements(words, [one.text for one in statements])
    return [
        one
        for one, match in zip(statements, matches, strict=True)
        if match.coverage or (language == "zh" and topic in one.text)
    ]


def _read(messages: Sequence[BaseMessage], language: Language) -> _SaidPart | None:
    """The latest part of the prompt with a heading for what was said; None without one."""
    part = find_part(messages, _HEADING)
    if part is None:
        return None
    when = _period(part.heading, language) if part.heading["start"] else ""
    return _SaidPart(when, part.statements, part.is_complete)


def _from_thread(question: SaidQuestion, known: Sequence[Statement], now: datetime, language: Language) -> _SaidPart:
    """What the user said in the thread, which is taken to be of today."""
    said = [replace(one, day=now.date().isoformat()) for one in known if one.index >= 0]
    if question.kind == "last":
        said = [one for one in said if one.index == max(each.index for each in said)]
    if not question.period:
        return _SaidPart("", said)
    start, stop = question.period.start, question.period.stop
    return _SaidPart(on_day(start.date().isoformat(), language), said if start <= now < stop else [])


def _period(heading: re.Match[str], language: Language) -> str:
    """A period as the user would name it, such as "on 28 November 2026"."""
    start, stop = heading["start"], heading["stop"] or heading["start"]
    if not heading["from"]:
        return on_days(start, stop, language)
    hours = _PHRASES[language]["hours"].format(heading["from"], heading["to"])
    return f"{on_day(start, language)} {hours}" if language != "zh" else f"{on_day(start, language)}{hours}"


def on_days(start: str, stop: str, language: Language) -> str:
    """The words for a period of days, such as "from 28 November 2026 to 29 November 2026"."""
    if start == stop:
        return on_day(start, language)
    return _PHRASES[language]["from_to"].format(written_day(start, language), written_day(stop, language))


def on_day(day: str, language: Language) -> str:
    """The words for a day, such as "on 28 November 2026"."""
    return _PHRASES[language]["on"].format(written_day(day, language))


def written_day(day: str, language: Language) -> str:
    """A day as it is written in a language; "?" for an unknown one."""
    return format_in(language).write(single_day(date.fromisoformat(day))) if day else "?"
