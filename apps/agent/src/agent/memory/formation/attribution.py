"""Attribute the sentences of an episode or of the profile to the one message that supports them."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.language.grounding.support import is_about_user, is_translation, overlap, supports, supports_report
from agent.memory.formation.item_words import ItemWords
from agent.memory.records.inbox import InboxItem


@dataclass(frozen=True, slots=True)
class AdmittedSentence:
    """A sentence of an episode or of the profile, and the message that it comes from."""

    text: str
    item: InboxItem
    quote: str = ""
    """The user's own words that the text consists of; empty if a model wrote it."""


def attribute_episode(text: str, messages: Sequence[ItemWords]) -> AdmittedSentence | None:
    """Find the message that an episode tells about; the user's own sentence replaces what says more.

    An episode may mention the assistant's answer, unless the turn read tool results. None if no message supports it.
    """
    ranked = _rank(text, messages)
    for words in ranked:
        if not (words.item.read_tools or words.framing.frame) and supports_report(
            words.text, words.item.answer, text, words.today
        ):
            return AdmittedSentence(text, words.item)
    return _own_sentence(text, ranked, about_user=False)


def attribute_profile(text: str, number: int, messages: Sequence[ItemWords]) -> AdmittedSentence | None:
    """Find the message that states a profile sentence; the user's own sentence replaces what says more.

    Args:
        text: the sentence.
        number: the number of the message that the model names, from 1; another one may support the sentence instead.
        messages: the messages of the batch.
    """
    ranked = _rank(text, messages)
    if 1 <= number <= len(messages):
        ranked.sort(key=lambda words: words is not messages[number - 1])
    for words in ranked:
        if not (words.item.read_tools or words.framing.cues) and supports(words.evidence(), text):
            return AdmittedSentence(text, words.item)
    return _own_sentence(text, ranked, about_user=True)


def _rank(text: str, messages: Sequence[ItemWords]) -> list[ItemWords]:
    """The messages by the number of words that they share with a text, then the latest first."""
    return sorted(messages, key=lambda words: (overlap(text, words.text), words.item.ts), reverse=True)


def _own_sentence(text: str, ranked: Sequence[ItemWords], *, about_user: bool) -> AdmittedSentence | None:
    for words in sorted(ranked, key=lambda words: overlap(text, words.text), reverse=True):
        sentence = words.closest_sentence(text, statements_only=about_user or words.item.read_tools)
        is_related = overlap(text, sentence) > 0 or is_translation(text, words.text)
        if sentence and is_related and (not about_user or is_about_user(sentence)):
            return AdmittedSentence(words.clarify(sentence, text), words.item, sentence)
    return None
