"""Recognise questions for the conversation itself ("repeat that", "what did I just ask?"), in several languages."""

from dataclasses import dataclass
from typing import Literal

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_pattern_lists

ConversationKind = Literal["answer", "question", "first", "thread", "about"]
"""Asked for: the last answer, the user's last message, the first one, all of them, or an answer about a topic."""

MAX_CHARS = 160
"""Longer messages are not examined."""

_PATTERNS = load_pattern_lists("said/conversation.toml")
[_TRIGGER] = _PATTERNS["trigger"]
_KINDS: tuple[ConversationKind, ...] = ("answer", "question", "first", "thread", "about")
_EDGES = " \t\r\n.,;:!?…。！？，¿¡\"'"


@dataclass(frozen=True, slots=True)
class ConversationQuestion:
    """A question for what was said in the conversation."""

    kind: ConversationKind
    topic: str = ""
    """What an answer is about."""


def conversation_question(message: str) -> ConversationQuestion | None:
    """Read a message that only asks for what was said in the conversation; None for others."""
    if len(message) > MAX_CHARS or not _TRIGGER.search(message):
        return None
    text = " ".join(plain_punctuation(message).split()).strip(_EDGES)
    for kind in _KINDS:
        for pattern in _PATTERNS[kind]:
            if match := pattern.fullmatch(text):
                return ConversationQuestion(kind, next(filter(None, match.groupdict().values()), "").strip(_EDGES))
    return None
