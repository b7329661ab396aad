"""The words of requests to work on words, each of which belongs to a class; see word_task_words.toml."""

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

MIN_CORE_WORDS = 2
MAX_ADJUNCT_WORDS = 9
MAX_NOUN_GAP = 2
"""Words from a determiner to its noun."""


class WordClass:
    """Words, and stems with any endings."""

    def __init__(self, listed: str) -> None:
        self.words = frozenset(listed.split())
        self.stems = tuple(word.removesuffix("*") for word in self.words if word.endswith("*"))

    def __contains__(self, word: str) -> bool:
        return word in self.words or (bool(self.stems) and word.startswith(self.stems))


_LISTS = tomllib.loads(files("agent.language").joinpath("authorship/word_task_words.toml").read_text(encoding="utf-8"))
CLASSES = {name: WordClass(listed) for name, listed in _LISTS.items()}
KNOWN = WordClass(" ".join(words for name, words in _LISTS.items() if name != "greeting"))
LAST = WordClass(" ".join(_LISTS[name] for name in ("quoting", "courtesy")))


class WordTask(NamedTuple):
    """The words of a request, all of which belong to a class."""

    words: Sequence[str]

    def has(self, *classes: str) -> bool:
        """Whether one of the words belongs to one of these classes."""
        return any(word in CLASSES[name] for name in classes for word in self.words)

    @property
    def is_asked(self) -> bool:
        """Whether the request asks for work on words, and is no statement about the user."""
        if self.words[0] in CLASSES["own"] or (self.words[0] in CLASSES["subject"] and not self.has("wish")):
            return False
        targets = self.targets_language or self.has("form", "quality", "product", "well")
        if self.has("compose") and not (targets and self.has("deictic")):
            return False
        is_task = self.has("operation", "form", "product") or (self.has("reply", "edit") and self.has("pointing"))
        is_task = is_task or self.edits_parts
        if self.asks_for_judgement or self.asks_for_manner:
            return True
        return is_task or (self.has("asking", "compose") and (self.targets_language or self.has("quality", "text")))

    @property
    def asks_about_text(self) -> bool:
        """Whether the request is about a text or how it sounds, and the user is not its subject."""
        is_about_text = self.has("operation", "form", "product", "quality", "tone")
        return is_about_text and self.words[0] not in CLASSES["subject"]

    @property
    def points_to_text(self) -> bool:
        """Whether the request is for work on "this" text, and not on one that the user owns."""
        return self.is_asked and self.has("pointing") and self.asks_about_text and not self.names_own_text

    @property
    def begins_with_target(self) -> bool:
        """Whether the request only names a language and a kind of text ("in Czech for the letter")."""
        return self.words[0] in CLASSES["into"] and self.targets_language and self.words[-1] in CLASSES["text"]

    @property
    def edits_parts(self) -> bool:
        """Whether parts of a text are to be changed ("swap the names for initials")."""
        return self.has("edit") and self.has("part")

    @property
    def asks_for_judgement(self) -> bool:
        """Whether the request is about the tone of a text, or how it reads, or whether it is right."""
        if self.has("tone") and self.has("quality", "degree") and not self.has("own"):
            return True
        is_right = self.has("written") and self.has("quality", "mistakes", "well")
        return is_right or (self.has("asking") and self.has("pointing") and self.has("sounding", "mistakes"))

    @property
    def asks_for_manner(self) -> bool:
        """Whether the request is to say something in another manner ("can that be said less formally")."""
        if not self.has("saying") or self.has("recipient", "own"):
            return False
        manners = (after for word, after in pairwise(self.words) if word in CLASSES["degree"])
        return any(after in CLASSES["quality"] or after not in KNOWN for after in manners)

    @property
    def targets_language(self) -> bool:
        """Whether the request names the language of a translation ("in formal German", "German please")."""
        found = [index for index, word in enumerate(self.words) if word in CLASSES["language"]]
        before = (word for index in found for word in self.words[max(0, index - MAX_NOUN_GAP) : index])
        after = (word for index in found for word in self.words[index + 1 : index + 2])
        follows = CLASSES["courtesy"], CLASSES["for_words"]
        return any(word in CLASSES["into"] for word in before) or any(one in each for one in after for each in follows)

    @property
    def is_label(self) -> bool:
        """Whether the request may stand before a colon: it says what is to be done, or is only a target."""
        if self.is_asked:
            if self.words[0] in CLASSES["into"] and self.words[1:2] and self.words[1] in CLASSES["operation"]:
                return False  # "to rephrase: I …" is about the user's own words
            is_task = self.has("operation", "product", "form", "deictic", "written") or self.edits_parts
            return is_task or self.targets_language
        is_about_user = self.words[0] in CLASSES["subject"] or self.has("own", "compose")
        is_target = self.targets_language or (len(self.words) > 1 and self.has("quality"))
        return is_target and not is_about_user

    @property
    def is_quotation(self) -> bool:
        """Whether the request ends with a verb that introduces the words of a text ("my essay starts")."""
        names_text = self.has("product", "vague") or (self.has("text") and not self.has("compose"))
        is_about_user = self.words[0] in CLASSES["subject"]
        return names_text and not is_about_user and self.words[-1] in CLASSES["quoting"]

    @property
    def names_own_text(self) -> bool:
        """Whether the request is about a text of the user ("proofread my letter")."""
        return self._names_text_after("own")

    @property
    def names_next_text(self) -> bool:
        """Whether the request says that a text follows ("the next sentence")."""
        return self._names_text_after("ahead")

    def _names_text_after(self, name: str) -> bool:
        found = (index + 1 for index, word in enumerate(self.words) if word in CLASSES[name])
        following = (word for index in found for word in self.words[index : index + MAX_NOUN_GAP])
        return any(word in CLASSES["text"] for word in following)


def are_known(words: Sequence[str]) -> bool:
    """Check whether words belong to classes; a greeting does so only at the beginning, and manner after a degree."""
    known = (word in KNOWN or (not index and word in CLASSES["greeting"]) for index, word in enumerate(words))
    return all(is_known or (index and words[index - 1] in CLASSES["degree"]) for index, is_known in enumerate(known))


def without_adjunct(words: Sequence[str]) -> Sequence[str]:
    """The words before an adjunct with words of no class, if nothing in it is the user's; else all words.

    Manner must be a known word then, because "put that in a more cheerful voice for the kids" says little about a text.
    """
    for index, word in enumerate(words):
        if index >= MIN_CORE_WORDS and word in CLASSES["adjunct"]:
            adjunct = WordTask(words[index:])
            is_short = len(words) - index <= MAX_ADJUNCT_WORDS and not adjunct.has("own", "subject")
            return words[:index] if is_short and all(known in KNOWN for known in words[:index]) else words
    return words
