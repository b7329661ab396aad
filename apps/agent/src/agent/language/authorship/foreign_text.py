"""Find texts that a message announces, is to be processed, or declares as fiction: they do not state what is true.

A message announces a text by a label before a colon, by the salutation of a letter or by a task ("translate …"),
whatever separates them, and declares fiction by its frame ("in my novel I …"). See foreign_text.toml.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from agent.language.authorship.document_notes import is_document_note
from agent.language.parsing.function_words import language_of
from agent.language.parsing.sentences import Span, contains_request, sentences
from agent.language.pattern_files import load_patterns

MAX_CLOSING_CHARS = 200
MIN_TEXT_LETTERS = 4
MAX_SUPPOSITIONS = 10
MAX_REASON_CHARS = 200
_SENTENCE_END = re.compile(r"[.!?\n](?=\s|$)|[\u3002\uff01\uff1f]")
_END_MARKS = ".!?\u2026"
_CLOSED_QUOTATION = re.compile(r"\s{0,4}(?:\0{3,}|'(?=\w)[^'\n]{1,40}'(?!\w)|\"[^\"\n]{1,40}\")")
# A short quotation, or one that is masked.
_QUOTATION = re.compile(r"[ \t:;\->,.!]{0,20}(\0+|[\"\u00ab\u201e\u300c]|'(?=\w)[^'\n]{1,40}'(?!\w))")
_COMMAS = frozenset(",\uff0c")
_SEPARATORS = frozenset(":\uff1a;->\"'")

_COLON = re.compile(r"[:\uff1a](?=[\s\0]|$)")
_PATTERNS = load_patterns("authorship/foreign_text.toml")


def foreign_texts(text: str, paragraphs: Sequence[Span]) -> Iterator[Span]:
    """Yield the spans of foreign texts, which may overlap.

    Args:
        text: a message in which quotations are replaced by NULs.
        paragraphs: the spans of its paragraphs.
    """
    yield from _labelled(text, paragraphs)
    yield from _letters(text, paragraphs)
    end = 0
    for sentence in sentences(text):
        if sentence[0] >= end and not is_document_note(text, sentence):
            content = _content(text, sentence)
            found = list(_supposed(text, content)) or list(_of_sentence(text, content, paragraphs))
            yield from found
            end = max([end, *(stop for _, stop in found)])


def _labelled(text: str, paragraphs: Sequence[Span]) -> Iterator[Span]:
    if ":" not in text and "\uff1a" not in text:
        return
    end = 0
    for label in _PATTERNS["label"].finditer(text):
        is_own = (
            _PATTERNS["own_label"].search(label[0])
            or names_adviser(label[0])
            or is_document_note(text, (label.start(), len(text)))
        )
        if label.start() >= end and not is_own:
            yield label.end(), (end := text_end(text, label.end(), paragraphs))


def is_text_task(sentence: str) -> bool:
    """Check whether a sentence begins with a task on a text ("Shorten this paragraph for me.")."""
    return _PATTERNS["transform"].match(sentence) is not None


def names_adviser(lead: str) -> bool:
    """Check whether the words before a colon name the source of reported advice ("the doctor said: …")."""
    return _PATTERNS["adviser"].search(lead) is not None


def _letters(text: str, paragraphs: Sequence[Span]) -> Iterator[Span]:
    """Letters to another person, from the salutation to the closing words or the end of the paragraph."""
    greeting = _PATTERNS["greeting"].match(text)
    if greeting and (signature := _PATTERNS["signature"].search(text, greeting.end())):
        yield 0, signature.end()
        return
    opening = _PATTERNS["salutation"].search(text)
    if not opening:
        return
    closing = _PATTERNS["closing"].search(text, opening.end())
    if closing or len(paragraphs) > 1 or opening.start():
        yield opening.start(), closing.end() if closing else text_end(text, opening.end(), paragraphs)


def _supposed(text: str, sentence: Span) -> Iterator[Span]:
    """A sentence that only supposes something, or tells a plot, with the sentences that go on with it ("I'd …")."""
    start, stop = sentence
    if not any(_PATTERNS[name].match(text, start, stop) for name in ("supposed", "plot")):
        return
    for _, end in islice(sentences(text[stop:]), MAX_SUPPOSITIONS):
        if not _PATTERNS["supposition"].match(text, stop):
            break
        stop = sentence[1] + end
    yield start, stop - (text[stop - 1] in _END_MARKS)  # the mark separates it from the next sentence


def _of_sentence(text: str, sentence: Span, paragraphs: Sequence[Span]) -> Iterator[Span]:
    start, stop = sentence
    if start == stop:
        return
    if _PATTERNS["staged"].match(text, start, stop + 1):
        yield start, _closing_start(text, start, paragraphs)
    elif _PATTERNS["fictional"].match(text, start, stop) and not _is_news(text, sentence):
        yield start, _paragraph_end(start, paragraphs)
    elif _PATTERNS["assessed"].match(text, start, stop) and _states(text, stop) and _is_first(text, start):
        yield stop, text_end(text, stop - 1, paragraphs)
    elif _PATTERNS["asked_meaning"].match(text, start, stop):
        yield start, stop
    elif task := _PATTERNS["react"].match(text, start):
        asks_again = task[0].rstrip().endswith("?") and _states(text, task.end())
        if has_words(text[task.end() :]) and not (asks_again or _is_quotation_next(text, task.end())):
            yield task.end(), text_end(text, task.end() - 1, paragraphs)
    elif task := _PATTERNS["transform"].match(text, start, stop):
        yield from _transformed(text, (task.start(), task.end()), stop, paragraphs)
    elif _PATTERNS["about_previous"].match(text, start, stop):
        yield from _previous(text, start, paragraphs)


def _is_news(text: str, sentence: Span) -> bool:
    """Check whether a message ends with news that begin like an assumption."""
    return _PATTERNS["news"].match(text, *sentence) is not None and not has_words(text[sentence[1] :])


def _transformed(text: str, task: Span, stop: int, paragraphs: Sequence[Span]) -> Iterator[Span]:
    """The text that a task follows, or else precedes."""
    filled = _PATTERNS["transform_words"].match(text, task[1])
    start = filled.end() if filled else task[1]
    rest = text[start:stop]
    lead = rest.lstrip(" \t")[:1]
    if _is_quotation_next(text, start) or _PATTERNS["named_object"].match(text, task[1], stop):
        return
    if lead in _COMMAS and "\n" in text[start:] and _PATTERNS["statement"].match(rest.lstrip(" ,\uff0c")):
        start = text.index("\n", start)  # "Summarise this for me, I have an exam:"
        yield start, text_end(text, start, paragraphs)
        return
    if not has_words(rest):
        is_first = not (has_words(text[: task[0]]) or _PATTERNS["own_document"].search(text, task[0], stop))
        is_announced = "\n" in text[start : stop + 1] or lead in {":", "\uff1a"}
        if is_first and not is_announced and says_why(text, stop):
            return
        if (is_first or is_announced) and has_words(text[stop:]):
            yield stop, text_end(text, stop - 1, paragraphs)
        else:
            yield from _previous(text, task[0], paragraphs)
    elif lead in _COMMAS and says_why(text, start + 1):
        return
    elif lead in _SEPARATORS or _PATTERNS["statement"].match(rest.lstrip()) or _is_other(text, task, rest):
        colon = _COLON.search(text, start, stop)
        start = colon.end() if colon else start
        yield start, text_end(text, start, paragraphs)


def _is_other(text: str, task: Span, rest: str) -> bool:
    languages = [language_of(text[slice(*task)]) or "en", language_of(rest)]
    return languages[1] is not None and languages[0] != languages[1] and text[task[0] : task[1]].isascii()


def _previous(text: str, request: int, paragraphs: Sequence[Span]) -> Iterator[Span]:
    """The text before a request: the rest of its paragraph, else the paragraph before."""
    before = [span for span in paragraphs if span[0] < request]
    if before and has_words(text[before[-1][0] : request]) and not names_document(text[before[-1][0] : request]):
        yield before[-1][0], request


def text_end(text: str, start: int, paragraphs: Sequence[Span]) -> int:
    """Where a text that begins at `start` ends.

    It ends with its quotation, line or paragraph, or before what the user says after it.
    """
    if quotation := quotation_end(text, start):
        return quotation
    line = text.find("\n", start)
    if line < 0 or has_words(text[start:line]):
        return _paragraph_end(start, paragraphs)
    return _closing_start(text, start, paragraphs)


def quotation_end(text: str, start: int) -> int | None:
    """Where a quotation ends that begins at `start`; None if there is none. Long ones are masked already."""
    quotation = _CLOSED_QUOTATION.match(text, start)
    return quotation.end() if quotation else None


def _closing_start(text: str, start: int, paragraphs: Sequence[Span]) -> int:
    """The beginning of the last paragraphs if the user speaks in them: a short statement, a question, or both."""
    later = [span for span in paragraphs if span[0] > start]
    if later and has_words(text[start : later[0][0]].partition("\n")[2]):
        later.insert(0, (start, later[0][0]))
    end = len(text)
    for before, (first, stop) in reversed(list(pairwise(later))):
        words = text[first:stop]
        is_own = contains_request(words) or _PATTERNS["statement"].match(words)
        if stop - first > MAX_CLOSING_CHARS or not is_own or before[0] < start:
            break
        end = first
    return end


def names_document(text: str) -> bool:
    """Check whether a text names another, to which a later pronoun refers ("The school sent a letter in Welsh")."""
    return _PATTERNS["document"].search(text) is not None


def says_why(text: str, start: int) -> bool:
    """Check whether the sentence at a position says why a text is to be worked on ("I don't speak Czech")."""
    end = _SENTENCE_END.search(text, start, start + MAX_REASON_CHARS)
    stop = end.start() if end else start + MAX_REASON_CHARS
    is_reason = any(_PATTERNS[name].search(text, start, stop) for name in ("reason", "origin"))
    return is_reason or _PATTERNS["because"].match(text, start, stop) is not None


def _states(text: str, start: int) -> bool:
    """Check whether a statement in the first person follows."""
    return _PATTERNS["statement"].match(text[start:].lstrip()) is not None


def _is_quotation_next(text: str, start: int) -> bool:
    """Check whether a quotation follows, which is the text: it is masked, unless it is short."""
    return _QUOTATION.match(text, start) is not None


def _is_first(text: str, start: int) -> bool:
    """Check whether only a few words precede a position, so that "this" means what follows."""
    return not _PATTERNS["statement"].search(text[:start])


def _paragraph_end(position: int, paragraphs: Sequence[Span]) -> int:
    return next((stop for _, stop in paragraphs if stop > position), position)


def _content(text: str, span: Span) -> Span:
    start, stop = span
    while start < stop and not text[start].isalnum():
        start += 1
    return start, stop


def has_words(text: str) -> bool:
    """Check whether a text says something: it has a few letters."""
    return sum(map(str.isalpha, text[:400])) >= MIN_TEXT_LETTERS
