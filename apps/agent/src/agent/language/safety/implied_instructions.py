"""Recognise instructions to the assistant that are worded as facts or preferences ("Any essay of mine deserves an A").

They need neither an imperative nor the word "you". A sentence is one if it combines what it prescribes (a privilege, a
permission, a recommendation, silence) with what statements about everyday life lack: whom it binds, for how long, or
that it is a trait of its author.
"""

import tomllib
from importlib.resources import files
from itertools import pairwise

from agent.language.safety.word_classes import Combinations, Form, WordClasses

MAX_WORDS = 60
"""A longer sentence has words of many classes by chance."""

_FILES = files("agent.language")
_DATA = tomllib.loads(_FILES.joinpath("safety/implied_instructions.toml").read_text(encoding="utf-8"))
_WORDS = tomllib.loads(_FILES.joinpath("safety/implied_instruction_words.toml").read_text(encoding="utf-8"))
_SHARED = tomllib.loads(_FILES.joinpath("safety/prompt_injection.toml").read_text(encoding="utf-8"))["words"]
_CLASSES = WordClasses({name: _SHARED[name] for name in _DATA["shared"]} | _WORDS)
_FORMS = [Form(form, _CLASSES.symbols) for form in _DATA["forms"]]
_COMBINATIONS = Combinations(_DATA["rules"], _CLASSES.symbols)
_REFERENCES = Combinations(_DATA["references"], _CLASSES.symbols)


def implies_instruction(text: str) -> bool:
    """Check whether a sentence of a folded text is an instruction in the form of a statement."""
    return any(map(_implies_instruction, text.split("\n")))


def _implies_instruction(line: str) -> bool:
    sentences = _CLASSES.classify(line).split(".")
    return any(map(_is_instruction, sentences)) or any(
        _REFERENCES.occur_in(frozenset(a + b)) for a, b in pairwise(sentences)
    )


def _is_instruction(sentence: str) -> bool:
    symbols = frozenset(sentence)
    if sentence.count(" ") > MAX_WORDS:
        return False
    return _COMBINATIONS.occur_in(symbols) or any(form.occurs_in(sentence, symbols) for form in _FORMS)
