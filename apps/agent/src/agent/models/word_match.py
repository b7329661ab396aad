"""Match questions with statements by their words, for the offline model."""

import re
import unicodedata
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from agent.language.parsing.function_words import FUNCTION_WORDS, SYNONYMS
from agent.language.parsing.sentences import compile_any, plain_punctuation
from agent.language.text_cache import cache_per_user
from agent.models.offline_language import Language, known_language
from agent.models.offline_vocabulary import PEOPLE, QUESTION_WORDS, english, is_known_only_here

MIN_COVERAGE = 0.5
"""Share of a question's words that a statement must match."""
FIRST_WORD_BONUS = 0.5
"""Bonus of a statement whose first word, subject or verb, is wanted."""

_STOP_WORD = compile_any(
    r"a|about|am|an|and|any|anything|are|as|at|be|been|by|can|could|currently|did|do|does|for|from|had|has|had|have|how"
    r"|i|i'm|if|in|is|it|just|know|me|much|my|now|of|on|or|our|please|recall|remember|remind|s|said|say|should|so|some"
    r"|tell|than|that|the|their|there|these|they|this|those|to|us|was|we|were|what|when|where|which|who|whom|whose|why"
    r"|will|with|would|you|your"
)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_ENDING = re.compile(r"(?<=\w{3})(?:ies|ied|ing|ed|es|s|e|(?<![aeiou])y)$")
_OTHER_ENDING = re.compile(r"(?<=\w{4})(?:en|er|es|os|as|st|e|n|s|t|o|a|i)$")
_HAN_RUN = re.compile("[\u3400-\u9fff]{1,40}")
# Chinese words of questions and of grammar, which separate the others.
_HAN_STOP = re.compile(
    "什么时候|什么|怎么样|怎么|哪里|哪儿|哪个|哪些|哪天|多少|多大|几点|几岁|几个|名字|知道|记得|告诉|请问|是不是|有没有|为什么"
    "|叫做|现在|我们|你们|他们|自己|一个|这个|那个|[我你他她它的了是在有吗呢吧啊也都和跟就还很不没叫谁几哪个这那要会能给把被让说问得地着过]"
)
_HAN_NAME = re.compile("叫|名字")
_HAN_QUESTION = re.compile("什么|谁|[?？]")
_NAME = "name"
"""The word of a Chinese text that gives a name, or only asks for one ("我叫什么")."""
_ELISION = compile_any(r"\b(?:j|l|d|m|n|s|t|c|qu|un|dell|nell|all|dall|sull)'")
_COMPOUND = compile_any(r"\b(lieblings|lievelings)(?=\w{3})")
# Words of questions, and the words of statements that answer them.
_ANSWER_WORDS = {
    "home town city country address based": "live home town city country address based moved",
    "live": "home based moved house",
    "name called": "name nickname called",
    "job profession occupation employer work": "work job profession employer",
    "like love enjoy favourite favorite": "like love prefer enjoy favourite favorite",
    "family relative spouse": "wife husband partner son daughter child brother sister mother father parent",
    "child": "child son daughter",
    "sibling": "sibling brother sister",
    "parent": "parent mother father",
    "pet animal": "dog cat hamster rabbit parrot horse",
    "eat food diet": "allergic vegetarian vegan eat",
    "birthday": "birthday born",
    "colour color": "colour color",
}

Word = frozenset[str]
"""The forms of a significant word, without endings; words match if they share one."""


@dataclass(frozen=True, slots=True)
class Match:
    """How well a statement matches a question."""

    coverage: float = 0.0
    """Share of the question's words; 0 below the minimum."""
    begins_with_match: bool = False
    matched: tuple[Word, ...] = ()
    """The words of the question that the statement contains."""

    @property
    def score(self) -> float:
        """The coverage, with the bonus for the first word."""
        return self.coverage + FIRST_WORD_BONUS * self.begins_with_match

    def is_only_about(self, names: Iterable[str]) -> bool:
        """Check whether the statement shares only names and relatives with the question, and lacks its other words."""
        subjects = _PEOPLE_STEMS.union(_stem(name.casefold()) for name in names)
        return self.coverage < 1 and all(word & subjects for word in self.matched)

    def names_any(self, names: Iterable[str]) -> bool:
        """Check whether the statement contains one of these words of the question; True without such words."""
        stems = {_stem(name.casefold()) for name in names}
        return not stems or any(word & stems for word in self.matched)


NO_MATCH = Match()


def match_statements(words: Sequence[Word], statements: Sequence[str]) -> list[Match]:
    """[len(statements)] how well each statement matches the words of a question."""
    if not words:
        return [NO_MATCH] * len(statements)
    wanted = [(word, word.union(*(_ANSWER_STEMS.get(stem, ()) for stem in word))) for word in words]
    return [_match(wanted, significant_words(statement)) for statement in statements]


@cache_per_user(maxsize=4096)
def significant_words(text: str, language: Language = "en") -> tuple[Word, ...]:
    """The significant words of a text, in order; it is taken to be in `language` if its words do not tell."""
    plain = plain_punctuation(text).casefold()
    language = known_language(plain) or language
    if language == "zh":
        return tuple(frozenset({word}) for word in _chinese_words(plain))
    if language == "en":
        return tuple(frozenset({_stem(word)}) for word in _words(plain) if not _STOP_WORD.fullmatch(word))
    parts = _COMPOUND.sub(r"\1 ", _ELISION.sub(" ", plain))
    return tuple(_foreign_forms(word, language) for word in _words(parts) if not _is_stop_word(word, language))


def _words(text: str) -> list[str]:
    return [word.removesuffix("'s") for word in _WORD.findall(text)]


def _chinese_words(text: str) -> list[str]:
    """The pairs of characters between the words of grammar, single characters, and words in other scripts."""
    words = [word for word in _words(_HAN_RUN.sub(" ", text)) if not _STOP_WORD.fullmatch(word)]
    runs = [run for found in _HAN_RUN.findall(text) for run in _HAN_STOP.split(found) if run]
    pairs = (run if len(run) == 1 else run[n : n + 2] for run in runs for n in range(max(1, len(run) - 1)))
    found = list(dict.fromkeys([*pairs, *words]))
    is_named = _HAN_NAME.search(text) and not (found and _HAN_QUESTION.search(text))
    return [*found, _NAME] if is_named else found


def _is_stop_word(word: str, language: Language) -> bool:
    if is_known_only_here(word, language):
        return False
    return word in FUNCTION_WORDS or word in QUESTION_WORDS


def _foreign_forms(word: str, language: Language) -> Word:
    translated = english(word, language)
    folded = _fold(word)
    forms = {_stem(word), _OTHER_ENDING.sub("", folded)}
    return frozenset(forms | {_stem(translated)} if translated else forms)


def _stem(word: str) -> str:
    return _ENDING.sub("", _fold(SYNONYMS.get(word, word)))


def _fold(word: str) -> str:
    if word.isascii():
        return word
    return "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))


def _match(wanted: Sequence[tuple[Word, Set[str]]], statement: Sequence[Word]) -> Match:
    stated = frozenset[str]().union(*statement)
    matched = [word for word, answers in wanted if not answers.isdisjoint(stated)]
    coverage = len(matched) / len(wanted)
    if coverage < MIN_COVERAGE:
        return NO_MATCH
    begins = any(not answers.isdisjoint(statement[0]) for _, answers in wanted)
    return Match(coverage, begins, tuple(matched))


_ANSWER_STEMS = {
    _stem(word): frozenset(map(_stem, answers.split()))
    for words, answers in _ANSWER_WORDS.items()
    for word in words.split()
}
_PEOPLE_STEMS = frozenset(map(_stem, PEOPLE))
