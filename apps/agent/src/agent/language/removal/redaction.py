"""Redaction: remove the parts of a text that state something outdated or forgotten, and keep the others.

A part is what stands between two commas or conjunctions of a sentence. Texts are compared by the stems of their
content words; where words are not separated by spaces, by pairs of characters.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import Self

from agent.language.dates.notes import split_date_note
from agent.language.grounding.checks import is_quoted, normalise
from agent.language.removal.phrases import contains_phrase, is_date, is_phrase, without_phrase
from agent.language.words.parts import remove_parts, split_parts
from agent.language.words.stems import Stems, word_count

MIN_DIVISIBLE_WORDS = 3  # each of two words may be a value of its own
MIN_QUOTE_WORDS, MIN_TEXT_WORDS = 3, 2
"""Shorter statements are found in the sentences of their own message only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """Decides which parts of texts state something outdated or forgotten."""

    messages: frozenset[str]
    """The source messages of the statement."""
    quotes: frozenset[str]
    """The user's own words for it, normalised; a verbatim text from one of its messages must not contain them."""
    wholes: frozenset[str]
    """Its complete wordings, normalised, which no text must contain."""
    value: frozenset[str]
    """The stems that a part must not contain together, or without much else."""
    needs_all: bool = False
    """True if only a part with all stems of the value states it."""
    names: frozenset[str] = frozenset()
    """The stems of which a verbatim part must contain none."""
    words: frozenset[str] = frozenset()
    """The stems of which a part that a model wrote must contain none."""
    is_exact: bool = False
    """True if a verbatim text with the quotes loses nothing else."""
    phrase: str = ""
    """The statement, if it begins with a preposition; it is cut from texts in which it follows a word."""

    @property
    def is_forgotten(self) -> bool:
        """True if the statement is forgotten, False if it is outdated."""
        return bool(self.words)

    @classmethod
    def outdated(cls, old: str, new: str, *, quotes: Sequence[str], messages: Set[str]) -> Self:
        """Remove what a newer statement makes untrue: the parts with the words that the new text does not have."""
        old = _outdated_part(old, new, quotes)
        value = outdated_value(old, new)
        parts = frozenset(_own_parts(old, quotes))
        with_value = frozenset(part for part in parts if value & Stems.of(part).words)
        return cls(
            messages=frozenset(messages),
            quotes=with_value or parts,
            wholes=_wholes([old], quotes),
            value=value or Stems.of(old).words,
            needs_all=not value,
        )

    @classmethod
    def exact(cls, statement: str, new: str, messages: Set[str]) -> Self:
        """Remove a statement that a newer text makes untrue, and nothing else from the texts that quote it.

        Args:
            statement: as it is in the texts.
            new: the newer text.
            messages: the sources of the statement.
        """
        redaction = cls.outdated(statement, new, quotes=[statement], messages=messages)
        quotes = redaction.quotes | {normalise(statement).rstrip(" .!")}
        return replace(redaction, quotes=quotes, is_exact=True, phrase=statement if is_phrase(statement) else "")

    @classmethod
    def forgotten(cls, texts: Sequence[str], *, quotes: Sequence[str], messages: Set[str]) -> Self:
        """Remove everything that came from the same words; if in doubt, a part is removed."""
        parts = [part for text in texts for part in (*_own_parts(text, quotes), *_own_parts(text, [text]))]
        stems = Stems.of(*texts, *parts)
        return cls(
            messages=frozenset(messages),
            quotes=frozenset(parts),
            wholes=_wholes(texts, quotes),
            value=Stems.of(*texts).words,
            needs_all=True,
            names=stems.names,
            words=stems.words,
        )

    def redact(self, text: str, messages: Set[str], *, is_verbatim: bool) -> str:
        """The text without the parts that state it; may be empty.

        Args:
            text: any text about the user.
            messages: those that the text comes from.
            is_verbatim: True if the user wrote the text.
        """
        from_same = bool(self.messages & messages)
        if not from_same and not any(is_quoted(whole, [text]) for whole in self.wholes):
            return text
        if self.is_exact and is_verbatim and from_same and any(is_quoted(one, [text]) for one in self.quotes):
            if normalise(text).rstrip(" .!") in self.quotes:
                return ""
            if contains_phrase(text, self.phrase):
                dated = split_date_note(text)[0] if is_date(self.phrase) else text
                return without_phrase(dated, self.phrase)
            return remove_parts(text, self._is_within_quotes)
        return remove_parts(text, lambda part: self._states(part, is_verbatim=is_verbatim, from_same=from_same))

    def redact_statement(self, text: str) -> str:
        """The statement itself without its outdated parts; empty if nothing else is stated."""
        if contains_phrase(text, self.phrase):
            return without_phrase(text, self.phrase)
        return remove_parts(text, lambda part: self._contains_value(Stems.of(part).words))

    def redact_quote(self, quote: str) -> str:
        """The quote of another statement from the same message without the user's words for this one."""
        if contains_phrase(quote, self.phrase):
            return without_phrase(quote, self.phrase)
        return remove_parts(quote, self._is_quoted)

    def is_about(self, text: str) -> bool:
        """Check whether a text from the same message shares a content word with the statement."""
        return bool(Stems.of(text).words & (self.words or self.value))

    def _states(self, part: str, *, is_verbatim: bool, from_same: bool) -> bool:
        if any(is_quoted(whole, [part]) for whole in self.wholes):
            return True
        if not from_same:
            return False
        stems = Stems.of(part).words
        if stems & (self.names if is_verbatim else self.words) or self._contains_value(stems):
            return True
        return is_verbatim and self._is_quoted(part)

    def _is_within_quotes(self, part: str) -> bool:
        words = Stems.of(part).words
        return self._is_quoted(part) or bool(words and words <= Stems.of(*self.quotes).words)

    def _is_quoted(self, part: str) -> bool:
        text = normalise(part)
        return any(is_quoted(quote, [text]) or is_quoted(text, [quote]) for quote in self.quotes)

    def _contains_value(self, stems: Set[str]) -> bool:
        shared = stems & self.value
        if not shared or shared == self.value:
            return bool(shared)
        is_half = len(self.value) >= MIN_DIVISIBLE_WORDS and 2 * len(shared) >= len(self.value)
        return not self.needs_all and (is_half or 2 * len(shared) >= len(stems))


def outdated_value(old: str, new: str) -> frozenset[str]:
    """The stems of an old text that a new one replaces: names by names, and words by words; may be empty."""
    before, after = Stems.of(old), Stems.of(new)
    names, words = before.names - after.words, before.words - before.names - after.words
    new_names, new_words = after.names - before.words, after.words - after.names - before.words
    replaced = (names if new_names else frozenset[str]()) | (words if new_words else frozenset[str]())
    return replaced or names or words


def _outdated_part(old: str, new: str, quotes: Sequence[str]) -> str:
    """The part of a statement that a new one replaces: the most similar one, or the one in the quotes."""
    after = Stems.of(new).words
    similar = [(len(stems & after), part) for part in split_parts(old) if (stems := Stems.of(part).words) - after]
    shared, part = max(similar, default=(0, old))
    if shared:
        return part
    quoted = [part for part in split_parts(old) if is_quoted(part.rstrip(" .!"), quotes)]
    return " ".join(quoted) or old


def _own_parts(text: str, quotes: Sequence[str]) -> Iterator[str]:
    """Yield the parts of quotes that state the text, normalised; all of them if none shares a word with it."""
    words = Stems.of(text).words
    for quote in quotes:
        parts = split_parts(quote)
        related = [part for part in parts if words & Stems.of(part).words]
        yield from filter(None, (normalise(part).rstrip("!?,;") for part in related or parts))


def _wholes(texts: Sequence[str], quotes: Sequence[str]) -> frozenset[str]:
    long_texts = (normalise(text) for text in texts if word_count(text) >= MIN_TEXT_WORDS)
    long_quotes = (normalise(quote) for quote in quotes if word_count(quote) >= MIN_QUOTE_WORDS)
    return frozenset((*long_texts, *long_quotes))
