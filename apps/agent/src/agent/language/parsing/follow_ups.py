"""Recognise sentences that only ask, or concern only the last answer or a text to work on: they state nothing."""

from agent.language.parsing.notification_requests import is_alarm
from agent.language.pattern_files import load_patterns
from agent.language.text_cache import cache_per_user

MAX_FOLLOW_UP_CHARS = 80
MAX_TASK_CHARS = 200

_WHOLE = ("presented", "fault", "exercise")
_PATTERNS = load_patterns("parsing/follow_ups.toml")
_BRIEF_REQUESTS = load_patterns("parsing/brief_requests")
_EDITS = load_patterns("parsing/edit_requests.toml")
EDIT_LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "zh")
_REQUEST_PATTERNS = tuple(
    (name.rpartition("_")[2], pattern) for name, pattern in _BRIEF_REQUESTS.items() if not name.startswith("states_")
)


@cache_per_user(maxsize=1024)
def is_follow_up(sentence: str) -> bool:
    """Check whether a sentence consists of words for another form of the answer: "and in French?", "the second one".

    A sentence that presents a text, or finds fault with one, and then asks for something is a follow-up, too.
    So are the given facts of an exercise, and requests for an alarm.
    """
    plain = sentence.replace("\u2019", "'")
    if len(plain) <= MAX_TASK_CHARS and any(_PATTERNS[name].fullmatch(plain) for name in _WHOLE):
        return True
    if len(plain) <= MAX_TASK_CHARS and (_is_edit_request(plain.strip()) or is_alarm(plain)):
        return True
    if len(sentence) > MAX_FOLLOW_UP_CHARS or _PATTERNS["value"].fullmatch(sentence):
        return False
    return _PATTERNS["follow_up"].fullmatch(sentence) is not None or _is_brief_request(plain.strip())


def _is_brief_request(sentence: str) -> bool:
    """Check whether a sentence only asks, sets a task, remarks on an answer or reports an error ("undo that")."""
    return any(
        pattern.fullmatch(sentence) and not _BRIEF_REQUESTS[f"states_{language}"].search(sentence)
        for language, pattern in _REQUEST_PATTERNS
    )


def _is_edit_request(sentence: str) -> bool:
    """Check whether a sentence asks to edit a text, a table or a program, and mentions neither people nor dates."""
    return any(_asks_for_edit(sentence, language) for language in EDIT_LANGUAGES)


def _asks_for_edit(sentence: str, language: str) -> bool:
    if _EDITS[f"literal_{language}"].match(sentence):
        return True
    is_edit = _EDITS[f"verb_{language}"].match(sentence) and _EDITS[f"part_{language}"].search(sentence)
    if not (is_edit or _EDITS[f"should_{language}"].match(sentence)):
        return False
    guards = (_EDITS["personal"], _BRIEF_REQUESTS.get(f"states_{language}"))
    return not any(guard.search(sentence) for guard in guards if guard)
