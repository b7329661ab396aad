"""Make a sentence of the user understandable outside its conversation: the question it answers, and its dates."""

import re
from datetime import date

from agent.language.dates.notes import date_note, split_date_note
from agent.language.grounding.checks import find_quote, rejection_reason, words
from agent.language.grounding.support import is_about_user
from agent.language.parsing.sentences import (
    QUESTION_MARKS,
    is_small_talk,
    plain_punctuation,
    sentences,
    strip_lead_words,
)
from agent.language.pattern_files import load_patterns

MAX_QUESTION_CHARS = 120
MAX_FRAGMENT_WORDS = 10
_UNSPACED_CHARS_PER_WORD = 2
_ASKED = re.compile(r"\(asked: [^\n]{1,160}?[?\uff1f\u061f]\) ")
_PATTERNS = load_patterns("grounding/clarification.toml")
_MARKUP = re.compile(r"[*_`#>|]+")
_OFFER = re.compile(r"\b(?:help|assist|anything else|helfen|ayudar\w*|aider|aiutar\w*|ajudar)\b|帮", re.IGNORECASE)


def clarify(sentence: str, *, message: str, answered: str, today: date, meant: str = "") -> str:
    """Add to a sentence of the user the question that it answers, and the dates that its relative dates mean.

    Args:
        sentence: the user's own words.
        message: their whole message.
        answered: the assistant's message before it, or empty.
        today: the day of the message, where the user was.
        meant: what a model understood, which may name one of the possible dates.
    """
    question = _question_before(answered) if _is_fragment(sentence, message) else ""
    if question and _evades(question, sentence):
        question = ""
    lead = f"(asked: {question}) " if question else ""
    text = f"{lead}{sentence}{date_note(sentence, today, spoken=message, meant=meant)}"
    return sentence if rejection_reason(text) else text


def split_clarification(text: str) -> tuple[str, str, str]:
    """Split a text into the question, which may be empty, the user's own words, and the note with dates, if any."""
    asked = _ASKED.match(text)
    lead = asked[0] if asked else ""
    return lead, *split_date_note(text[len(lead) :])


def _is_fragment(sentence: str, message: str) -> bool:
    """Check whether a message begins with a few words that only an answer can consist of."""
    start, stop = next(iter(sentences(sentence)))
    first = sentence[start:stop].strip()
    is_short = sum(_size(word.text) for word in words(first)) <= MAX_FRAGMENT_WORDS
    if not is_short or is_about_user(first) or first.endswith(QUESTION_MARKS):
        return False
    span = find_quote(first, message)
    if span is None:
        return False
    before = message[: span[0]]
    is_first = not any(map(str.isalnum, before)) or is_small_talk(before)
    return is_first or strip_lead_words(message, (0, len(message)))[0] >= span[0]


def _evades(question: str, sentence: str) -> bool:
    """Check whether a clause after a question for yes or no is about something else: its subject is no answer."""
    is_open = _PATTERNS["open"].search(question) or _PATTERNS["yes_no"].match(sentence)
    return not is_open and _PATTERNS["other_subject"].search(sentence) is not None


def _size(word: str) -> float:
    return 1 / _UNSPACED_CHARS_PER_WORD if word >= "\u3040" else 1


def _question_before(answered: str) -> str:
    """The question at the end of the assistant's message as one line, with the end of a long one; may be empty."""
    plain = " ".join(_MARKUP.sub("", plain_punctuation(answered)).split())
    *_, last = [plain[slice(*span)].strip() for span in sentences(plain) if plain[slice(*span)].strip()] or [""]
    if not last.endswith(QUESTION_MARKS) or _OFFER.search(last) or rejection_reason(answered):
        return ""
    if len(last) <= MAX_QUESTION_CHARS:
        return last
    tail = last[-MAX_QUESTION_CHARS + 2 :]
    return f"\u2026 {tail.partition(' ')[2] or tail}"
