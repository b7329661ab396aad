"""Answers of the offline model to questions for former values ("Where did I live before?").

They are the statements in the tip with the last day on which they held; see `agent.memory.recall.former_values`.
"""

import re
from collections.abc import Sequence

from langchain_core.messages import BaseMessage

from agent.language.requests.attributes import asked_attributes, asked_own_attributes, states_asked
from agent.language.said.former_values import asks_for_former_value
from agent.models.offline_language import Language
from agent.models.offline_phrases import PHRASES
from agent.models.offline_quotes import listed, quote
from agent.models.offline_statements import bullets

ENDED = re.compile(r"\(until (?P<day>\d{4}-\d\d-\d\d)\b[^()]*\)$")


def answer_about_former(message: str, messages: Sequence[BaseMessage], language: Language) -> str | None:
    """Quote the former values that answer a question for them, else those of the attribute that it asks for.

    None for other messages, and if there are none.
    """
    if not asks_for_former_value(message):
        return None
    ended = [one for one in bullets(messages) if ENDED.search(one.text)]
    answer = quote(message, ended, language) if ended else ""
    if answer.startswith(PHRASES[language].quoted):
        return answer
    asked = asked_attributes(message) | asked_own_attributes(message)
    return listed(PHRASES[language].quoted, [one for one in ended if states_asked(one.text, asked)]) or None
