"""Decide whether the user's words support what a model made of them.

A text is supported if each of its significant words, numbers and names occurs in the user's sentence or is a synonym of
what does, with the same negation, certainty, time and subject. Whatever cannot be verified is not supported; the
user's own sentence then takes its place, so a strict decision loses nothing.
"""

import re
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from agent.language.dates.resolution import strip_dates, unsupported_dates
from agent.language.dates.words import plain_hours
from agent.language.grounding.checks import Word, stem, stems, words
from agent.language.grounding.order import has_same_order
from agent.language.grounding.subjects import is_of_second_subject, is_predicate_of_other, names_other_gender
from agent.language.parsing.function_words import language_of
from agent.language.parsing.segments import split_segments
from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns

_PATTERNS = load_patterns("grounding/support.toml")
_RELATIONS = [
    (pattern, _PATTERNS[f"cue_{name[5:]}"]) for name, pattern in _PATTERNS.items() if name.startswith("word_")
]
MAX_ANSWER_WORDS = 8  # a longer message states by itself what it is about


@dataclass(frozen=True)
class Evidence:
    """What the user said."""

    sentence: str
    """The user's sentence."""
    message: str = ""
    """The user's own words in the whole message, which may name what the sentence is about."""
    answered: str = ""
    """The assistant's message before it."""
    earlier: Sequence[str] = ()
    """The user's earlier messages and known memories; only names and relatives are taken from them."""
    today: date = field(default_factory=lambda: date(1, 1, 1).replace(year=2000))
    """The day of the message, where the user is."""

    @cached_property
    def is_affirmation(self) -> bool:
        """Whether the sentence only says yes to the question before it."""
        return _PATTERNS["affirmation"].fullmatch(self.sentence) is not None and bool(self.question)

    @cached_property
    def question(self) -> str:
        """The question that the sentence answers; empty if it is not a short answer."""
        plain = plain_punctuation(self.answered).rstrip()
        if not plain.endswith(("?", "\uff1f", "\u061f")) or len(words(self.sentence)) > MAX_ANSWER_WORDS:
            return ""
        return re.split(r"[.!\n\u3002\uff01]\s*", plain)[-1]

    @cached_property
    def text(self) -> str:
        """The sentence with the question that it answers."""
        if self.is_affirmation:
            return plain_hours(self.question)
        return plain_hours(f"{self.question} {self.sentence}" if self.question else self.sentence)

    @cached_property
    def segments(self) -> list[tuple[Set[str], bool]]:
        """The stems of each clause, and whether it is negated."""
        return list(_segments(self.text))

    @cached_property
    def stems(self) -> Set[str]:
        """The stems of the sentence."""
        return stems(self.text)

    @cached_property
    def named_earlier(self) -> Set[str]:
        """The stems of names and relatives that the message and earlier ones mention."""
        texts = (self.message, *self.earlier)
        relatives = {stem(match) for text in texts for match in _PATTERNS["other_person"].findall(text)}
        return relatives | {word.stem for text in texts for word in words(text) if word.is_name}


def supports(evidence: Evidence, text: str, *, is_instruction: bool = False) -> bool:
    """Check whether the user's sentence supports a text about the user.

    Args:
        evidence: what the user said.
        text: a sentence about the user, without a subject or about "User".
        is_instruction: whether the text says how the user wants to be helped.
    """
    messages = [evidence.message or evidence.sentence, evidence.text]
    if unsupported_dates(text, messages, evidence.today) or _names_excluded(evidence.text, text):
        return False
    undated = strip_dates(text)
    plain = plain_hours(undated)
    neutral = [_PATTERNS["neutral"], *([_PATTERNS["instruction"]] if is_instruction else ())]
    significant = _significant(plain, neutral)
    shared = {word.stem for word in significant if word.stem in evidence.stems}
    if is_translation(text, evidence.sentence) or not _is_related(evidence, shared, is_dated=undated != text):
        return False
    return (
        _has_words(evidence, significant)
        and _has_relations(evidence, plain)
        and not _hides_end(evidence, plain)
        and not names_other_gender(evidence.text, plain)
        and _has_same_polarity(evidence, plain, shared)
        and (is_instruction or _has_same_certainty(evidence, plain, is_dated=undated != text))
        and (is_instruction or _has_same_subject(evidence, plain))
        and has_same_order(evidence.text, plain)
    )


def is_translation(text: str, sentence: str) -> bool:
    """Check whether a text is in another language than what the user said."""
    spoken = language_of(sentence)
    written = language_of(text) or ("en" if _PATTERNS["english"].search(text) else None)
    return None not in (spoken, written) and spoken != written


def supports_report(own: str, other: str, text: str, today: date) -> bool:
    """Check whether a message supports a sentence that reports on it ("User asked for recipes").

    Args:
        own: the user's own words.
        other: the assistant's answer, which an episode may mention.
        text: the sentence.
        today: the day of the message.
    """
    if unsupported_dates(text, [own, other], today):
        return False
    significant = _significant(plain_punctuation(strip_dates(text)), [_PATTERNS["neutral"], _PATTERNS["report"]])
    own_stems, all_stems = stems(own), stems(f"{own}\n{other}")
    return (
        any(word.stem in own_stems for word in significant)
        and all(word.stem in all_stems or _is_relation(word, own) for word in significant)
        and (bool(other) or _has_same_polarity(Evidence(own), text, {word.stem for word in significant}))
    )


def _content_stems(text: str) -> set[str]:
    """The stems of the words of a text that state something, some of them only in some places ("every year")."""
    found = {word.stem for word in words(text) if word.is_content and not _PATTERNS["neutral"].fullmatch(word.text)}
    return found | {stem(match[0].split()[-1]) for match in _PATTERNS["stating"].finditer(text)}


def uncovered_stems(statement: str, covering: str) -> set[str]:
    """The stems of a statement that neither occur in other texts nor are expressed there in another way."""
    plain, kept = plain_punctuation(statement), words(covering)
    for pattern, cue in _RELATIONS:
        if any(pattern.fullmatch(word.text) for word in kept):
            plain = cue.sub(" ", plain)
    plain = " ".join(word.text for word in words(plain) if not _PATTERNS["filler"].fullmatch(word.text))
    return _content_stems(plain) - {word.stem for word in kept}


def overlap(text: str, own: str) -> int:
    """The number of significant words that a text shares with the user's own words."""
    known = stems(own)
    return len({word.stem for word in _significant(text, [_PATTERNS["neutral"], _PATTERNS["report"]])} & known)


def is_about_user(sentence: str) -> bool:
    """Check whether a sentence mentions its speaker."""
    return _PATTERNS["first_person"].search(plain_punctuation(sentence)) is not None


def mentioned_persons(sentence: str) -> frozenset[str]:
    """The stems of nouns for other people and animals in a sentence; pronouns do not count."""
    found = _PATTERNS["other_person"].findall(sentence)
    return frozenset(stem(each) for each in found if not _PATTERNS["pronoun"].fullmatch(each))


def is_about_assistant(sentence: str) -> bool:
    """Check whether a sentence is about "you" and not about its speaker."""
    return _PATTERNS["second_person"].match(sentence) is not None and not is_about_user(sentence)


def _names_excluded(spoken: str, text: str) -> bool:
    """Check whether a text has the value that a contrast excludes ("in June, not July")."""
    values = [value for match in _PATTERNS["excluded"].finditer(spoken) for value in match.groups() if value]
    return any(stem(value) in stems(text) for value in values) and not _PATTERNS["negation"].search(text)


def _is_related(evidence: Evidence, shared: Set[str], *, is_dated: bool) -> bool:
    """Check that a text has something from the sentence itself, rather than from the question before it."""
    return evidence.is_affirmation or is_dated or bool(shared & stems(evidence.sentence))


def _significant(text: str, neutral: Sequence[re.Pattern[str]]) -> list[Word]:
    """The words of a text that must be supported."""
    kept = []
    for word in words(text):
        if any(pattern.fullmatch(word.text) for pattern in neutral):
            continue
        if word.is_content or _PATTERNS["quantifier"].fullmatch(word.text):
            kept.append(word)
    return [word for word in kept if not _PATTERNS["negation"].fullmatch(word.text)]


def _has_words(evidence: Evidence, significant: Collection[Word]) -> bool:
    known = evidence.stems | evidence.named_earlier
    return all(word.stem in known or _is_relation(word, evidence.text) for word in significant)


def _is_relation(word: Word, text: str) -> bool:
    """Check whether a word states a relation that the text expresses in another way ("works" for "I'm a")."""
    return any(pattern.fullmatch(word.text) and cue.search(text) for pattern, cue in _RELATIONS)


def _has_relations(evidence: Evidence, text: str) -> bool:
    """Check that relations between the user and a thing are the user's ("owns a yacht" for "saw a yacht")."""
    stated = {word.text for word in words(text)}
    for pattern, cue in _RELATIONS:
        new = (word for word in stated if stem(word) not in evidence.stems)
        if any(map(pattern.fullmatch, new)) and not cue.search(evidence.text):
            return False
    departure = _PATTERNS["departure"].search(evidence.text)
    return not departure or stem(departure["place"]) not in stems(text) or bool(_PATTERNS["departure"].search(text))


def _hides_end(evidence: Evidence, text: str) -> bool:
    """Check whether a text lacks the word that says that something ended or never was ("outgrew", "ruled out")."""
    if any(_PATTERNS[name].search(text) for name in ("past", "ended", "negation")):
        return False
    ends = filter(None, map(_PATTERNS["ended"].search, _related_segments(evidence.sentence, text)))
    return any(stems(end[0]).isdisjoint(stems(text)) for end in ends)


def _related_segments(spoken: str, text: str) -> list[str]:
    """The clauses of a sentence that share words with a text; the whole sentence if none does."""
    stated = _content_stems(text)
    return [segment for segment in split_segments(spoken) if _content_stems(segment) & stated] or [spoken]


def _has_same_polarity(evidence: Evidence, text: str, shared: Set[str]) -> bool:
    for text_stems, is_negated in _segments(text):
        found = [negated for each, negated in evidence.segments if each & text_stems & shared]
        best = max((len(each & text_stems & shared) for each, _ in evidence.segments), default=0)
        closest = [negated for each, negated in evidence.segments if len(each & text_stems & shared) == best]
        if found and not all(negated == is_negated for negated in closest):
            return False
    return True


def _has_same_certainty(evidence: Evidence, plain: str, *, is_dated: bool) -> bool:
    spoken = " , ".join(_related_segments(evidence.text, plain))
    is_uncertain = _PATTERNS["hedge"].search(spoken) or _PATTERNS["condition"].search(_without_answer(evidence))
    if is_uncertain and not _PATTERNS["hedge"].search(plain):
        return False
    is_later = any(_PATTERNS[name].search(plain) for name in ("future", "hedge"))
    if _PATTERNS["future"].search(spoken) and not (is_dated or is_later):
        return False
    return not _PATTERNS["past"].search(spoken) or _PATTERNS["past"].search(plain) is not None


def _without_answer(evidence: Evidence) -> str:
    return plain_punctuation(evidence.text if evidence.is_affirmation else evidence.sentence)


def _has_same_subject(evidence: Evidence, text: str) -> bool:
    """Check that a statement about another person is not read as one about the user."""
    text = _PATTERNS["user_subject"].sub("", text)
    others = list(_PATTERNS["other_person"].finditer(evidence.text))
    names = evidence.named_earlier | {word.stem for word in words(f". . {evidence.text}") if word.is_name}
    first = next(iter(words(text)), None)
    spoken = next((word.stem for word in words(evidence.text) if word.is_content), "")
    if not others and first and first.stem == spoken and not _is_relation(first, text):
        return True  # the text names the subject of the sentence, or neither has one
    starts_with_name = text[:1].isupper() and any(word.is_content and word.stem in names for word in words(text)[:1])
    mentions_other = starts_with_name or _PATTERNS["other_person"].search(text) is not None
    is_of_other = is_predicate_of_other(evidence.text, text) or is_of_second_subject(evidence.text, text, others)
    if is_of_other and not evidence.question:
        return False
    if others and not _is_companion(evidence.text, text, others):
        return mentions_other
    return mentions_other or bool(evidence.question) or _has_user_as_subject(evidence.text, text)


def _has_user_as_subject(spoken: str, text: str) -> bool:
    """Check that a sentence is about its speaker, also by its verb ("firmo la hipoteca" for "Firma la hipoteca")."""
    first = next((word.text for word in words(text)), "")
    is_inflected = first.endswith(("a", "e")) and f"{first[:-1]}o" in {word.text for word in words(spoken)}
    return is_inflected or is_about_user(spoken) or _PATTERNS["dropped_subject"].match(spoken) is not None


def _is_companion(spoken: str, text: str, others: Sequence[re.Match[str]]) -> bool:
    """Check that a statement about the user only mentions other persons, and the text does not describe them."""
    if not _PATTERNS["own_subject"].match(spoken) or _PATTERNS["about_other"].search(spoken, others[0].end()):
        return False
    descriptions = (
        _PATTERNS["dependent"].search(spoken[max(0, other.start() - 60) : other.start()]) for other in others
    )
    return not any(stems(one["modifiers"]) & stems(text) for one in descriptions if one)


def _segments(text: str) -> Iterator[tuple[Set[str], bool]]:
    for segment in split_segments(text):
        yield stems(segment), len(_PATTERNS["negation"].findall(segment)) % 2 == 1
