"""Find the part of a message that the user states themselves.

Excluded are quotations, mail, conversations, code and its output, poems, role play, and texts to work on.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from agent.language.authorship.announcements import announced_texts
from agent.language.authorship.document_notes import is_document_note
from agent.language.authorship.foreign_text import foreign_texts, names_adviser, quotation_end
from agent.language.authorship.nonliteral import mocking, revoked
from agent.language.authorship.other_speaker import other_speakers
from agent.language.authorship.resumption import resumptions
from agent.language.authorship.role_play import role_start
from agent.language.authorship.technical import technical_parts
from agent.language.authorship.word_tasks import lacks_object, word_task_texts
from agent.language.parsing.function_words import language_of
from agent.language.parsing.sentences import Span, contains_request, is_riddle, plain_punctuation, sentences
from agent.language.pattern_files import load_patterns
from agent.language.text_cache import cache_per_user

MAX_NAME_WORDS = 3  # a longer text in quotation marks is a quotation, not a name
MAX_NAME_CHARS = 30
MIN_SPEECH_LINES = 2
MIN_SPEECH_WORDS = 4
MIN_STANZA_LINES = 3
MAX_VERSE_CHARS = 60
MAX_INSTRUCTION_CHARS = 300
ADVISER_CHARS = 30  # before what they say
SPEAKER_CHARS = 50

_PATTERNS = load_patterns("authorship/own_words.toml")
_RULES = " \t\n-=_*([\u2014"  # what may precede the user's words
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{9}")  # as long as a quotation of several words
_PARAGRAPH_END = re.compile(r"\n[ \t]*(?=\n)")
_REPORTED_LEAD = re.compile(r"[^\n:\uff1a\[(\u266a\u266b]{0,100}[:\uff1a]")
_LIST_ITEM = re.compile(r"\s{0,40}(?:[-*•#>]|\d{1,2}[.)])")


@cache_per_user(maxsize=128)  # requests, statements and standing topics of a message are found in the same text
def mask_quoted(text: str) -> str:
    """Replace everything but the user's own words by NULs. Offsets do not change."""
    if is_riddle(text):
        return "\0" * len(text)
    plain = plain_punctuation(text)
    masked = _mask_foreign(plain)
    for start in resumptions(plain):
        if masked[:start].rstrip(_RULES)[-1:] == "\0":
            line = plain[start - 1] if plain[start - 1] == "\n" else masked[start - 1]  # they begin a sentence
            masked = masked[: start - 1] + line + _mask_foreign(plain[start:])
    return masked


def _mask_foreign(plain: str) -> str:
    technical = list(technical_parts(plain))
    plain = _PATTERNS["inline_code"].sub(lambda match: "\0" * len(match[0]), plain)
    masked = _PATTERNS["quotation"].sub(lambda match: _mask_unless_name(match[0]), plain)
    spans = [*_line_blocks(plain), *_stanzas(masked), *_mails(masked)]
    masked = _mask(masked, spans)
    masked = _mask(masked, list(_mails(masked)))
    masked = _PATTERNS["reported"].sub(_mask_reported, masked)
    masked = _PATTERNS["colloquial"].sub(_mask_last_group, masked)
    masked = _mask(masked, [*revoked(masked), *mocking(masked)])
    masked = _mask(masked, [*word_task_texts(masked, list(_paragraphs(masked))), *_invented(masked)])
    paragraphs = list(_paragraphs(masked))
    for find in (foreign_texts, announced_texts):
        masked = _mask(masked, list(find(masked, paragraphs)))
    for find_blocks in (_pasted_block, other_speakers):
        masked = _mask(masked, list(find_blocks(masked)))
    return _mask(masked, technical)


def _mask(text: str, spans: Sequence[Span]) -> str:
    parts, end = [], 0
    for start, stop in sorted(spans):
        if stop > end:
            parts += [text[end : max(start, end)], "\0" * (stop - max(start, end))]
            end = stop
    return "".join([*parts, text[end:]])


def _mask_unless_name(quoted: str) -> str:
    words = quoted.strip("\"'\u00ab\u00bb\u201e\u201a\u300c\u300d\u300e\u300f\u300a\u300b` ")
    is_short = len(words.split()) <= MAX_NAME_WORDS and len(words) <= MAX_NAME_CHARS and not _WIDE.search(words)
    is_name = is_short and not _PATTERNS["first_person"].search(words)
    return quoted if is_name else "\0" * len(quoted)


def _mask_last_group(match: re.Match[str]) -> str:
    start, stop = (offset - match.start() for offset in match.span(match.lastgroup or 0))
    return match[0][:start] + "\0" * (stop - start) + match[0][stop:]


def _mask_reported(match: re.Match[str]) -> str:
    before = match.string[max(0, match.start() - SPEAKER_CHARS) : match.start()]
    if _PATTERNS["own_speech"].search(before):
        return match[0]
    lead = _REPORTED_LEAD.match(match[0])
    kept = lead[0] if lead else ""
    if match[0][len(kept) :].lstrip().startswith("\0") and "\n" not in match[0]:
        return match[0]  # a quotation, which is masked; the rest of the line is the author's
    if lead and names_adviser(before[-ADVISER_CHARS:]):
        said = next(sentences(match[0][len(kept) :]))[1]  # the user's conclusion may follow in the same paragraph
        return kept + "\0" * said + match[0][len(kept) + said :]
    return kept + "\0" * (len(match[0]) - len(kept))


def _line_blocks(text: str) -> Iterator[Span]:
    """Code, sessions of a shell, logs, quoted lines and conversations, which are recognised by their lines."""
    lines = [match.span() for match in re.finditer(r"[^\n]+", text)]
    words = [text[slice(*line)] for line in lines]
    is_code = [bool(_PATTERNS["code"].match(line)) for line in words]
    for order in (range(1, len(lines)), range(len(lines) - 2, -1, -1)):
        step = -1 if order.step == 1 else 1
        for index in order:
            if is_code[index + step] and _PATTERNS["code_like"].match(words[index]):
                is_code[index] = True
    yield from (line for line, code in zip(lines, is_code, strict=True) if code)
    yield from (match.span() for match in _PATTERNS["session"].finditer(text))
    yield from (line for line, each in zip(lines, words, strict=True) if each.lstrip().startswith(">"))
    yield from _conversations(lines, words)


def _conversations(lines: Sequence[Span], words: Sequence[str]) -> Iterator[Span]:
    speech = [_PATTERNS["speech"].match(line) for line in words]
    headings = [index for index, line in enumerate(words) if _PATTERNS["speech_heading"].match(line)]
    if len(headings) >= MIN_SPEECH_LINES:
        yield lines[headings[0]][0], lines[-1][1]
    for _, run in groupby(range(len(lines)), key=lambda index: speech[index] is not None):
        spoken = [(index, match) for index in run if (match := speech[index])]
        if len(spoken) >= MIN_SPEECH_LINES and _is_conversation([match for _, match in spoken]):
            yield lines[spoken[0][0]][0], lines[spoken[-1][0]][1]


def _is_conversation(lines: Sequence[re.Match[str]]) -> bool:
    names = [line["speaker"].casefold() for line in lines]
    if sum(line["time"] is not None for line in lines) >= MIN_SPEECH_LINES:
        return True
    if any(_PATTERNS["own_key"].fullmatch(name) for name in names):
        return False
    if len(set(names)) < len(names) or any(_PATTERNS["role"].fullmatch(name) for name in names):
        return True
    is_spoken = any(_PATTERNS["first_person"].search(line["words"]) for line in lines)
    return is_spoken and all(line["speaker"][0].isupper() and " " not in line["speaker"] for line in lines)


def _stanzas(text: str) -> Iterator[Span]:
    """Two or more paragraphs of short lines without the punctuation of prose."""
    paragraphs = list(_paragraphs(text))
    for is_verse, run in groupby(paragraphs, key=lambda span: _is_stanza(text[slice(*span)])):
        stanzas = list(run)
        if is_verse and len(stanzas) > 1:
            yield stanzas[0][0], stanzas[-1][1]


def _is_stanza(paragraph: str) -> bool:
    lines = paragraph.strip().split("\n")
    if len(lines) < MIN_STANZA_LINES or any(len(line) > MAX_VERSE_CHARS or _LIST_ITEM.match(line) for line in lines):
        return False
    ends = sum(line.rstrip().endswith((".", ":", "?", "\u3002", "\uff1f")) for line in lines)
    return ends * 2 < len(lines) and all(" " in line.strip() for line in lines)


def _mails(text: str) -> Iterator[Span]:
    """A forwarded or quoted mail ends with the message, or before what the user asks about it."""
    mail = _PATTERNS["mail"].search(text)
    if not mail:
        return
    stop = len(text)
    if not any(map(str.isalnum, text[: mail.start()])):
        *_, (last, end) = _paragraphs(text)
        if last > mail.start() and _is_instruction(text, last, end):
            stop = last
    yield mail.start(), stop


def _invented(text: str) -> Iterator[Span]:
    """Role play and fiction, and texts to translate, correct or review."""
    end = 0
    for start, stop in sentences(text):
        if start < end or not text[start:stop].strip(" \n\0") or is_document_note(text, (start, stop)):
            continue
        first = _content_start(text, start, stop)
        task = _PATTERNS["task"].match(text, first)
        role = role_start(text, (first, stop))
        if role is not None:
            first, end = role, _resumption(text, role)
        elif _PATTERNS["role_play"].match(text, first, stop) or (task and _has_words_next(text, task.end())):
            quotation = task and quotation_end(text, task.end())
            first, end = task.end() if task else first, quotation or _resumption(text, first)
        elif _PATTERNS["imagined"].match(text, first, stop) or _PATTERNS["persona"].match(text, first):
            end = _paragraph_end(text, first)
        elif script := _PATTERNS["script"].match(text, first, stop):
            end = quotation_end(text, script.end()) or _paragraph_end(text, first)
        elif _is_before_line(text, stop) and _PATTERNS["task_elsewhere"].match(text, first, stop):
            first, end = stop, _resumption(text, first)
        elif _PATTERNS["invented"].match(text, first, stop):
            asked = _PATTERNS["asked_end"].search(text, first, stop)
            end = asked.end() if asked and not lacks_object(text[first : asked.end()]) else stop
        else:
            continue
        yield first, end


def _pasted_block(text: str) -> Iterator[Span]:
    """The paragraphs after a short request, if they are in another language."""
    first, *others = _paragraphs(text)
    if not others or not _is_instruction(text, *first):
        return
    languages = [language_of(text[slice(*first)]), language_of(text[others[0][0] :])]
    if None not in languages and languages[0] != languages[1]:
        yield others[0][0], _resumption(text, others[0][0])


def _is_instruction(text: str, start: int, stop: int) -> bool:
    return stop - start <= MAX_INSTRUCTION_CHARS and contains_request(text[start:stop])


def _has_words_next(text: str, start: int) -> bool:
    """Check whether text follows that is neither masked already nor a quotation."""
    return text[start:].lstrip()[:1] not in {"", "\0", '"', "\u00ab", "\u201e", "\u300c"}


def _is_before_line(text: str, stop: int) -> bool:
    """Check whether the sentence that ends at `stop` is the last of its line, and text follows."""
    return "\n" in text[stop - 1 : stop + 1] and _has_words_next(text, stop)


def _content_start(text: str, start: int, stop: int) -> int:
    while start < stop and not text[start].isalnum():
        start += 1
    return start


def _resumption(text: str, start: int) -> int:
    """Where the user speaks again after `start`, at the beginning of a paragraph; else the end of the text."""
    for paragraph, stop in _paragraphs(text):
        if paragraph > start and _PATTERNS["resumed"].match(text, paragraph, stop):
            return paragraph
    return len(text)


def _paragraph_end(text: str, start: int) -> int:
    end = _PARAGRAPH_END.search(text, start)
    return end.start() if end else len(text)


def _paragraphs(text: str) -> Iterator[Span]:
    """Yield the spans of the paragraphs, at least one."""
    start = 0
    for end in _PARAGRAPH_END.finditer(text):
        if text[start : end.start()].strip():
            yield _content_start(text, start, end.start()), end.start()
        start = end.end()
    yield _content_start(text, start, len(text)), len(text)
