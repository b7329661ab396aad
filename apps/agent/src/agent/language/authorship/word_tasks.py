"""Find the material of requests to work on words: texts to translate, correct, reword, rhyme or make flashcards of.

A request is recognised by its words, each of which belongs to a class: work on a text, a language, a form of grammar,
a kind of text, a word that points to the text, or a word without content. A request with any other word names what it
is about ("How do you say bakery in Dutch? I live in Breda"); one without lacks its object, which is the text beside it.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from agent.language.authorship.document_notes import is_document_note
from agent.language.authorship.foreign_text import has_words, names_document, says_why, text_end
from agent.language.parsing.sentences import Span, contains_request, sentences
from agent.language.pattern_files import load_patterns

MAX_REQUEST_WORDS = 20
MIN_REQUEST_WORDS = 2
MAX_REQUEST_CHARS = 150
MAX_GAP_CHARS = 400
MIN_TEXT_WORDS = 9
"""A shorter clause after a request without punctuation may be its reason."""
MAX_NOUN_GAP = 2
"""Words from a determiner to its noun."""

_WORD = re.compile(r"[^\W_]\w*(?:['-]\w+)*")
_QUOTATION = re.compile("[\0\"\u00ab\u201e\u300c]|(?<!\\w)'(?=\\w)")
# Separators after which a text may begin with any words.
_STRONG = re.compile("[:\uff1a\n\u2192>]|\\s-{1,2}\\s")
_LINE = re.compile(".*")
_COMMAS = frozenset({",", "\uff0c", ";"})
_CLAUSE_END = re.compile("[,;:\uff0c\uff1a]\\s?|\\s-{1,2}\\s")
_PATTERNS = load_patterns("authorship/word_tasks.toml")


class _WordClass:
    """Words, and stems with any endings."""

    def __init__(self, listed: str) -> None:
        self.words = frozenset(listed.split())
        self.stems = tuple(word.removesuffix("*") for word in self.words if word.endswith("*"))

    def __contains__(self, word: str) -> bool:
        return word in self.words or (bool(self.stems) and word.startswith(self.stems))


_LISTS = tomllib.loads(files("agent.language").joinpath("authorship/word_task_words.toml").read_text(encoding="utf-8"))
_CLASSES = {name: _WordClass(listed) for name, listed in _LISTS.items()}
_KNOWN = _WordClass(" ".join(words for name, words in _LISTS.items() if name != "greeting"))
_LAST = _WordClass(" ".join(_LISTS[name] for name in ("quoting", "courtesy")))


class _Request(NamedTuple):
    """The words of a request, all of which belong to a class."""

    words: Sequence[str]

    def has(self, *classes: str) -> bool:
        return any(word in _CLASSES[name] for name in classes for word in self.words)

    @property
    def is_asked(self) -> bool:
        """Whether the request asks for work on words, and is no statement about the user."""
        if self.words[0] in _CLASSES["own"] or (self.words[0] in _CLASSES["subject"] and not self.has("wish")):
            return False
        targets = self.targets_language or self.has("form", "quality", "product", "well")
        if self.has("compose") and not (targets and self.has("deictic")):
            return False
        is_task = self.has("operation", "form", "product") or (self.has("reply", "edit") and self.has("pointing"))
        is_task = is_task or self.edits_parts
        is_judged = self.has("asking") and self.has("pointing") and self.has("sounding", "mistakes")
        is_judged = is_judged or (self.has("written") and self.has("quality", "mistakes", "well"))
        if is_judged or self.asks_for_manner or (self.has("tone") and self.has("quality", "degree") and not self.has("own")):
            return True
        return is_task or (self.has("asking", "compose") and (self.targets_language or self.has("quality", "text")))

    @property
    def edits_parts(self) -> bool:
        """Whether parts of a text are to be changed ("swap the names for initials")."""
        return self.has("edit") and self.has("part")

    @property
    def asks_for_manner(self) -> bool:
        """Whether the request is to say something in another manner ("can that be said less formally")."""
        if not self.has("saying") or self.has("recipient", "own"):
            return False
        manners = (after for word, after in pairwise(self.words) if word in _CLASSES["degree"])
        return any(after in _CLASSES["quality"] or after not in _KNOWN for after in manners)

    @property
    def targets_language(self) -> bool:
        """Whether the request names the language of a translation ("in formal German", "German please")."""
        found = [index for index, word in enumerate(self.words) if word in _CLASSES["language"]]
        before = (word for index in found for word in self.words[max(0, index - MAX_NOUN_GAP) : index])
        after = (word for index in found for word in self.words[index + 1 : index + 2])
        follows = _CLASSES["courtesy"], _CLASSES["for_words"]
        return any(word in _CLASSES["into"] for word in before) or any(one in each for one in after for each in follows)

    @property
    def is_label(self) -> bool:
        """Whether the request may stand before a colon: it says what is to be done, or is only a target."""
        if self.is_asked:
            if self.words[0] in _CLASSES["into"] and self.words[1:2] and self.words[1] in _CLASSES["operation"]:
                return False  # "to rephrase: I …" is about the user's own words
            is_task = self.has("operation", "product", "form", "deictic", "written") or self.edits_parts
            return is_task or self.targets_language
        is_about_user = self.words[0] in _CLASSES["subject"] or self.has("own", "compose")
        is_target = self.targets_language or (len(self.words) > 1 and self.has("quality"))
        return is_target and not is_about_user

    @property
    def is_quotation(self) -> bool:
        """Whether the request ends with a verb that introduces the words of a text ("my essay starts")."""
        names_text = self.has("product", "vague") or (self.has("text") and not self.has("compose"))
        is_about_user = self.words[0] in _CLASSES["subject"]
        return names_text and not is_about_user and self.words[-1] in _CLASSES["quoting"]

    @property
    def names_own_text(self) -> bool:
        """Whether the request is about a text of the user ("proofread my letter")."""
        return self._names_text_after("own")

    @property
    def names_next_text(self) -> bool:
        """Whether the request says that a text follows ("the next sentence")."""
        return self._names_text_after("ahead")

    def _names_text_after(self, name: str) -> bool:
        found = (index + 1 for index, word in enumerate(self.words) if word in _CLASSES[name])
        following = (word for index in found for word in self.words[index : index + MAX_NOUN_GAP])
        return any(word in _CLASSES["text"] for word in following)


def word_task_texts(text: str, paragraphs: Sequence[Span]) -> Iterator[Span]:
    """Yield the spans of the texts that are to be worked on: after the requests, or else before the last one.

    Args:
        text: a message in which quotations and the like are replaced by NULs.
        paragraphs: the spans of its paragraphs.
    """
    end = 0
    spans = list(sentences(text))
    for span in spans:
        if span[0] >= end and (start := _text_start(text, span)) and not is_document_note(text, span):
            yield start, (end := text_end(text, start, paragraphs))
    request = _last_request(text, spans)
    before = [paragraph for paragraph in paragraphs if paragraph[0] < request]
    if not end and before and _is_material(text[before[-1][0] : request]):
        yield before[-1][0], request


def awaits_text(message: str, *, is_first: bool) -> bool:
    """Check whether a message only asks for work on the text of the next one ("I'll paste my essay, fix the commas").

    After an answer, "this" may be the answer, so that only the first message of a thread may announce a text by it.
    """
    words = [word[0].lower() for word in _WORD.finditer(message[:MAX_REQUEST_CHARS])]
    request = _Request(words)
    if len(message) > MAX_REQUEST_CHARS or len(words) < MIN_REQUEST_WORDS or _QUOTATION.search(message):
        return False
    if not _are_known(words):
        return False
    if request.has("sending") or (request.is_asked and request.names_next_text):
        return request.has("operation", "form", "product", "text", "language")
    points = request.has("pointing") and not request.names_own_text
    return is_first and points and request.is_asked and (request.targets_language or request.has("form", "operation"))


def is_text_of_task(message: str) -> bool:
    """Check whether a message after such a request is the text: it asks nothing and gives no reason."""
    return not (contains_request(message) or says_why(message, 0) or _PATTERNS["resumed"].match(message))


def lacks_object(request: str) -> bool:
    """Check whether a request does not name what is to be worked on ("Proofread, please")."""
    return _are_known([word[0].lower() for word in _WORD.finditer(request)])


def _are_known(words: Sequence[str]) -> bool:
    """Check whether words belong to classes; a greeting does so only at the beginning, and manner after a degree."""
    known = (word in _KNOWN or (not index and word in _CLASSES["greeting"]) for index, word in enumerate(words))
    return all(
        is_known or (index and words[index - 1] in _CLASSES["degree"] and index < len(words))
        for index, is_known in enumerate(known)
    )


def _text_start(text: str, sentence: Span) -> int:
    """Where the text begins after a request at the beginning of a sentence; 0 if there is none."""
    words: list[str] = []
    end = sentence[0]
    for word in _WORD.finditer(text, *sentence):
        gap = text[end : word.start()]
        if _QUOTATION.search(text, end, word.end()):
            return 0
        may_begin = words and (gap.strip() or words[-1] in _LAST or _PATTERNS["speaker"].match(text, word.start()))
        if may_begin and _begins_text(_Request(words), gap, text, word.start()):
            return word.start()
        if len(words) == MAX_REQUEST_WORDS or not _are_known([*words, word[0].lower()]):
            return 0
        words.append(word[0].lower())
        end = word.end()
    follows = _WORD.search(text, end, end + MAX_GAP_CHARS) if words else None
    if not follows or not has_words(text[end : end + MAX_GAP_CHARS]):
        return 0
    gap = text[end : follows.start()]
    is_text = not _QUOTATION.search(text, end, follows.end()) and _begins_text(
        _Request(words), gap, text, follows.start()
    )
    return sentence[1] if is_text else 0


def _begins_text(request: _Request, gap: str, text: str, start: int) -> bool:
    """Check whether the object of a request begins at `start`, after a gap."""
    last, separator = request.words[-1], gap.strip()
    is_sentence = any(mark in separator for mark in ".!?\u3002\uff1f")
    if is_sentence and _PATTERNS["resumed"].match(text, start):
        return False
    if _PATTERNS["letter"].match(text, start) and not request.names_own_text:
        return request.has("operation", "form", "product", "quality", "tone") and request.words[0] not in _CLASSES["subject"]
    if request.is_quotation and _PATTERNS["speaker" if last == "like" else "quoted"].match(text, start):
        return True
    if _STRONG.search(gap) or (separator and request.names_next_text and request.is_asked):
        return request.is_label
    is_target = request.words[0] in _CLASSES["into"] and request.targets_language and last in _CLASSES["text"]
    is_named = request.names_own_text or not (request.is_asked or is_target)
    if is_named or not _PATTERNS["statement"].match(text, start) or says_why(text, start):
        return False
    if not separator and last not in _CLASSES["courtesy"]:
        return _takes_object(request)
    if separator in _COMMAS and last not in _CLASSES["courtesy"]:
        return request.has("pointing", "form", "mistakes")
    if not separator and request.has("product"):
        return len(_LINE.match(text, start)[0].split()) >= MIN_TEXT_WORDS
    is_object_missing = request.has("operation") or request.targets_language or request.edits_parts
    return request.has("pointing") or (is_object_missing and not request.has("deictic"))


def _takes_object(request: _Request) -> bool:
    """Check whether the words after a request continue it with its object ("what's the plural of", "say in Dutch")."""
    last = request.words[-1]
    if last in _CLASSES["reporting"] and request.targets_language and request.has("saying"):
        return True
    if last in _CLASSES["connective"]:
        return False
    is_target = request.targets_language or request.has("form")
    is_open = last in _CLASSES["language"] or (request.has("form") and last in _CLASSES["of"])
    is_open = is_open or (request.targets_language and last in _CLASSES["for_words"])
    is_open = is_open or (request.words[0] in _CLASSES["into"] and last in _CLASSES["text"])
    return is_target and (is_open or request.has("pointing"))


def _last_request(text: str, spans: Sequence[Span]) -> int:
    """Where the requests about the text before them begin, at the end of a message; 0 if there are none."""
    request = 0
    for start, stop in reversed(spans):
        if not has_words(text[start:stop]) or _PATTERNS["description"].match(text, start, stop):
            continue
        tail = max(start, stop - MAX_REQUEST_CHARS)
        ends = [*([start] if tail == start else []), *(end.end() for end in _CLAUSE_END.finditer(text, tail, stop))]
        first = next((end for end in ends if _asks_about_previous(text[end:stop])), None)
        if first is None:
            break
        request = first
        if first > start:
            break
    return request


def _asks_about_previous(clause: str) -> bool:
    words = [word[0].lower() for word in _WORD.finditer(clause)]
    request = _Request(words)
    if not MIN_REQUEST_WORDS <= len(words) <= MAX_REQUEST_WORDS or not _are_known(words):
        return False
    if _QUOTATION.search(clause) or request.names_own_text or not request.is_asked:
        return False
    if request.asks_for_manner:
        return True
    if request.has("deictic"):
        return request.targets_language or request.has("operation", "form", "product", "quality")
    return request.has("operation", "tone") and not request.has("own")


def _is_material(text: str) -> bool:
    """Check whether text before a request states something, and names neither another text nor a reason."""
    if _QUOTATION.search(text) or not _PATTERNS["speaker"].search(text):
        return False
    return not (names_document(text) or _PATTERNS["saying"].search(text) or says_why(text, 0))
