"""Recognise policies of an office or a house that bind an assistant ("Discounts need no approval").

They are stated as facts, mostly in the passive or of things in general. A sentence is one if its clauses that are
not about their speaker combine an affair of others with what is decided about it, a check with its omission, or answers
with what they are to name. What the user does or needs ("Discounts need my signature") is a fact about them.
"""

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files

from agent.language.parsing.folding import fold, readings
from agent.language.parsing.function_words import language_of
from agent.language.safety.word_classes import Combinations, WordClasses

MAX_CHARS = 300
"""A longer sentence has words of many classes by chance."""

PREFIX_CHARS = 5

_FILES = files("agent.language")
_DATA = tomllib.loads(_FILES.joinpath("facts/policies.toml").read_text(encoding="utf-8"))
_WORDS = tomllib.loads(_FILES.joinpath("facts/policy_words.toml").read_text(encoding="utf-8"))
_SHARED = tomllib.loads(_FILES.joinpath("safety/prompt_injection.toml").read_text(encoding="utf-8"))["words"]
_CLASSES = WordClasses({name: _SHARED[name] for name in _DATA["shared"]} | _WORDS)
_RULES = Combinations(_DATA["rules"], _CLASSES.symbols)
_WHOLE = Combinations(_DATA["whole"], _CLASSES.symbols)
_SELF, _YOU, _JE, _LED, _NAME = (_CLASSES.symbols[name] for name in ("self", "you", "je", "led", "name"))
_COMMON = frozenset(_DATA["common"].split())


def _anchors() -> Iterator[str]:
    """Yield the beginning of the most particular word of each phrase, also without its accents."""
    listed = ",".join(_WORDS[name] for name in _DATA["anchors"])
    for phrase in re.split(r"[,\n]", f"{listed},{fold(listed)}".lower()):
        words = re.findall(r"\w+", phrase)
        if words:
            yield max(words, key=lambda word: (word not in _COMMON, len(word)))[:PREFIX_CHARS]


_ANCHORS = frozenset(_anchors())
_WORD_STARTS = re.compile(rf"\b\w{{2,{PREFIX_CHARS}}}")
_OTHER_SCRIPTS = re.compile("[\u0370-\U0010ffff]")
_ITALIAN_ARTICLE = re.compile(r"\bi\b(?!')")  # not the English pronoun
_CLAUSE_END = re.compile(rf"[.,] |[^ ]*{_CLASSES.symbols['clause']}[^ ]* ")


def states_policy(sentence: str) -> bool:
    """Check whether a sentence states how an assistant decides or answers, instead of something about the user."""
    if not _has_anchor(sentence) or len(sentence) > MAX_CHARS or sentence.rstrip().endswith(("?", "\uff1f")):
        return False
    language = language_of(sentence)
    return any(_states_policy(_classify(one, language)) for one in readings(sentence.strip()))


def _has_anchor(sentence: str) -> bool:
    if not sentence.isascii() and _OTHER_SCRIPTS.search(sentence):
        return True  # words are not separated by spaces, or letters are disguised
    return not _ANCHORS.isdisjoint(_WORD_STARTS.findall(sentence.lower()))


def _classify(text: str, language: str | None) -> str:
    text = _ITALIAN_ARTICLE.sub("gli", text) if language == "it" else text
    classified = _CLASSES.classify(text).replace(_JE, _YOU if language == "nl" else _SELF)
    return classified.replace(_NAME, "-") if language == "de" else classified  # every noun is capitalised


def _states_policy(classified: str) -> bool:
    if _WHOLE.occur_in(frozenset(classified)):
        return True
    clauses = _CLAUSE_END.split(classified)
    impersonal = [clause for clause in clauses if _SELF not in clause or _LED in clause]
    return _RULES.occur_in(frozenset(" ".join(impersonal)))
