"""Completions: answers in conversations that their clients keep, and send with each request.

Each of the user's messages has an id that is derived from the user, its text and everything before it. The same request
therefore names the same message, however often it is sent.
"""

import hashlib
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import TypeAdapter

from agent.errors import InvalidInputError
from agent.text import replace_unstorable, replace_unstorable_json
from agent.types import MessageId, ThreadId, UserId

MAX_RECENT_MESSAGES = 50
"""How much of a kept thread precedes a message that is sent without earlier ones."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool that the client executes."""

    id: str
    name: str
    arguments: str
    """As the model wrote them, usually a JSON object."""


@dataclass(frozen=True, slots=True)
class ClientMessage:
    """A message of a conversation that its client keeps."""

    role: Literal["user", "assistant", "tool"]
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    """Of an assistant's message."""
    tool_call_id: str = ""
    """The call of which a tool's message is the result."""
    id: str = ""
    """The id in the transcript, if the message is from there."""

    def sanitised(self) -> "ClientMessage":
        """Replace characters that can be neither stored nor sent."""
        calls = tuple(ToolCall(*map(replace_unstorable, (one.id, one.name, one.arguments))) for one in self.tool_calls)
        text, tool_call_id = replace_unstorable(self.text), replace_unstorable(self.tool_call_id)
        return replace(self, text=text, tool_calls=calls, tool_call_id=tool_call_id)


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """A request to continue a conversation, which contains at least one message of the user."""

    messages: tuple[ClientMessage, ...]
    """The last message of the user is the question; what follows it is the beginning of the answer."""
    instructions: str = ""
    """The client's system messages."""
    tools: tuple[Mapping[str, Any], ...] = ()
    """Schemas of the functions that the client executes, in OpenAI's format."""
    tool_choice: str | None = None
    """`auto`, `none`, `required` or the name of a function; None for the default."""
    call_kwargs: Mapping[str, Any] = field(default_factory=dict)
    """Keyword arguments of the model call, such as `temperature`."""
    max_tokens: int | None = None
    model: str | None = None
    memory: bool = True
    """Allow the turn to read and write memory."""
    thread: ThreadId | None = None
    """The thread that keeps the conversation; None if only the client does."""

    def as_dict(self) -> dict[str, Any]:
        """The request as a JSON object."""
        return dict(_ADAPTER.dump_python(self, mode="json"))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "CompletionRequest":
        """Create a request from the result of `as_dict`."""
        return _ADAPTER.validate_python(data)

    @property
    def question_index(self) -> int:
        """The index of the last message of the user."""
        return max(n for n, message in enumerate(self.messages) if message.role == "user")

    @property
    def question(self) -> ClientMessage:
        """The last message of the user, the only one that enters the inbox."""
        return self.messages[self.question_index]

    @property
    def tool_names(self) -> frozenset[str]:
        """The names of the client's functions."""
        return frozenset(tool["function"]["name"] for tool in self.tools)

    @property
    def requires_tool(self) -> bool:
        """Whether the model must call one of the client's functions next."""
        return self.tool_choice not in {None, "auto", "none"}

    @property
    def moderated_text(self) -> str:
        """The instructions and all messages: the client writes those of the assistant, too."""
        texts = [text for one in self.messages for text in (one.text, *(call.arguments for call in one.tool_calls))]
        return "\n\n".join(filter(None, [self.instructions, *texts]))

    def sanitised(self) -> "CompletionRequest":
        """Replace characters that can be neither stored nor sent, except in the question, which is validated.

        Raises:
            InvalidInputError: the schema of a tool or of the answer is nested too deeply.
        """
        question, instructions = self.question, replace_unstorable(self.instructions)
        messages = tuple(one if one is question else one.sanitised() for one in self.messages)
        try:
            tools, call_kwargs = replace_unstorable_json([self.tools, dict(self.call_kwargs)])
        except RecursionError as error:
            raise InvalidInputError("the schema of a tool or of the answer is nested too deeply") from error
        return replace(self, messages=messages, instructions=instructions, tools=tuple(tools), call_kwargs=call_kwargs)

    @property
    def chars(self) -> int:
        """The length of all messages."""
        return len(self.instructions) + sum(len(message.text) for message in self.messages)


_ADAPTER = TypeAdapter(CompletionRequest)


def message_ids(user: UserId, request: CompletionRequest) -> Mapping[int, MessageId]:
    """Derive the ids of the user's messages, by their index; those from the transcript keep theirs.

    System messages do not count: many clients write the current time into them.
    """
    digest = hashlib.sha256(f"{user}\0{request.thread or ''}\0".encode())
    ids: dict[int, MessageId] = {}
    for n, message in enumerate(request.messages):
        calls = [[call.name, call.arguments] for call in message.tool_calls]
        digest.update(json.dumps([message.role, message.text.strip(), calls]).encode() + b"\n")
        if message.role == "user":
            ids[n] = MessageId(message.id or str(uuid.UUID(bytes=digest.digest()[:16], version=5)))
    return ids


def thread_of(message: MessageId) -> ThreadId:
    """Derive the id of the unlisted thread that a conversation's first known message creates."""
    return ThreadId(str(uuid.uuid5(uuid.UUID(message), "thread")))


def previous_question(request: CompletionRequest, ids: Mapping[int, MessageId]) -> MessageId | None:
    """The id of the user's message before the question; None if there is none."""
    return next((ids[n] for n in sorted(ids, reverse=True) if n < request.question_index), None)
