"""Read a request to change what is remembered about the user as the statement that it makes.

"Please change my address to 12 Oak Road" says the same as "my address is 12 Oak Road", except that it also says that
the address was another one. As a statement it is compared with what is known, stored and recalled like any other. The
word that marks the change precedes it ("change: my address is 12 Oak Road"), as openers do; see `parsing.openers`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from agent.language.authorship.nonliteral import is_literal, literal_length
from agent.language.authorship.own_words import mask_quoted
from agent.language.facts.text_tasks import split_text_tasks
from agent.language.parsing.sentences import NON_FACTUAL, Span, is_request, plain_punctuation
from agent.language.pattern_files import load_pattern_lists, load_patterns
from agent.language.revision.value_statements import WORDS
from agent.language.text_cache import cache_per_user

MAX_MESSAGE_CHARS = 2_000
MAX_SENTENCE_CHARS = 300
MAX_CLAUSES = 4
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "zh")

_FORMS = load_pattern_lists("requests/value_requests.toml")
_PATTERNS = load_patterns("requests/value_request_words.toml")
_GENITIVE = re.compile(r"(?<=\w{3})e?s$")
_DECLINED = re.compile(r"\b(name)n\b", re.IGNORECASE)
_END_MARKS = {".": ".", "!": "!", "?": ".", "\u3002": "\u3002", "\uff1f": "\u3002", "\uff01": "\uff01"}
_NEW_UNSPACED = re.compile("^\u65b0\u7684?")
_QUESTION_MARKS = ("?", "\uff1f")
_SEPARATORS = (":", "\uff1a", "=", "-", ";")
_KINDS = ("email", "phone", "birthday", "age", "amount", "address", "naming")
_RECORDED = frozenset({"email", "phone", "birthday", "age", "address"})
"""Kinds of what is only written down: a wish to change it is none for the future."""


@dataclass(frozen=True, slots=True)
class _Request:
    """A request as the statement that it makes."""

    statement: str
    verb: str
    """The word of the request that says that it changes something."""
    thing_end: int
    """The end of what it changes. The value after it may be quoted, or look like a text to work on ("correct …: …")."""


def with_statements(message: str) -> str:
    """A message with each request to change what is remembered about the user as the statement that it makes.

    The message itself if there is none. What stands beside a request is unchanged.
    """
    is_likely = len(message) <= MAX_MESSAGE_CHARS and _PATTERNS["hint"].search(message)
    return _with_statements(message) if is_likely else message


@cache_per_user(maxsize=512)
def _with_statements(message: str) -> str:
    plain = plain_punctuation(message)
    masked = mask_quoted(plain)
    masked = masked[: literal_length(masked)]
    result, copied = [], 0
    for span in split_text_tasks(masked):
        for (start, stop), statement in _statements(message, masked, span):
            result += [message[copied:start], statement]
            copied = stop
    return "".join([*result, message[copied:]])


def _statements(text: str, masked: str, sentence: Span) -> Iterator[tuple[Span, str]]:
    """Yield the requests in a sentence with what joins them to its other clauses, and the statement of each."""
    start, stop = _trimmed(text, sentence)
    if stop - start > MAX_SENTENCE_CHARS or not is_literal(masked, sentence):
        return
    joints = [one.span() for one in islice(_PATTERNS["joint"].finditer(text, start, stop), MAX_CLAUSES)]
    begins, ends = [(start, start), *joints], [*joints, (stop, stop)]
    verb, done = "", start
    for number, (joint, begin) in enumerate(begins):
        if begin < done or _is_dependent(masked, (start, joint)):
            continue
        for end, after in ends[number:]:
            request = _read(text[begin:end], verb)
            if request and "\0" not in masked[begin : begin + request.thing_end]:
                is_last = end == stop
                mark = _end_mark(text, stop) if is_last else f"{_full_stop(request)} "
                is_first = begin in (start, done)
                yield (begin if is_first else joint, after), f"{'' if is_first else '. '}{request.statement}{mark}"
                verb, done = request.verb, after
                break


def _trimmed(text: str, span: Span) -> Span:
    part = text[slice(*span)]
    return span[1] - len(part.lstrip()), span[0] + len(part.rstrip())


def _is_dependent(masked: str, before: Span) -> bool:
    """Check whether the clauses before a request in its sentence are a task, a question or a condition."""
    words = masked[slice(*before)]
    return bool(words.strip()) and (NON_FACTUAL.search(words) is not None or is_request(masked, before) is True)


def _end_mark(text: str, stop: int) -> str:
    return _END_MARKS.get(text[stop - 1], "")


def _full_stop(request: _Request) -> str:
    return "\u3002" if request.statement.startswith(WORDS["marker"]["zh"]) else "."


def _read(clause: str, verb: str) -> _Request | None:
    """The request that a clause makes, if need be with the verb of the one before it."""
    plain = plain_punctuation(clause)
    for text in (plain, f"{verb} {plain}") if verb else (plain,):
        for language in LANGUAGES:
            for match in filter(None, (form.fullmatch(text) for form in _FORMS[language])):
                if statement := _statement(language, match):
                    return _Request(statement, match["verb"], _thing_end(match) - len(text) + len(plain))
    return None


def _thing_end(match: re.Match[str]) -> int:
    return match.end("named" if "named" in match.re.groupindex else "np")


def _statement(language: str, match: re.Match[str]) -> str:
    """The statement that a request makes; empty if it is about something else, or gives no value."""
    groups = match.groupdict()
    thing, value = groups.get("np") or groups["named"], match["v"].strip(" \"'.,!")
    kind = "naming" if groups.get("named") else next((one for one in _KINDS if _PATTERNS[one].search(thing)), "other")
    before = match.string[: match.start("v")]
    if before.rstrip().endswith(_SEPARATORS) and _PATTERNS["own_statement"].match(value):
        return f"{WORDS['marker'][language]}{value}"
    is_wish = kind not in _RECORDED and _PATTERNS["wish"].search(before)
    is_asked = match.string.rstrip().endswith(_QUESTION_MARKS) and 0 in (match.start("verb"), match.start("np"))
    is_value = _PATTERNS[f"{kind}_value"].fullmatch(value) and not _PATTERNS["no_value"].search(value)
    if is_wish or is_asked or not is_value:
        return ""
    if groups.get("named"):
        subject, verb = _in_nominative(thing), WORDS["is_called"][language]
    else:
        subject, verb = _subject(language, thing, kind)
    space = "" if language == "zh" else " "
    return f"{WORDS['marker'][language]}{subject}{space}{verb}{space}{value}"


def _subject(language: str, thing: str, kind: str) -> tuple[str, str]:
    """The subject and the verb of a statement about what a request changes."""
    names = _FORMS["name_of"] if kind == "naming" else ()
    if match := next(filter(None, (one.match(thing) for one in names)), None):
        return _being(match), WORDS["is_called"][language]
    verb = WORDS["amounts_to" if kind == "amount" else "is"][language]
    return _PATTERNS["new"].sub("", _in_nominative(thing)), verb


def _being(match: re.Match[str]) -> str:
    """The person or animal whose name a request changes."""
    groups = match.groupdict()
    being: str = groups["being"]
    if case := groups.get("case"):  # "meines Hundes", "meiner Katze"
        return f"{groups['own']} {_GENITIVE.sub('', being)}" if case == "s" else f"{groups['own']}e {being}"
    article = WORDS["words"].get((groups.get("of") or "").strip(), "")
    return _in_nominative(f"{article} {being}".strip())


def _in_nominative(thing: str) -> str:
    """What a request changes as a subject, with a possessive pronoun in place of "new"."""
    first, space, rest = thing.partition(" ")
    subject = WORDS["words"].get(first.lower(), first.lower())
    if subject != first.lower():
        rest = _DECLINED.sub(r"\1", rest)
    return f"{subject}{space}{rest}" if space else _NEW_UNSPACED.sub(WORDS["words"]["\u65b0"], thing)
