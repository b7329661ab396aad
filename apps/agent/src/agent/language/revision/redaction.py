"""Redaction: remove the parts of a text that state something outdated or forgotten, and keep the others.

A part is what stands between two commas or conjunctions of a sentence. Texts are compared by the stems of their
content words; where words are not separated by spaces, by pairs of characters.
"""

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Self

from agent.language.facts.standing import SAFETY_TOPICS, standing_topic
from agent.language.grounding.checks import is_quoted, normalise
from agent.language.grounding.clarification import split_clarification
from agent.language.parsing.sentences import Span, plain_punctuation, sentences
from agent.language.pattern_files import load_patterns
from agent.language.revision.frames import is_independent

STEM_CHARS = 4  # "lives" and "living" have the same stem
MIN_DIVISIBLE_WORDS = 3  # each of two words may be a value of its own
MIN_KEPT_END = 12  # characters
MIN_WORD_CHARS = 3  # of lower-case ASCII words
MIN_QUOTE_WORDS, MIN_TEXT_WORDS = 3, 2
"""Shorter statements are found in the sentences of their own message only."""

_PATTERNS = load_patterns("revision/redaction.toml")
_SEPARATOR, _FUNCTION_WORD = _PATTERNS["separators"], _PATTERNS["function_words"]
_FUNCTION_STRING = _PATTERNS["function_strings"]
_WIDE_END_MARKS = "\u3002\uff01\uff1f"
_END_MARKS = ".!?\u2026" + _WIDE_END_MARKS
_UNSPACED = r"[\u3040-\u30ff\u3400-\u9fff]"
_WORD = re.compile(rf"{_UNSPACED}+|(?:(?!{_UNSPACED})[^\W_])+")
MAX_START_CHARS = 8  # between the end of a sentence and its successor's first word
_SENTENCE_START = re.compile(r"(?:^|[.!?])[\s\"'(]*$")
_SUBJECT = "User"  # with which the sentences of models begin


@dataclass(frozen=True, slots=True)
class Stems:
    """The stems of the content words of a text."""

    words: frozenset[str]
    names: frozenset[str]
    """Those of names and numbers, which `words` contains, too."""

    @classmethod
    def of(cls, *texts: str) -> Self:
        """The stems of all the texts."""
        found = [stem for text in texts for stem in _stems(text)]
        return cls(frozenset(stem for stem, _ in found), frozenset(stem for stem, is_name in found if is_name))


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
            quoted = Stems.of(*self.quotes).words
            return remove_parts(text, lambda part: self._is_quoted(part) or Stems.of(part).words <= quoted)
        return remove_parts(text, lambda part: self._states(part, is_verbatim=is_verbatim, from_same=from_same))

    def redact_statement(self, text: str) -> str:
        """The statement itself without its outdated parts; empty if nothing else is stated."""
        return remove_parts(text, lambda part: self._contains_value(Stems.of(part).words))

    def redact_quote(self, quote: str) -> str:
        """The quote of another statement from the same message without the user's words for this one."""
        return remove_parts(quote, self._is_quoted)

    def is_of_part(self, statement: str) -> bool:
        """Check whether only a part of a statement is outdated."""
        return normalise(statement) not in self.wholes

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


def remove_parts(text: str, is_removed: Callable[[str], bool]) -> str:
    """The text without some of its parts; empty if the others say nothing.

    The question that the text answers remains, and the note with its dates if its end remains.
    """
    asked, text, note = split_clarification(text)
    rest = _remove_parts(text, is_removed)
    is_end_kept = rest[-MIN_KEPT_END:] == text[-MIN_KEPT_END:]
    return f"{asked}{rest}{note if is_end_kept else ''}" if rest else ""


def _remove_parts(text: str, is_removed: Callable[[str], bool]) -> str:
    plain = plain_punctuation(text)
    kept: list[str] = []
    is_changed = False
    for start, stop in sentences(plain):
        spans = list(_parts(plain, (start, stop)))
        keep = [not is_removed(text[slice(*span)]) for span in spans]
        sentence = text[start:stop]
        if all(keep):
            kept.append(sentence)
            continue
        is_changed = True
        lead = sentence[: -len(sentence.lstrip())]
        kept += [f"{lead}{_ended(rest, text, (start, stop))}" for rest in [_join(text, spans, keep)] if rest]
    if not is_changed:
        return text
    return "".join(kept).strip() if Stems.of(*kept).words else ""


def _ended(rest: str, text: str, sentence: Span) -> str:
    """The rest of a sentence, with the mark and the space that separate it from the next one."""
    start, stop = sentence
    whole, following = text[start:stop].rstrip(), text[stop:]
    if not following.strip():
        return rest
    mark = whole[-1] if whole[-1] in _END_MARKS and rest[-1] not in _END_MARKS else ""
    ended = f"{rest}{mark}"
    is_joined = following[0].isspace() or ended[-1] in _WIDE_END_MARKS
    return f"{ended}{text[start + len(whole) : stop] or ('' if is_joined else ' ')}"


def _parts(text: str, sentence: Span) -> Iterator[Span]:
    """Yield the parts of a sentence; the last one ends with its punctuation."""
    start, stop = sentence
    for separator in _SEPARATOR.finditer(text, *sentence):
        if separator.start() > start:
            yield start, separator.start()
            start = separator.end()
    if text[start:stop].strip():
        yield start, stop


def split_parts(text: str) -> list[str]:
    """The parts of the sentences of a text, verbatim."""
    plain = plain_punctuation(text)
    return [text[slice(*span)] for sentence in sentences(plain) for span in _parts(plain, sentence)]


def _join(text: str, spans: Sequence[Span], keep: Sequence[bool]) -> str:
    """Join the parts that are kept. Parts next to each other remain verbatim."""
    runs: list[Span] = []
    for span, is_kept, follows in zip(spans, keep, (False, *keep), strict=False):
        if is_kept and follows:
            runs[-1] = runs[-1][0], span[1]
        elif is_kept:
            runs.append(span)
    runs = [run for run in runs if Stems.of(text[slice(*run)]).words]
    comma = "\uff0c" if "\uff0c" in text or "\u3001" in text else ", "
    rest = comma.join(text[slice(*run)].strip() for run in runs)
    if not rest or keep[0]:
        return rest
    first, whole = text[slice(*spans[0])].strip(), text[spans[0][0] : spans[-1][1]].strip()
    lead = without_last_word(first)
    if shared := shared_start(first, rest):
        return f"{shared} {rest}"
    # "Is allergic to peanuts and shellfish" without the peanuts is not "shellfish".
    if {standing_topic(whole), standing_topic(f"{lead} {rest}")} <= SAFETY_TOPICS and standing_topic(rest) is None:
        return f"{lead} {rest}"
    return f"{_SUBJECT}: {rest}" if whole.startswith(_SUBJECT) and not rest.startswith(_SUBJECT) else rest


def shared_start(first: str, rest: str) -> str:
    """The words of a removed part that what follows it shares; empty if it stands by itself.

    "My mum is 81 and lives in Ulm" without the age is "My mum lives in Ulm", and "I take aspirin and metformin" without
    the aspirin is "I take metformin".
    """
    if subject := _PATTERNS["other_subject"].match(first):
        return subject[0] if _PATTERNS["predicate"].match(rest) else ""
    lead = _PATTERNS["list_start"].match(first)
    return lead[0] if lead and not is_independent(rest) else ""


def without_last_word(part: str) -> str:
    """The beginning of a part, before its last content word."""
    content = [match for match in _WORD.finditer(part) if Stems.of(match[0]).words]
    return part[: content[-1].start()].strip() if content else ""


def _own_parts(text: str, quotes: Sequence[str]) -> Iterator[str]:
    """Yield the parts of quotes that state the text, normalised; all of them if none shares a word with it."""
    words = Stems.of(text).words
    for quote in quotes:
        parts = split_parts(quote)
        related = [part for part in parts if words & Stems.of(part).words]
        yield from filter(None, (normalise(part).rstrip("!?,;") for part in related or parts))


def _wholes(texts: Sequence[str], quotes: Sequence[str]) -> frozenset[str]:
    long_texts = (normalise(text) for text in texts if _length(text) >= MIN_TEXT_WORDS)
    long_quotes = (normalise(quote) for quote in quotes if _length(quote) >= MIN_QUOTE_WORDS)
    return frozenset((*long_texts, *long_quotes))


def _length(text: str) -> int:
    """The number of words; of a text without spaces, of its characters."""
    unspaced = sum(len(run) for run in re.findall(rf"{_UNSPACED}+", text))
    return max(len(text.split()), unspaced)


def _stems(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the stems of the content words of a text, and whether each is a name or a number."""
    for match in _WORD.finditer(text):
        word, folded = match[0], match[0].casefold()
        if re.match(_UNSPACED, word):
            yield from ((pair, False) for pair in _pairs(word))
            continue
        is_first = _SENTENCE_START.search(text, max(0, match.start() - MAX_START_CHARS), match.start())
        is_name = word[0].isdigit() or (word[0].isupper() and not is_first)
        is_content = (is_name and len(word) > 1) or word[0].isdigit() or len(word) >= MIN_WORD_CHARS
        if is_content and not _FUNCTION_WORD.fullmatch(folded):
            yield folded if word[0].isdigit() else folded.removesuffix("s")[:STEM_CHARS], is_name


def _pairs(run: str) -> Iterator[str]:
    """Yield the pairs of characters between the function words of a run; a single character as it is."""
    for piece in filter(None, _FUNCTION_STRING.split(run)):
        yield from (piece[n : n + 2] for n in range(max(1, len(piece) - 1)))
