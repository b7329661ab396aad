"""Recognise questions that only ask for a fact about their author ("When is my trip?", "Lebt meine Oma noch?").

Such a question states nothing, because its words are those of the fact that it asks for.
"""

import re

from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns

MAX_CHARS = 160
MAX_DECLARATIVE_WORDS = 9
"""Maximum number of words in a question worded like a statement ("Eu fumo?"); a longer one may be a statement."""

_PATTERNS = load_patterns("parsing/own_questions.toml")
_STATING = ("circumstance", "clause", "advice")


def asks_for_own_fact(sentence: str) -> bool:
    """Check whether a sentence asks for a fact about its author, or what would be if, and has no clause that states."""
    plain = plain_punctuation(sentence).strip()
    if len(plain) > MAX_CHARS or "\0" in plain:
        return False
    lead = _PATTERNS["lead"].match(plain)
    question = plain[lead.end() :] if lead else plain
    if _PATTERNS["hypothetical"].match(question):
        return True
    head = _head(question)
    rest = _PATTERNS["joined"].sub(" ", question[head.end() :]) if head else ""
    return head is not None and not any(_PATTERNS[name].search(rest) for name in _STATING)


def asks_whether(sentence: str) -> bool:
    """Check whether a sentence asks for a yes or no about its author ("Do I smoke?"), with a question mark or not."""
    plain = plain_punctuation(sentence).strip()
    if len(plain) > MAX_CHARS or "\0" in plain:
        return False
    lead = _PATTERNS["lead"].match(plain)
    question = plain[lead.end() :] if lead else plain
    head = _PATTERNS["told_whether"].match(question) or _PATTERNS["whether"].match(question)
    if head is None and question.endswith(("?", "\uff1f")):
        head = _PATTERNS["whether_marked"].match(question) or _declarative(question)
    return head is not None and not any(_PATTERNS[name].search(question) for name in ("advice", "detail_asked"))


def _head(question: str) -> re.Match[str] | None:
    """Match the words of a question that ask; the words after them are those of the fact."""
    indirect = _PATTERNS["indirect"].match(question)
    if indirect or question[-1:] in ".!":
        return indirect
    is_marked = question.endswith(("?", "\uff1f"))
    head = _PATTERNS["which"].match(question) or (_PATTERNS["which_marked"].match(question) if is_marked else None)
    if head is None and is_marked and not _PATTERNS["detail"].search(question):
        head = _PATTERNS["how"].match(question) or _PATTERNS["whether"].match(question) or _declarative(question)
    return head


def _declarative(question: str) -> re.Match[str] | None:
    """Match a question with the order of words of a statement; "I like them now??" is news."""
    is_question = len(question.split()) <= MAX_DECLARATIVE_WORDS and not question.endswith("??")
    return _PATTERNS["declarative"].match(question) if is_question else None
