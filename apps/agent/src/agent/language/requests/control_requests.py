"""Recognise requests about memory as a whole ("pause your memory"), by their form in several languages."""

from dataclasses import dataclass
from typing import Literal

from agent.language.authorship.own_words import mask_quoted
from agent.language.parsing.sentences import Span, contains_request, plain_punctuation, sentences
from agent.language.pattern_files import load_patterns

Control = Literal[
    "pause", "resume", "status", "private", "incognito", "public", "conversation", "account", "transfer", "view"
]
"""What a request about memory as a whole asks for:

`pause`, `resume`: save nothing from now on, or save again;
`status`: whether messages are saved;
`private`: save nothing of this conversation, neither earlier messages nor later ones;
`incognito`: save nothing of what follows in this conversation;
`public`: save this conversation, after a request not to;
`conversation`: forget what was learned from this conversation;
`account`: delete the account;
`transfer`: export or import the memories;
`view`: where to see, edit and delete them.
"""

MAX_CHARS = 4_000  # the rest of a message is not examined
MAX_SENTENCES = 20  # further ones are not examined
MAX_SENTENCE_CHARS = 160

_PATTERNS = load_patterns("requests/memory_request_patterns")
_CONTROLS: tuple[Control, ...] = (
    *("pause", "resume", "status", "private", "incognito", "public", "conversation", "account", "transfer", "view"),
)
_EDGES = " \t\r\n.,;:!?…\u3002\uff01\uff1f\uff0c\"'¿¡()"


@dataclass(frozen=True, slots=True)
class ControlRequest:
    """A request about memory as a whole."""

    control: Control
    rest: str
    """What the message says besides, as far as it may be saved."""


def control_request(message: str) -> ControlRequest | None:
    """The first request about memory as a whole in a message: a sentence of its own, outside quotations.

    After a request for something else ("Answer this mail:"), such a sentence belongs to a text to work on.
    """
    head = message[:MAX_CHARS]
    if not _PATTERNS["control_trigger"].search(head):
        return None
    plain = plain_punctuation(mask_quoted(head))
    for start, stop in list(sentences(plain))[:MAX_SENTENCES]:
        if stop - start <= MAX_SENTENCE_CHARS and (control := _control_of(plain[start:stop])):
            is_own = not contains_request(plain[:start])
            return ControlRequest(control, _rest(control, message, (start, stop))) if is_own else None
    return None


def may_concern_data(message: str) -> bool:
    """Check for a sentence that may ask, in any words, to export, import, see or delete the user's data or account."""
    head = message[:MAX_CHARS]
    if not _PATTERNS["data_object"].search(head):
        return False
    plain = plain_punctuation(mask_quoted(head))
    found = (plain[start:stop] for start, stop in list(sentences(plain))[:MAX_SENTENCES])
    return any(_PATTERNS["data_object"].search(one) and _PATTERNS["data_verb"].search(one) for one in found)


def _control_of(sentence: str) -> Control | None:
    text = " ".join(sentence.split()).strip(_EDGES)
    texts = (text, _PATTERNS["tail"].sub("", text).strip(_EDGES))
    return next((control for control in _CONTROLS if any(map(_PATTERNS[control].fullmatch, texts))), None)


def _rest(control: Control, message: str, span: Span) -> str:
    """The rest of a message: after a request to pause, nothing is saved; before one to forget, neither."""
    before, after = message[: span[0]].strip(), message[span[1] :].strip()
    match control:
        case "private":
            return ""
        case "pause" | "incognito":
            return before
        case "conversation":
            return after
        case _:
            return " ".join(filter(None, (before, after)))
