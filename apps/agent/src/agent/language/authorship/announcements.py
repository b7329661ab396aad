"""Find texts that a few words announce: those of other authors, and those to work on.

An announcement is recognised by its composition: a kind of text, work on it, its author, a word for the text
itself or a question about it, and a separator after it, but not the user as its subject. Each is one class of words.
"""

import re
from collections.abc import Iterator, Sequence

from agent.language.authorship.document_notes import is_document_note
from agent.language.authorship.foreign_text import has_words, says_why, text_end
from agent.language.authorship.word_tasks import lacks_object
from agent.language.parsing.sentences import Span, contains_request, sentences
from agent.language.pattern_files import load_patterns

MAX_CHARS = 150
"""A longer sentence states something by itself."""
MAX_TASK_WORDS = 5
"""A longer task names its text."""
MAX_GAP_CHARS = 30
"""Between a question about words and its example."""

_QUOTATION = re.compile('[\0"\u00ab\u201e\u300c]')  # it is the text
_ANAPHORIC = frozenset({"it", "that", "lo", "le"})  # they refer to an earlier text
_PATTERNS = load_patterns("authorship/announcements.toml")


def announced_texts(text: str, paragraphs: Sequence[Span]) -> Iterator[Span]:
    """Yield the spans of announced texts.

    Args:
        text: a message in which quotations and the like are replaced by NULs.
        paragraphs: the spans of its paragraphs.
    """
    end = 0
    for start, stop in sentences(text):
        if start < end or not has_words(text[start:stop]) or is_document_note(text, (start, stop)):
            continue
        if line := _line_before_text(text, (start, stop)):
            yield line, (end := text_end(text, line, paragraphs))
            continue
        if report := _report_end(text, (start, stop)) or _example_start(text, (start, stop)):
            yield report, (end := stop)
            continue
        separator = _PATTERNS["separator"].search(text, start, min(stop, start + MAX_CHARS))
        lead = text[start : separator.start() if separator else stop]
        if len(lead) > MAX_CHARS:
            continue
        if separator and (_is_label(lead) or _is_shown(text, lead, separator.end())):
            yield separator.end(), (end := text_end(text, separator.end(), paragraphs))
        elif not (separator or _QUOTATION.search(lead)) and _is_announcement(lead) and _is_followed(text, stop):
            if says_why(text, stop):
                continue
            yield stop, (end := text_end(text, stop - 1, paragraphs))


def _line_before_text(text: str, sentence: Span) -> int:
    """The end of a line that introduces a text by another author; 0 if no such text follows."""
    start, stop = sentence
    line = text.find("\n", stop - 1)
    if line < 0 or not has_words(text[line:]) or not _PATTERNS["by_other"].match(text, start, stop):
        return 0
    lead, rest = text[start:stop], text[stop:line]
    is_text = _has("text", lead) or _has("program", lead)
    return line if is_text and (not has_words(rest) or contains_request(rest)) else 0


def _report_end(text: str, sentence: Span) -> int:
    """Where a text begins that a sentence reports without a separator ("the note says I …"); 0 if it reports none."""
    verb = _PATTERNS["speech"].search(text, *sentence)
    lead = text[sentence[0] : verb.start()] if verb else ""
    if not verb or not _names_text(lead) or _is_own(lead):
        return 0
    is_spaced = text[verb.end() : verb.end() + 1] == " "
    if not is_spaced and verb[0].isascii():
        return 0
    subject = _PATTERNS["subject"].match(text, verb.end() + is_spaced, sentence[1])
    return subject.start() if subject else 0


def _example_start(text: str, sentence: Span) -> int:
    """Where an example begins that a question about words contains ("how many syllables has I work"); 0 if none."""
    cues = (_PATTERNS[name].search(text, *sentence) for name in ("wording", "grammar"))
    cue = next(filter(None, cues), None)
    if not cue or _is_own(text[sentence[0] : cue.start()]) or _PATTERNS["own_display"].search(text, *cue.span()):
        return 0
    speaker = _PATTERNS["speaker"].search(text, cue.end(), min(sentence[1], cue.end() + MAX_GAP_CHARS))
    if not speaker or _PATTERNS["apart"].search(text, cue.end(), speaker.start()):
        return 0
    if _PATTERNS["of_user"].match(text, cue.end(), speaker.end()):
        return 0
    return speaker.start()


def _names_text(lead: str) -> bool:
    """Check whether words name a text of another author, or a screen or sign with words."""
    return _has("text", lead) or (_has("display", lead) and not _has("own_display", lead))


def _is_label(lead: str) -> bool:
    """Check whether words before a separator announce a text."""
    if _is_own(lead) or any(_has(name, lead) for name in ("composed", "own_text", "discourse")):
        return False
    if any(_has(name, lead) for name in ("operation", "wording", "grammar", "text")):
        return True
    return _has("speech", lead) and _has("deictic", lead)


def _is_shown(text: str, lead: str, start: int) -> bool:
    """Check whether words before a separator name a song or a place, or a verb without its object."""
    is_named = _names_text(lead) or _has("lacking", lead)
    return is_named and not (_is_own(lead) or _has("composed", lead)) and _is_followed(text, start)


def _is_announcement(sentence: str) -> bool:
    """Check whether a sentence without a separator announces the text after it."""
    if _is_own(sentence) or _has("composed", sentence) or _PATTERNS["remark"].match(sentence):
        return False
    names_text = _has("deictic", sentence)
    if _asks_about_words(sentence):
        return True
    if _has("operation", sentence):
        return _points_ahead(sentence) or (len(sentence.split()) <= MAX_TASK_WORDS and lacks_object(sentence))
    is_judged = any(_has(name, sentence) for name in ("speech", "verdict"))
    names_kind = _has("wording", sentence) or _names_text(sentence)
    return names_kind and (names_text or is_judged)


def _points_ahead(sentence: str) -> bool:
    return any(word[0].lower() not in _ANAPHORIC for word in _PATTERNS["deictic"].finditer(sentence))


def _asks_about_words(sentence: str) -> bool:
    """Check whether a few words only name an exercise or ask about words ("Dictation!", "¿lleva tilde?")."""
    if _has("grammar", sentence) and not _has("own_display", sentence):
        return _PATTERNS["judged"].match(sentence) is not None
    cue = _PATTERNS["wording"].search(sentence)
    if not cue or len(sentence.split()) > MAX_TASK_WORDS:
        return False
    rest = sentence[cue.end() :].strip(" .,!?")
    return not rest or (" " not in rest and _PATTERNS["apart"].search(cue[0]) is None)


def _is_followed(text: str, stop: int) -> bool:
    """Check whether a statement in the first person follows."""
    rest = text[stop : stop + MAX_CHARS].lstrip()
    return _PATTERNS["statement"].match(rest) is not None


def _is_own(lead: str) -> bool:
    """Check whether the user is the subject, or words refer to what was said before."""
    wish = _PATTERNS["wish"].match(lead)
    return _PATTERNS["subject"].search(lead, wish.end() if wish else 0) is not None


def _has(name: str, lead: str) -> bool:
    return _PATTERNS[name].search(lead) is not None
