"""Find the material of requests to work on words: texts to translate, correct, reword, rhyme or make flashcards of.

A request is recognised by its words, each of which belongs to a class: work on a text, a language, a form of grammar,
a kind of text, a word that points to the text, or a word without content. A request with any other word names what it
is about ("How do you say bakery in Dutch? I live in Breda"); one without lacks its object, which is the text beside it.
"""

import re
from collections.abc import Iterator, Sequence

from agent.language.authorship.document_notes import is_document_note
from agent.language.authorship.foreign_text import has_words, names_document, says_why, text_end
from agent.language.authorship.word_task_requests import CLASSES, LAST, WordTask, are_known, without_adjunct
from agent.language.parsing.sentences import Span, contains_request, sentences
from agent.language.pattern_files import load_patterns

MAX_REQUEST_WORDS = 20
MIN_REQUEST_WORDS = 2
MAX_REQUEST_CHARS = 150
MAX_GAP_CHARS = 400
MIN_TEXT_WORDS = 9
"""A shorter clause after a request without punctuation may be its reason."""

_WORD = re.compile(r"[^\W_]\w*(?:['-]\w+)*")
_QUOTATION = re.compile("[\0\"\u00ab\u201e\u300c]|(?<!\\w)'(?=\\w)")
# Separators after which a text may begin with any words.
_STRONG = re.compile("[:\uff1a\n\u2192>]|\\s-{1,2}\\s")
_ADJUNCT_END = re.compile("[:\uff1a\n]\\s?|\\s-{1,2}\\s")
_SENTENCE_MARK = re.compile("[.!?\u3002\uff1f]")
_COMMAS = frozenset({",", "\uff0c", ";"})
_CLAUSE_END = re.compile("[,;:\uff0c\uff1a]\\s?|\\s-{1,2}\\s")
_PATTERNS = load_patterns("authorship/word_tasks.toml")


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
    request = WordTask(words)
    if len(message) > MAX_REQUEST_CHARS or len(words) < MIN_REQUEST_WORDS or _QUOTATION.search(message):
        return False
    if not are_known(words):
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
    return are_known([word[0].lower() for word in _WORD.finditer(request)])


def _text_start(text: str, sentence: Span) -> int:
    """Where the text begins after a request at the beginning of a sentence; 0 if there is none."""
    words: list[str] = []
    end = sentence[0]
    for word in _WORD.finditer(text, *sentence):
        gap = text[end : word.start()]
        if _QUOTATION.search(text, end, word.end()):
            return 0
        may_begin = words and (gap.strip() or words[-1] in LAST or _PATTERNS["speaker"].match(text, word.start()))
        if may_begin and _begins_text(WordTask(words), gap, text, word.start()):
            return word.start()
        if len(words) == MAX_REQUEST_WORDS or not are_known([*words, word[0].lower()]):
            return _start_after_adjunct(text, sentence)
        words.append(word[0].lower())
        end = word.end()
    follows = _WORD.search(text, end, end + MAX_GAP_CHARS) if words else None
    if not follows or not has_words(text[end : end + MAX_GAP_CHARS]):
        return 0
    gap = text[end : follows.start()]
    is_text = not _QUOTATION.search(text, end, follows.end()) and _begins_text(
        WordTask(words), gap, text, follows.start()
    )
    return sentence[1] if is_text else 0


def _start_after_adjunct(text: str, sentence: Span) -> int:
    """Where the text begins after a request with an adjunct ("check this for typos before I print it: …"); else 0."""
    end = _ADJUNCT_END.search(text, *sentence)
    stop = end.start() if end else sentence[1]
    words = [word[0].lower() for word in _WORD.finditer(text, sentence[0], stop)]
    core = without_adjunct(words)
    if len(core) == len(words) or not WordTask(core).points_to_text or _QUOTATION.search(text, sentence[0], stop):
        return 0
    start = end.end() if end else stop
    is_text = _PATTERNS["statement"].match(text, start) and not says_why(text, start)
    return start if is_text and not _PATTERNS["resumed"].match(text, start) else 0


def _begins_text(request: WordTask, gap: str, text: str, start: int) -> bool:
    """Check whether the object of a request begins at `start`, after a gap."""
    last, separator = request.words[-1], gap.strip()
    if _SENTENCE_MARK.search(separator) and _PATTERNS["resumed"].match(text, start):
        return False
    if _PATTERNS["letter"].match(text, start) and not request.names_own_text:
        return request.asks_about_text
    if request.is_quotation and _PATTERNS["speaker" if last == "like" else "quoted"].match(text, start):
        return True
    if _STRONG.search(gap) or (separator and request.names_next_text and request.is_asked):
        return request.is_label
    return _begins_statement(request, separator, text, start)


def _begins_statement(request: WordTask, separator: str, text: str, start: int) -> bool:
    """Check whether a statement after a request is its object."""
    last = request.words[-1]
    is_named = request.names_own_text or not (request.is_asked or request.begins_with_target)
    if is_named or not _PATTERNS["statement"].match(text, start) or says_why(text, start):
        return False
    if not separator and last not in CLASSES["courtesy"]:
        return _takes_object(request)
    if separator in _COMMAS and last not in CLASSES["courtesy"]:
        return request.has("pointing", "form", "mistakes")
    if not separator and request.has("product"):
        return len(text[start:].partition("\n")[0].split()) >= MIN_TEXT_WORDS
    is_object_missing = request.has("operation") or request.targets_language or request.edits_parts
    return request.has("pointing") or (is_object_missing and not request.has("deictic"))


def _takes_object(request: WordTask) -> bool:
    """Check whether the words after a request continue it with its object ("what's the plural of", "say in Dutch")."""
    last = request.words[-1]
    if last in CLASSES["reporting"] and request.targets_language and request.has("saying"):
        return True
    if last in CLASSES["connective"]:
        return False
    is_target = request.targets_language or request.has("form")
    is_open = last in CLASSES["language"] or (request.has("form") and last in CLASSES["of"])
    is_open = is_open or (request.targets_language and last in CLASSES["for_words"])
    is_open = is_open or (request.words[0] in CLASSES["into"] and last in CLASSES["text"])
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
    words = words if are_known(words) else list(without_adjunct(words))
    request = WordTask(words)
    if not MIN_REQUEST_WORDS <= len(words) <= MAX_REQUEST_WORDS or not are_known(words):
        return False
    is_named = request.names_own_text or request.has("other")
    if _QUOTATION.search(clause) or is_named or not request.is_asked:
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
