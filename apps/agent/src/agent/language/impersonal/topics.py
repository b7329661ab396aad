"""Recognise messages that only go on with the general question, or the task, that their author set before them."""

from agent.language.grounding.checks import significant_stems
from agent.language.grounding.support import is_about_user
from agent.language.impersonal.statements import is_free_of_life, split_content
from agent.language.parsing.sentences import plain_punctuation
from agent.language.pattern_files import load_patterns

MAX_CHARS = 120
MAX_REQUEST_CHARS = 300

_PATTERNS = load_patterns("impersonal/topics.toml")


def continues_topic(message: str, request: str) -> bool:
    """Check whether a message remarks on the answer to a general request: "it's Ankara, not Istanbul".

    Args:
        message: the message; nothing in it may concern its author's life.
        request: the author's message before it. If this is about the author, so may be what follows.
    """
    if len(message) > MAX_CHARS or len(request) > MAX_REQUEST_CHARS:
        return False
    asked = _PATTERNS["addressing"].sub(" ", plain_punctuation(request)).strip()
    kinds = _kinds(asked)
    if not kinds or is_about_user(asked):
        return False
    plain, start = split_content(message)
    remarks = [plain[begin:].rstrip(" .!") for begin in (0, start)]
    is_remark = any(_PATTERNS[kind].fullmatch(remark) for kind in kinds for remark in remarks)
    return (is_remark or _concludes(plain, asked)) and is_free_of_life(plain) and is_free_of_life(asked)


def _concludes(plain: str, asked: str) -> bool:
    """Check for a conclusion from an answer, with a word of the request: "so TCP is reliable"."""
    return _PATTERNS["conclusion"].match(plain) is not None and bool(
        significant_stems(plain) & significant_stems(asked)
    )


def _kinds(asked: str) -> tuple[str, ...]:
    """The kinds of remarks that may follow a request; empty if it is not of a general kind."""
    if _PATTERNS["program"].match(asked):
        return ("failure",)
    if not _PATTERNS["knowledge"].match(asked):
        return ()
    contrast = ("contrast",) if _PATTERNS["value"].match(asked) else ()
    event = ("event",) if _PATTERNS["work"].search(asked) else ()
    return (*contrast, "comparison", *event)
