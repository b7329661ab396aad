"""Read what a message says about an earlier one that it does not name ("Sorry, Thursday", "She snores")."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from agent.language.facts.addressed import is_standing_instruction
from agent.language.grounding.checks import significant_stems
from agent.language.parsing.openers import Evidence, read_opener
from agent.language.parsing.sentences import (
    contains_request,
    is_first_person,
    is_small_talk,
    plain_punctuation,
    sentences,
)
from agent.language.pattern_files import load_patterns
from agent.language.revision.fragments import contrasts
from agent.language.words import frames
from agent.language.words.quantities import quantities_by_kind, quantity_kind
from agent.language.words.spelling import respells_name
from agent.language.words.values import are_comparable, differing, gives_other_value, has_value, quantities

MAX_FRAGMENT_WORDS = 4
MAX_CONTENT_WORDS = 1  # beside a value
MAX_CONTINUATION_CHARS = 120
MAX_BRIEF_CHARS = 80
MAX_VALUE_CHARS = 20
MAX_UNSPACED_VALUE_CHARS = 4
MIN_REPEATED_WORDS, MIN_REPEATED_SHARE = 3, 0.6  # of a statement, in its denial

_PATTERNS = load_patterns("references/references.toml")
_TRIMMED = " *-,.:;!()"


def asks(text: str) -> bool:
    """Check whether a message asks for something, in any of its sentences."""
    is_asked = contains_request(text) or _PATTERNS["asks"].search(text) is not None
    return is_asked or any(is_standing_instruction(text[start:stop]) for start, stop in sentences(text))


@dataclass(frozen=True)
class Reference:
    """A message as a reference to what its author said before."""

    text: str

    @cached_property
    def plain(self) -> str:
        """The message with plain punctuation."""
        return plain_punctuation(self.text)

    @cached_property
    def clauses_by_sentence(self) -> list[list[str]]:
        """The clauses of each sentence without its opener; the first may contain an interjection only."""
        return list(_sentences(self.plain))

    @cached_property
    def clauses(self) -> list[str]:
        """The clauses of all sentences."""
        return [clause for sentence in self.clauses_by_sentence for clause in sentence]

    @property
    def may_refer(self) -> bool:
        """Whether it is worth comparing with earlier messages."""
        if not self.clauses or (self.is_addition and not _PATTERNS["corrects"].match(self.plain.strip())):
            return False
        is_related = self.depends or self.updates or self.denies_last or self.reports_change
        return bool(self._quantities) or (is_related and not self.is_request)

    @property
    def has_interjection(self) -> bool:
        """Whether its first word says nothing, or announces what follows."""
        return _PATTERNS["interjection"].match(self.plain) is not None

    @property
    def is_reaction(self) -> bool:
        """Whether it only reacts to the assistant's answer."""
        return _PATTERNS["reacts"].match(self.plain.strip()) is not None

    @property
    def is_addition(self) -> bool:
        """Whether it says that it adds something."""
        return _PATTERNS["adds"].match(self.plain.strip()) is not None

    @cached_property
    def is_value(self) -> bool:
        """Whether it begins with a number, a day or a time, or with words that introduce one."""
        return bool(quantities_by_kind(self.clauses[0])) and len(self.clauses[0].split()) <= MAX_FRAGMENT_WORDS

    @cached_property
    def is_request(self) -> bool:
        """Whether it begins with a question or a request."""
        return contains_request(", ".join(self.clauses_by_sentence[0]))

    @cached_property
    def corrects(self) -> bool:
        """Whether it says that it corrects something."""
        plain = self.plain.strip()
        is_marked = plain.startswith("*") != plain.endswith("*")  # "*Katherine"
        if is_marked or self.ends or _PATTERNS["corrects"].search(plain):
            return True
        return Evidence.CORRECTION in {self._opener, frames.evidence_in(plain)}

    @cached_property
    def excluded(self) -> tuple[str, ...]:
        """The values that it names as wrong ("Burley, not Otley")."""
        return tuple(contrast.wrong for contrast in contrasts(self.text))

    @cached_property
    def updates(self) -> bool:
        """Whether it corrects something, or says that something has changed."""
        is_update = self._opener is Evidence.UPDATE or _PATTERNS["updates"].search(self.plain) is not None
        return self.corrects or is_update

    @cached_property
    def denies_last(self) -> bool:
        """Whether it begins by denying what was said, and goes on ("nope, burgundy"), or admits that it was untrue."""
        plain = self.plain.strip()
        denial = _PATTERNS["denies_last"].match(plain)
        rest = plain[denial.end() :].lstrip() if denial else ""  # "no, my dad has a rod" is an answer
        is_denied = denial and len(self.text) <= MAX_CONTINUATION_CHARS and not names_subject(rest)
        return bool(is_denied) or _PATTERNS["admits"].search(self.plain) is not None

    @cached_property
    def reports_change(self) -> bool:
        """Whether it says that others, or circumstances, have changed something ("Coach moved it")."""
        if len(self.text) > MAX_CONTINUATION_CHARS:
            return False
        if _PATTERNS["replaces"].search(self.plain.strip()):
            return True
        if names_subject(self.clauses[0]):
            return False
        return any(_PATTERNS["changes"].search(one) for one in self.clauses if not _is_about_author(one))

    @cached_property
    def ends(self) -> bool:
        """Whether it says that what was planned does not happen."""
        return _PATTERNS["ends"].search(self.plain) is not None

    def ends_another(self, statement: str) -> bool:
        """Check whether it names what does not happen, and a statement does not ("Tenerife is cancelled")."""
        ending = (clause for clause in self.clauses if _PATTERNS["ends"].search(clause))
        named = {one for clause in ending for one in significant_stems(_PATTERNS["ends"].sub(" ", clause))}
        return bool(named) and named.isdisjoint(significant_stems(statement))

    @cached_property
    def depends(self) -> bool:
        """Whether it is not understood by itself: it begins with a fragment, or its subject is a pronoun."""
        first = self.clauses[0]
        is_fragment = len(first.split()) <= MAX_FRAGMENT_WORDS and not _is_about_author(first)
        before_subject = takewhile(lambda clause: not _introduces(clause), self.clauses)
        is_marked = any(map(_PATTERNS["marks"].match, self.clauses))  # "..., I meant Hibs"
        return is_fragment or is_marked or any(map(_PATTERNS["refers"].match, before_subject))

    @property
    def continues(self) -> bool:
        """Whether it says more about what was said before, briefly or after a word ("Porto. I mixed that up")."""
        first = self.clauses[0]
        is_unspaced = frames.is_unspaced(first)
        if len(self.text) > MAX_CONTINUATION_CHARS or self.has_interjection or self.is_reaction:
            return False
        is_value = len(first) <= MAX_UNSPACED_VALUE_CHARS if is_unspaced else first.count(" ") <= 1
        goes_on = len(self.clauses) > 1 and not _is_about_author(first)
        if is_value and goes_on:  # "Porto. I mixed that up", but not "Continue."
            return True
        if _PATTERNS["details"].match(first):
            return True
        return not any(map(_is_about_author, self.clauses)) and _PATTERNS["refers"].match(first) is not None

    def replaces_value(self, statement: str) -> bool:
        """Check whether it only names a value, or says that it is one, in place of another one in a statement."""
        values = self._other_values(statement)
        if values and self.repeats_value(statement):
            return True
        if any(map(_is_about_author, self.clauses[:1])) or self._is_choice or _PATTERNS["has_author"].match(self.plain):
            return False
        first = self.plain[: self.plain.find(self.clauses[0]) + MAX_VALUE_CHARS]  # clauses do not contain "14:17"
        is_brief = len(self.text) <= MAX_BRIEF_CHARS
        starts = [one[0] for one in self.clauses_by_sentence] if is_brief else self.clauses[:1]
        if _PATTERNS["refers"].match(starts[0]) or starts[0].count(" ") <= 1:
            starts += self.clauses[1:2]
        dependent = takewhile(lambda clause: not _is_about_author(clause), starts)
        return any(_begins_with(part, values, statement) for part in (first, *dependent))

    @property
    def _is_choice(self) -> bool:
        """Whether it is only a digit, which chooses from a list."""
        return len(self.plain.strip(_TRIMMED)) == 1

    def repeats_value(self, statement: str) -> bool:
        """Check whether it has a value of a statement, or the word before one, and another ("floor 4, not floor 3")."""
        if len(self.text) > MAX_BRIEF_CHARS or names_subject(self.clauses[0]) or asks(self.text):
            return False
        known, [noun, *rest] = frames.value_tokens(statement), frames.value_tokens(self.clauses[0]) or ("",)
        is_same_thing = noun in known and frames.is_content(noun) and any(map(quantity_kind, rest[:1]))
        return is_same_thing or any(value in known for values in self._quantities.values() for value in values)

    def reports_value(self, statement: str) -> bool:
        """Check whether it reports a value that differs from one in a statement ("just got reassigned, 304")."""
        is_report = len(self.text) <= MAX_CONTINUATION_CHARS and _PATTERNS["reports"].search(self.plain)
        if not is_report or _is_about_author(self.clauses[0]):
            return False
        if self.shares_word(statement):
            return bool(differing(quantities_by_kind(self.text), quantities_by_kind(statement)))
        parts = (part for clause in self.clauses for part in _PATTERNS["reports"].split(clause))
        return any(gives_other_value(part, statement) for part in parts)

    def has_other_value(self, statement: str) -> bool:
        """Check whether a statement has a quantity of the same kind, with another value."""
        return bool(self._other_values(statement))

    def excludes(self, statement: str) -> bool:
        """Check whether a statement has a value that the message names as wrong."""
        return any(has_value(statement, value) for value in self.excluded)

    def denies(self, statement: str) -> bool:
        """Check whether it begins with a denial and repeats most of a statement ("no, the nanny picks them up")."""
        stems = significant_stems(statement)
        shared = len(stems & self._stems)
        is_similar = shared >= MIN_REPEATED_WORDS and shared >= MIN_REPEATED_SHARE * len(stems)
        return is_similar and _PATTERNS["denies"].match(self.plain.strip()) is not None

    def shares_word(self, statement: str) -> bool:
        """Check whether a statement has a significant word of the message."""
        return not self._stems.isdisjoint(significant_stems(statement))

    def relevance(self, statement: str) -> int:
        """How likely the message corrects a statement: the words in common, and the values that it replaces."""
        checks = (self.excludes, self.denies, self.has_other_value)
        return len(self._stems & significant_stems(statement)) + sum(check(statement) for check in checks)

    def respells(self, statements: Sequence[str]) -> bool:
        """Check whether it only names something as a statement does, but for a few letters."""
        if len(self.text) > MAX_BRIEF_CHARS or not self.depends:
            return False
        return any(respells_name(self.text, one) for one in statements)

    @cached_property
    def _opener(self) -> Evidence:
        return max(read_opener(self.plain, start, stop)[1] for start, stop in sentences(self.plain))

    @cached_property
    def _quantities(self) -> Mapping[str, Set[str]]:
        return quantities(self.text)

    @cached_property
    def _stems(self) -> Set[str]:
        return significant_stems(self.text)

    def _other_values(self, statement: str) -> set[str]:
        if not are_comparable(self.plain, statement):
            return set()
        return differing(self._quantities, quantities(statement))


def _sentences(plain: str) -> Iterator[list[str]]:
    """The clauses of each sentence without its opener."""
    for start, stop in sentences(plain):
        end, _ = read_opener(plain, start, stop)
        stripped = (clause.strip(_TRIMMED) for clause in frames.clauses(plain[end:stop]))
        if clauses := [clause for clause in stripped if clause and not is_small_talk(clause)]:
            yield clauses


def _begins_with(text: str, values: Set[str], statement: str) -> bool:
    """Check whether a text is one of the values with few other words, or consists of values.

    Before the value may be a predicate, but not a subject of its own ("Mein Sohn ist 9") that the statement has not.
    """
    text = text.strip(_TRIMMED)
    if predicate := _PATTERNS["predicate"].match(text):
        subject = _PATTERNS["pronominal"].sub("", predicate[0]) if predicate["subject"] else ""
        if (stems := significant_stems(subject)) and stems.isdisjoint(significant_stems(statement)):
            return False
        text = text[predicate.end() :]
    tokens = [token.removesuffix("s") if token not in values else token for token in frames.value_tokens(text)]
    if tokens and tokens[0] in values and _PATTERNS["qualifies"].match(text.casefold().removeprefix(tokens[0])):
        return True
    is_value = frames.is_unspaced(tokens[1:]) or sum(map(frames.is_content, tokens)) <= MAX_CONTENT_WORDS
    named = quantities_by_kind(text)
    are_values = bool(named) and all(any(token in ones for ones in named.values()) for token in tokens)
    return bool(tokens) and is_value and (tokens[0] in values or (are_values and not values.isdisjoint(tokens)))


def names_subject(clause: str) -> bool:
    """Check whether a clause begins with the user, or with what belongs to the user."""
    return _is_about_author(clause) or _introduces(clause)


def _introduces(clause: str) -> bool:
    return _PATTERNS["introduces"].match(clause) is not None


def _is_about_author(clause: str) -> bool:
    return frames.has_own_subject(clause) or is_first_person(clause)
