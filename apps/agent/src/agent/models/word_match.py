"""Match questions with statements by their words, for the offline model."""

import re
from collections.abc import Sequence, Set

from agent.language.parsing.sentences import compile_any, plain_punctuation

MIN_COVERAGE = 0.5
"""Share of a question's words that a statement must match."""

_STOP_WORD = compile_any(
    r"a|about|am|an|and|any|anything|are|as|at|be|been|by|can|could|currently|did|do|does|for|from|had|has|have|how|i|i'm"
    r"|if|in|is|it|just|know|me|much|my|now|of|on|or|our|please|recall|remember|remind|s|said|say|should|so|some|tell"
    r"|than|that|the|their|there|these|they|this|those|to|us|was|we|were|what|when|where|which|who|whom|whose|why|will"
    r"|with|would|you|your"
)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_ENDING = re.compile(r"(?<=\w{3})(?:ies|ied|ing|ed|es|s|e|y)$")
# Words of questions, and the words of statements that answer them.
_ANSWER_WORDS = {
    "home town city country address based": "live home town city country address based moved",
    "live": "home based moved",
    "name called": "name nickname called",
    "job profession occupation employer work": "work job profession employer",
    "like love enjoy favourite favorite": "like love prefer enjoy favourite favorite",
    "family relative spouse": "wife husband partner son daughter child brother sister mother father parent",
    "pet animal": "dog cat hamster rabbit parrot horse",
    "eat food diet": "allergic vegetarian vegan eat",
}


def match_scores(question: str, statements: Sequence[str]) -> list[float]:
    """[len(statements)] how well each statement matches a question; 0 below the minimum."""
    wanted = [{stem, *_ANSWER_STEMS.get(stem, ())} for stem in stems(question)]
    return [_score(wanted, stems(statement)) for statement in statements]


def stems(text: str) -> list[str]:
    """The significant words of a text without their endings."""
    words = (word.removesuffix("'s") for word in _WORD.findall(plain_punctuation(text).casefold()))
    return [_ENDING.sub("", word) for word in words if not _STOP_WORD.fullmatch(word)]


def _score(wanted: Sequence[Set[str]], statement: Sequence[str]) -> float:
    """Share of the wanted words that a statement matches; 0.5 more if its first word, subject or verb, is wanted."""
    coverage = sum(not words.isdisjoint(statement) for words in wanted) / len(wanted)
    return coverage + 0.5 * any(statement[0] in words for words in wanted) if coverage >= MIN_COVERAGE else 0.0


_ANSWER_STEMS = {stem: stems(answers) for words, answers in _ANSWER_WORDS.items() for stem in stems(words)}
