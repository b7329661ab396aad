"""Answers of the offline model to questions for former values ("Where did I live before?").

They are the statements in the tip with the last day on which they held; see `agent.memory.recall.former_values`.
"""

import re
from collections.abc import Sequence

from langchain_core.messages import BaseMessage

from agent.language.requests.attributes import asked_attributes, asked_own_attributes, states_asked
from agent.language.said.former_values import asks_for_former_value, states_past
from agent.models.offline_language import Language
from agent.models.offline_phrases import PHRASES
from agent.models.offline_quotes import listed, quote
from agent.models.offline_statements import Statement, bullets

ENDED = re.compile(r"\(until (?P<day>\d{4}-\d\d-\d\d)\b[^()]*\)$")


def answer_about_former(
    message: str, messages: Sequence[BaseMessage], known: Sequence[Statement], language: Language
) -> str | None:
    """Quote the former values that answer a question for them, else those of the attribute that it asks for.

    If there are none, the present value of an attribute is only close to an answer. None for other messages.
    """
    if not asks_for_former_value(message):
        return None
    ended = [one for one in bullets(messages) if ENDED.search(one.text)]
    past = [*ended, *(one for one in known if states_past(one.text) and one not in ended)]
    answer = quote(message, past, language) if past else ""
    if answer.startswith(PHRASES[language].quoted):
        return answer
    own = asked_own_attributes(message)
    asked = asked_attributes(message) | own
    if former := listed(PHRASES[language].quoted, [one for one in ended if states_asked(one.text, asked)]):
        return former
    title, _, statements = quote(message, known, language).partition("\n") if own else ("", "", "")
    is_present = title == PHRASES[language].quoted and not states_past(statements)
    return f"{PHRASES[language].closest}\n{statements}" if is_present else None
