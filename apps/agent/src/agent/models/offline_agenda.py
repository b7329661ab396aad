"""Answers of the offline model to questions for what takes place in a period, or next.

It quotes the part of the tip with the heading "Planned …" (see `agent.memory.recall.agenda`); without memory, what the
user said in the thread.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from importlib.resources import files
from itertools import groupby

from langchain_core.messages import BaseMessage

from agent.language.agenda.events import events, written_out
from agent.language.agenda.questions import AgendaQuestion, agenda_question
from agent.models.offline_language import Language
from agent.models.offline_parts import TipPart, find_part
from agent.models.offline_phrases import PHRASES
from agent.models.offline_quotes import listed
from agent.models.offline_said import on_day, on_days
from agent.models.offline_statements import Statement
from agent.models.request_results import PARAGRAPHS

_PHRASES: Mapping[str, Mapping[str, str]] = tomllib.loads(
    files("agent.models").joinpath("offline_agenda.toml").read_text(encoding="utf-8")
)
_HEADING = re.compile(
    r"(?:Planned for (?P<start>\d{4}-\d\d-\d\d)(?: to (?P<stop>\d{4}-\d\d-\d\d))?, the period asked about"
    r"|Planned from now on, by the day on which it takes place|Planned next|To be reminded of, by day):(?: nothing.*)?"
)
_ENDED = re.compile(r"\(until (?P<day>\d{4}-\d\d-\d\d)\b[^()]*\)$")
_PAST = re.compile(
    r"\b(?:was|were|did|had|been|war|warst|hatte|waren|estaba|estuve|étais|était|ero|era|estava|estive|had)\b|之前|过",
    re.IGNORECASE,
)


def answer_about_agenda(
    message: str, messages: Sequence[BaseMessage], known: Sequence[Statement], language: Language
) -> str | None:
    """Answer a question for what takes place; None for other messages, and if the tip has no such part.

    Args:
        message: the user's message.
        messages: the prompt.
        known: the statements of the thread and of the tip.
        language: that of the message.
    """
    today = datetime.now(UTC).date()
    question = agenda_question(message, today)
    if question is None:
        return None
    if part := find_part(messages, _HEADING):
        return _answer(question, part, language)
    said = list(_of_thread(question, known))
    return _listed(question, said, language) if said else None


def without_ended(message: str, known: Iterable[Statement]) -> list[Statement]:
    """The statements without those that held until a day that is over, unless a message asks about the past."""
    today = datetime.now(UTC).date().isoformat()
    is_past = _PAST.search(message) is not None
    ends = ((one, _ENDED.search(one.text)) for one in known)
    return [one for one, end in ends if is_past or not end or end["day"] >= today]


def _answer(question: AgendaQuestion, part: TipPart, language: Language) -> str:
    phrases, heading = _PHRASES[language], part.heading
    if part.statements:
        answer = _listed(question, part.statements, language)
        return answer if part.is_complete else f"{answer}{PARAGRAPHS}{PHRASES[language].more}"
    if question.kind == "reminders":
        return phrases["no_reminders"]
    if not heading["start"]:
        return phrases["nothing_at_all"]
    return phrases["nothing"].format(on_days(heading["start"], heading["stop"] or heading["start"], language))


def _listed(question: AgendaQuestion, statements: Sequence[Statement], language: Language) -> str:
    """The statements by day, in the order of time."""
    phrases = _PHRASES[language]
    if question.kind == "where":
        return listed(PHRASES[language].quoted, statements)
    title = phrases["next" if question.kind == "next" else "day"]
    parts = [phrases["reminders"]] if question.kind == "reminders" else []
    for day, ones in groupby(statements, key=lambda one: one.day):
        parts.append(listed(title.format(on_day(day, language)) if day else phrases["any_day"], list(ones)))
    return PARAGRAPHS.join(parts)


def _of_thread(question: AgendaQuestion, known: Iterable[Statement]) -> Iterator[Statement]:
    """What the user said in the thread about the period, in the order of time."""
    said = [one for one in known if one.index >= 0]
    for period in question.periods:
        dated = [
            (day, event.hour, written_out(event.text, date.fromisoformat(one.day)))
            for one in said
            for event in events(one.text, date.fromisoformat(one.day))
            if (day := event.first_day_in(period))
        ]
        for day, _, text in sorted(dated):
            yield Statement(text, day.isoformat())
        if dated:
            return
