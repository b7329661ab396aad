"""Find the value that a sentence names as wrong beside the right one, and the older statements that have it.

"We're going to France, not Austria", "we gaan niet naar Oostenrijk maar naar Frankrijk".
"""

from dataclasses import dataclass

from agent.language.dates.notes import split_date_note
from agent.language.grounding.checks import words
from agent.language.parsing.sentences import NON_FACTUAL, plain_punctuation, sentences, with_apostrophes
from agent.language.pattern_files import load_pattern_lists
from agent.language.text_cache import cache_per_user
from agent.language.words import frames
from agent.language.words.content import persons_in
from agent.language.words.parts import other_subject
from agent.language.words.quantities import quantity_kind
from agent.language.words.synonyms import RELATIVES

MAX_SENTENCE_CHARS = 200
FORM_CHARS = 5  # of inflections of a word ("gioca", "giocano")

_PATTERNS = load_pattern_lists("revision/exclusions.toml")


@dataclass(frozen=True, slots=True)
class _Exclusion:
    """A wrong value and the sentence that names it."""

    wrong: frozenset[str]
    """The words of the part that names the wrong value, which may contain its verb."""
    others: frozenset[str]
    """The other words of the sentence."""
    persons: frozenset[str]
    is_own: bool
    """True if the sentence begins with a pronoun for the user."""

    def concerns(self, statement: str) -> bool:
        """Check whether a statement has the value, and another word of the sentence, and the same subject."""
        known = _words(split_date_note(statement)[0])
        wrong = (self.wrong & known) - self.others
        if not wrong or not (self.others & known or len(wrong) > 1):
            return False
        subject = _words(other_subject(statement)) if self.is_own else frozenset()
        is_of_other = bool(subject) and subject.isdisjoint(self.others)
        return self.persons <= _persons(statement) and not is_of_other


def has_exclusion(text: str) -> bool:
    """Check whether a text names a wrong value beside the right one."""
    return bool(_exclusions(text))


def excludes(text: str, statement: str) -> bool:
    """Check whether a text names a value of a statement as wrong, and is about the same."""
    return any(one.concerns(statement) for one in _exclusions(text))


@cache_per_user(maxsize=4096)
def _exclusions(text: str) -> tuple[_Exclusion, ...]:
    plain = with_apostrophes(plain_punctuation(text))
    found = []
    for start, stop in sentences(plain):
        sentence = " ".join(plain[start:stop].split())
        if len(sentence) > MAX_SENTENCE_CHARS or sentence.endswith("?") or NON_FACTUAL.search(sentence):
            continue
        for match in filter(None, (pattern.search(sentence) for pattern in _PATTERNS["excluded"])):
            named = next(filter(None, match.groups()))
            others = f"{sentence[: match.start()]} {sentence[match.end() :]}"
            is_own = frames.has_own_subject(sentence)
            found.append(_Exclusion(_words(named), _words(others), _persons(sentence), is_own))
    return tuple(found)


def _persons(text: str) -> frozenset[str]:
    """The persons in a text, told apart by their words if these have the same stem ("fils", "fille")."""
    persons = persons_in(text)
    gendered = persons - RELATIVES
    return (persons & RELATIVES) | {word.text.removesuffix("s") for word in words(text) if word.stem in gendered}


@cache_per_user(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    tokens = frames.value_tokens(text)
    return frozenset(one[:FORM_CHARS] for one in tokens if quantity_kind(one) or _is_content(one))


def _is_content(token: str) -> bool:
    return frames.is_content(token) and not any(one.fullmatch(token) for one in _PATTERNS["relational"])
