"""Recognise requests to undo what the message before has forgotten or changed ("undo that"), in several languages."""

from agent.language.parsing.sentences import contains_request, is_small_talk, plain_punctuation
from agent.language.pattern_files import compile_lazily, read
from agent.language.requests.control_requests import Control, control_request
from agent.language.requests.list_choices import chosen_numbers
from agent.language.requests.memory_requests import memory_requests
from agent.language.requests.named_choices import NamedChoice
from agent.language.requests.value_requests import with_statements

MAX_CHARS = 80
MAX_ENTRIES = 20
"""Entries of a list from which the message before may choose."""

_OPPOSITES: dict[Control, Control] = {"pause": "resume", "resume": "pause", "private": "public", "incognito": "public"}
_PARTS = {name: "|".join(alternatives) for name, alternatives in read("requests/undo_requests.toml").items()}
_EDGE = rf"(?:{_PARTS['edge']}|[\s,.!?\u3002\uff01\uff0c]){{0,12}}"
_UNDO = compile_lazily(rf"{_EDGE}(?:{_PARTS['undo']}|{_PARTS['revert']}){_EDGE}")
_REVERT = compile_lazily(rf"{_EDGE}(?:{_PARTS['revert']}){_EDGE}")


def asks_to_undo(message: str, previous: str) -> bool:
    """Check whether a message asks to undo what the user's message before it asked to forget.

    Args:
        message: the message, which asks for nothing else.
        previous: the message before it, a request to forget or a choice from the list of memories to forget.
    """
    if not previous or not _is_undo(message):
        return False
    if (control := control_request(previous)) is not None:
        return control.control == "conversation"
    is_choice = chosen_numbers(previous, MAX_ENTRIES) is not None or NamedChoice.read(previous) is not None
    return is_choice or any(request.action == "forget" for request in memory_requests(previous))


def control_to_undo(message: str, previous: str) -> Control | None:
    """The request that undoes the one about memory as a whole in the message before; None if a message is none."""
    if not previous or not _is_undo(message) or not (control := control_request(previous)):
        return None
    return _OPPOSITES.get(control.control)


def asks_to_revert(message: str, previous: str) -> bool:
    """Check whether a message asks to undo what the user's message before it has stated, changed or saved.

    Args:
        message: the message, which asks for nothing else.
        previous: the message before it. If it asks for something else, that may be what is to be undone.
    """
    if not previous or len(message) > MAX_CHARS or not _REVERT.fullmatch(plain_punctuation(message).strip()):
        return False
    if control_request(previous) is not None:
        return False
    requests = memory_requests(previous)
    if requests:
        return all(request.action == "remember" for request in requests)
    text = with_statements(previous)
    return not contains_request(text) and not is_small_talk(text)


def _is_undo(message: str) -> bool:
    return len(message) <= MAX_CHARS and _UNDO.fullmatch(plain_punctuation(message).strip()) is not None
