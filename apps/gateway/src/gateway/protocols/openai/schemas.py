"""Requests to `/v1`. Members that are not listed here are ignored.

References:
    platform.openai.com/docs/api-reference/chat/create and …/responses/create.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from gateway.schemas.base import Schema

Temperature = Annotated[float, Field(ge=0, le=2)]
TopP = Annotated[float, Field(ge=0, le=1)]
Penalty = Annotated[float, Field(ge=-2, le=2)]
TokenLimit = Annotated[int, Field(ge=1)]
FunctionName = Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")]


class ContentPart(Schema):
    """A part of a message; only texts are accepted."""

    type: str
    text: str = ""


Content = str | list[ContentPart] | None


class Conversation(Schema):
    """What both interfaces have in common."""

    model: str = ""
    """Empty: the default model."""
    stream: bool | None = None
    temperature: Temperature | None = None
    top_p: TopP | None = None
    metadata: dict[str, str] | None = None
    """`thread_id` names the thread that keeps the conversation; with `memory` = `false`, no memory is used."""
    user: str | None = None
    """A UUID, or a name after `thread:`, also names the thread."""


class FunctionCall(Schema):
    """A call of a function, as the model wrote it."""

    name: str
    arguments: str = ""


class ToolCall(Schema):
    """A tool call of an earlier answer."""

    id: str
    function: FunctionCall


class ChatMessage(Schema):
    """A message of a conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: Content = None
    tool_calls: list[ToolCall] | None = None
    tool_call_id: str = ""


class FunctionSchema(Schema):
    """A function that the client executes."""

    name: FunctionName
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class Tool(Schema):
    """A tool of the client."""

    type: Literal["function"]
    function: FunctionSchema


class FunctionChoice(Schema):
    """The function that the model must call."""

    function: FunctionCall


class StreamOptions(Schema):
    """Options of a stream."""

    include_usage: bool | None = None


class ChatRequest(Conversation):
    """A request to `/v1/chat/completions`."""

    messages: list[ChatMessage]
    stream_options: StreamOptions | None = None
    max_tokens: TokenLimit | None = None
    max_completion_tokens: TokenLimit | None = None
    stop: str | Annotated[list[str], Field(max_length=4)] | None = None
    n: int | None = None
    presence_penalty: Penalty | None = None
    frequency_penalty: Penalty | None = None
    seed: int | None = None
    tools: Annotated[list[Tool], Field(max_length=128)] | None = None
    tool_choice: Literal["auto", "none", "required"] | FunctionChoice | None = None
    parallel_tool_calls: bool | None = None
    response_format: dict[str, Any] | None = None
    logprobs: bool | None = None
    modalities: list[str] | None = None


class InputItem(Schema):
    """An item of the input of a response; only messages are accepted."""

    type: str = "message"
    role: Literal["system", "developer", "user", "assistant"] = "user"
    content: Content = None


class ResponseRequest(Conversation):
    """A request to `/v1/responses`."""

    input: str | list[InputItem]
    instructions: str | None = None
    max_output_tokens: TokenLimit | None = None
    previous_response_id: str | None = None
    conversation: str | dict[str, Any] | None = None
    background: bool | None = None
    tools: list[dict[str, Any]] | None = None
