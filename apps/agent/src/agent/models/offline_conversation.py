"""Answers of the offline model to questions for the conversation itself, from the messages of the thread."""

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files

from langchain_core.messages import BaseMessage

from agent.language.requests.question_context import Exchange
from agent.language.said.conversation import ConversationKind, ConversationQuestion, conversation_question
from agent.models.exchanges import exchanges
from agent.models.offline_language import Language
from agent.models.offline_phrases import PHRASES
from agent.models.offline_quotes import listed
from agent.models.offline_related_words import with_related
from agent.models.offline_statements import bullets
from agent.models.request_results import PARAGRAPHS
from agent.models.word_match import match_statements, significant_words

MAX_LISTED = 12
"""Messages of the user, the latest."""
MAX_QUOTED_CHARS = 300
"""Of a message; an answer that is repeated is not cut."""

_PHRASES: Mapping[str, Mapping[str, str]] = tomllib.loads(
    files("agent.models").joinpath("offline_conversation.toml").read_text(encoding="utf-8")
)


def answer_about_conversation(message: str, messages: Sequence[BaseMessage], language: Language) -> str:
    """Answer a question for the conversation; empty for other messages.

    Args:
        message: the user's message.
        messages: the prompt.
        language: that of the message.
    """
    question = conversation_question(message)
    if question is None:
        return ""
    earlier = exchanges(messages)[:-1]
    if question.kind == "about":
        answers = [one.answer for one in earlier if one.answer]
        return _about(question, answers, language) or _nothing_about(question, messages, language)
    return _from_thread(question.kind, earlier, _PHRASES[language]) if earlier else _PHRASES[language]["none"]


def _from_thread(kind: ConversationKind, earlier: Sequence[Exchange], phrases: Mapping[str, str]) -> str:
    """What the thread contains, which has earlier messages."""
    if kind == "answer":
        return earlier[-1].answer or phrases["none"]
    if kind == "thread":
        return "\n".join([phrases["thread"], *(f"- {_quoted(one.message)}" for one in earlier[-MAX_LISTED:])])
    message = earlier[0 if kind == "first" else -1].message
    return f"{phrases[kind]} {_quoted(message)}"


def _about(question: ConversationQuestion, answers: Sequence[str], language: Language) -> str:
    """The latest answer about the topic; the last one without a topic."""
    if not question.topic:
        return answers[-1] if answers else ""
    words = with_related(significant_words(question.topic, language))
    found = zip(answers, match_statements(words, answers), strict=True)
    return next((answer for answer, match in reversed(list(found)) if match.coverage), "")


def _nothing_about(question: ConversationQuestion, messages: Sequence[BaseMessage], language: Language) -> str:
    """The reply without such an answer, and what the user has said about the topic."""
    words = with_related(significant_words(question.topic, language))
    known = bullets(messages)
    matches = match_statements(words, [one.text for one in known])
    about = [one for one, match in zip(known, matches, strict=True) if match.coverage][:MAX_LISTED]
    told = listed(PHRASES[language].quoted, about)
    return PARAGRAPHS.join(filter(None, [_PHRASES[language]["none_about"], told]))


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return f"\u201c{line[:MAX_QUOTED_CHARS]}{'…' if len(line) > MAX_QUOTED_CHARS else ''}\u201d"
