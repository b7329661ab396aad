"""Messages in the form of LangChain's JSON."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from agent import InvalidInputError, Message, MessageId, ThreadId
from gateway.errors import UnsupportedError

Json = dict[str, Any]
Role = Literal["user", "assistant"]
MAX_MESSAGES = 100

_ROLES: Mapping[str, Role] = {"human": "user", "user": "user", "ai": "assistant", "assistant": "assistant"}
_EMPTY: Mapping[str, Any] = {"name": None, "additional_kwargs": {}, "response_metadata": {}}
_NO_TOOL_CALLS: Mapping[str, Any] = {"tool_calls": [], "invalid_tool_calls": [], "usage_metadata": None}


@dataclass(frozen=True, slots=True)
class InputMessage:
    """A message that a client sent; `id` is its id in Keepsake."""

    id: MessageId
    role: Role | None
    """None for messages of the system or of tools."""
    text: str


def message_json(message: Message) -> Json:
    """A message of the transcript."""
    if message.role == "user":
        return human_json(message.id, message.text)
    return ai_json(message.id, message.text, finish_reason=message.finish_reason)


def human_json(id: str, text: str) -> Json:  # noqa: A002 - the member's name
    """A message of the user."""
    return {"type": "human", "id": id, "content": text, **_EMPTY}


def ai_json(id: str, text: str, *, finish_reason: str | None = None, usage: Mapping[str, int] | None = None) -> Json:  # noqa: A002 - the member's name
    """A complete or partial answer."""
    return {"type": "ai", "id": id, "content": text, **_EMPTY, **_NO_TOOL_CALLS, **_ending(finish_reason, usage)}


def chunk_json(id: str, text: str) -> Json:  # noqa: A002 - the member's name
    """The next part of an answer, to be appended to the parts before."""
    return {"type": "AIMessageChunk", "id": id, "content": text, **_EMPTY, **_NO_TOOL_CALLS, "tool_call_chunks": []}


def last_chunk_json(id: str, finish_reason: str, usage: Mapping[str, int]) -> Json:  # noqa: A002 - the member's name
    """The part without text with which an answer ends."""
    return chunk_json(id, "") | _ending(finish_reason, usage)


def parse_messages(values: Mapping[str, Any], thread: ThreadId) -> list[InputMessage]:
    """Read the messages of a graph's input or of an update of its state.

    Raises:
        InvalidInputError: there are none, or there is something else.
        UnsupportedError: a message contains something other than text.
    """
    if unknown := set(values) - {"messages"}:
        raise InvalidInputError(f"the only input is messages, not {', '.join(sorted(unknown))[:100]}")
    given = values.get("messages")
    messages = given if isinstance(given, list) else [given]
    if not given or len(messages) > MAX_MESSAGES:
        raise InvalidInputError(f"messages must contain 1 to {MAX_MESSAGES} messages")
    return [_parse(message, thread) for message in messages]


def _parse(message: object, thread: ThreadId) -> InputMessage:
    if isinstance(message, str):
        message = {"type": "human", "content": message}
    if isinstance(message, list) and len(message) == 2:  # noqa: PLR2004 - role and content
        message = {"type": message[0], "content": message[1]}
    if not isinstance(message, dict):
        raise InvalidInputError("a message is an object with type and content")
    role = message.get("type") or message.get("role")
    if role == "remove":
        raise UnsupportedError("messages are not removed one by one; delete the thread")
    if not isinstance(role, str):
        raise InvalidInputError("a message has no type")
    return InputMessage(_id_of(message.get("id"), thread), _ROLES.get(role), _text_of(message.get("content")))


def _id_of(given: object, thread: ThreadId) -> MessageId:
    """Keep a UUID; derive one from any other id, so that sending a message again is a retry."""
    if given is None:
        return MessageId(str(uuid.uuid4()))
    if not isinstance(given, str) or len(given) > 200:  # noqa: PLR2004 - longer than any id of a client
        raise InvalidInputError("the id of a message is not a text of at most 200 characters")
    try:
        return MessageId(str(uuid.UUID(given)))
    except ValueError:
        name = given.encode("utf-8", "replace").decode()
        return MessageId(str(uuid.uuid5(uuid.UUID(thread), name)))


def _text_of(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise InvalidInputError("the content of a message is neither a text nor a list of blocks")
    return "\n".join(_text_of_block(block) for block in content)


def _text_of_block(block: object) -> str:
    if isinstance(block, str):
        return block
    if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str):
        return str(block["text"])
    raise UnsupportedError("messages contain text only")


def _ending(finish_reason: str | None, usage: Mapping[str, int] | None) -> Json:
    ending: Json = {"response_metadata": {"finish_reason": finish_reason}} if finish_reason else {}
    if usage:
        ending["usage_metadata"] = {**usage, "total_tokens": sum(usage.values())}
    return ending
