"""Read what a message says about an earlier one that it does not name ("Sorry, Thursday", "She snores")."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from agent.language.facts.addressed import is_standing_instruction
from agent.language.grounding.checks import significant_stems
from agent.language.parsing.openers import Evidence, read_opener
from agent.language.parsing.sentences import contains_request, plain_punctuation, sentences
from agent.language.pattern_files import load_patterns
from agent.language.revision import frames

MAX_FRAGMENT_WORDS = 4
MIN_NAME_CHARS = 4
MIN_SIMILARITY = 0.7  # of two spellings of a name

_PATTERNS = load_patterns("revision/references.toml")
_TRIMMED = " *-,.:;!()"


def asks(text: str) -> bool:
    """Check whether a message asks for something, in any of its sentences."""
    is_asked = contains_request(text) or _PATTERNS["asks"].search(text) is not None
    return is_asked or any(is_standing_instruction(text[start:stop]) for start, stop in sentences(text))


def enters_role(text: str) -> bool:
    """Check whether a message begins a role play in which its author takes a role."""
    return _PATTERNS["enters_role"].search(plain_punctuation(text)) is not None


def leaves_role(text: str) -> bool:
    """Check whether the author of a message speaks as themselves again."""
    return _PATTERNS["leaves_role"].search(plain_punctuation(text)) is not None


@dataclass(frozen=True)
class Reference:
    """A message as a reference to what its author said before."""

    text: str

    @cached_property
    def clauses(self) -> list[str]:
        """Its clauses without openers; the first of them may contain an interjection only."""
        return [clause for sentence in self._sentences for clause in sentence]

    @property
    def may_refer(self) -> bool:
        """Whether it is worth comparing with earlier messages."""
        if not self.clauses or _PATTERNS["adds"].match(self.clauses[0]):
            return False
        return bool(self._quantities) or (not self.is_request and (self.depends or self.corrects))

    @cached_property
    def is_value(self) -> bool:
        """Whether it begins with a number, a day or a time, or with words that introduce one."""
        return bool(frames.quantities(self.clauses[0])) and len(self.clauses[0].split()) <= MAX_FRAGMENT_WORDS

    @cached_property
    def is_request(self) -> bool:
        """Whether it begins with a question or a request."""
        return contains_request(", ".join(self._sentences[0]))

    @cached_property
    def corrects(self) -> bool:
        """Whether it says that it corrects something, or that something has changed."""
        plain = self._plain.strip()
        if plain.startswith("*") != plain.endswith("*"):  # "*Katherine"
            return True
        if self.ends or any(_PATTERNS[name].search(plain) for name in ("corrects", "after")):
            return True
        openers = [read_opener(plain, start, stop)[1] for start, stop in sentences(plain)]
        return max(openers) > Evidence.NONE or frames.evidence_in(plain) is Evidence.CORRECTION

    @cached_property
    def ends(self) -> bool:
        """Whether it says that what was planned does not happen."""
        return _PATTERNS["ends"].search(self._plain) is not None

    @cached_property
    def depends(self) -> bool:
        """Whether it is not understood by itself: it begins with a fragment, or its subject is a pronoun."""
        first = self.clauses[0]
        is_fragment = len(first.split()) <= MAX_FRAGMENT_WORDS and not frames.has_own_subject(first)
        return is_fragment or any(map(_PATTERNS["refers"].match, self.clauses))

    def replaces_value(self, statement: str) -> bool:
        """Check whether it only names a value, or says that it is one, in place of another one in a statement."""
        values = self._other_values(statement)
        rests = (_PATTERNS["predicate"].sub("", clause, count=1) for clause in self.clauses)
        tokens = (frames.value_tokens(rest) for rest in rests)
        return any(one and one[0] in values and len(one) <= MAX_FRAGMENT_WORDS for one in tokens)

    def has_other_value(self, statement: str) -> bool:
        """Check whether a statement has a quantity of the same kind, with another value."""
        return bool(self._other_values(statement))

    def shares_word(self, statement: str) -> bool:
        """Check whether a statement has a significant word of the message."""
        return not self._stems.isdisjoint(significant_stems(statement))

    def respells(self, statements: Sequence[str]) -> bool:
        """Check whether it names something as a statement does, but for a few letters."""
        names = {word for one in statements for word in _long_words(one) if word[0].isupper()}
        words = set(_long_words(self.text)) - names
        return any(_are_similar(name, word) for name in names for word in words)

    @cached_property
    def _plain(self) -> str:
        return plain_punctuation(self.text)

    @cached_property
    def _sentences(self) -> list[list[str]]:
        return list(_sentences(self._plain))

    @cached_property
    def _quantities(self) -> Mapping[str, Set[str]]:
        return frames.quantities(self.text)

    @cached_property
    def _stems(self) -> Set[str]:
        return significant_stems(self.text)

    def _other_values(self, statement: str) -> set[str]:
        others = frames.quantities(statement)
        return {value for kind, values in self._quantities.items() if kind in others for value in values - others[kind]}


def _sentences(plain: str) -> Iterator[list[str]]:
    """The clauses of each sentence without its opener."""
    for start, stop in sentences(plain):
        end, _ = read_opener(plain, start, stop)
        stripped = (clause.strip(_TRIMMED) for clause in frames.clauses(plain[end:stop]))
        if clauses := [clause for clause in stripped if clause]:
            yield clauses


def _are_similar(name: str, word: str) -> bool:
    same_start = name[0] == word[0].upper()
    return same_start and SequenceMatcher(None, name.casefold(), word.casefold()).ratio() > MIN_SIMILARITY


def _long_words(text: str) -> Iterator[str]:
    return (word.strip(_TRIMMED) for word in text.split() if len(word.strip(_TRIMMED)) >= MIN_NAME_CHARS)
