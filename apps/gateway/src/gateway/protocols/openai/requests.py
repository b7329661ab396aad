"""Conversion of requests to the conversations that the agent continues."""

import uuid
from collections.abc import Iterable, Sequence
from typing import Any

import agent as api
from agent import ClientMessage, CompletionRequest, InvalidInputError, ThreadId, ToolCall, UserId
from gateway.protocols.openai.schemas import (
    ChatMessage,
    ChatRequest,
    Content,
    Conversation,
    FunctionChoice,
    ResponseRequest,
)

THREAD_PREFIX = "thread:"
MAX_THREAD_NAME_CHARS = 256

_SYSTEM = frozenset({"system", "developer"})
_TEXT_PARTS = frozenset({"text", "input_text", "output_text", "refusal"})
_CALL_OPTIONS = ("temperature", "top_p", "presence_penalty", "frequency_penalty", "seed")


def chat_conversation(user: UserId, body: ChatRequest) -> CompletionRequest:
    """Convert a request to `/v1/chat/completions`.

    Raises:
        InvalidInputError: the request contains no message of the user, or something that is not supported.
    """
    _require(body.n in {None, 1}, "n: Only one answer is generated")
    _require(not body.logprobs, "logprobs: Log probabilities are not supported")
    _require(not set(body.modalities or ()) - {"text"}, "modalities: Only text is supported")
    options: dict[str, Any] = {name: value for name in _CALL_OPTIONS if (value := getattr(body, name)) is not None}
    if stop := [body.stop] if isinstance(body.stop, str) else body.stop:
        options["stop"] = stop
    if body.tools and body.parallel_tool_calls is not None:
        options["parallel_tool_calls"] = body.parallel_tool_calls
    if body.response_format and body.response_format.get("type") != "text":
        options["extra_body"] = {"response_format": body.response_format}
    tools = [tool.model_dump(exclude_none=True) for tool in body.tools or ()]
    choice = body.tool_choice
    request = CompletionRequest(
        messages=_dialogue(body.messages),
        instructions=_instructions(body.messages),
        tools=tuple(tools),
        tool_choice=choice.function.name if isinstance(choice, FunctionChoice) else choice if tools else None,
        call_kwargs=options,
        max_tokens=body.max_completion_tokens or body.max_tokens,
        model=body.model or None,
        memory=_memory(body),
        thread=_thread(user, body),
    )
    choices = {None, "auto", "none", "required", *request.tool_names}
    _require(request.tool_choice in choices, "tool_choice: No such tool")
    return request.sanitised()


def response_conversation(user: UserId, body: ResponseRequest) -> CompletionRequest:
    """Convert a request to `/v1/responses`.

    Raises:
        InvalidInputError: the request contains no message of the user, or something that is not supported.
    """
    _require(not body.tools, "tools: Use /v1/chat/completions for tools")
    _require(not body.background, "background: Not supported")
    _require(
        body.previous_response_id is None and body.conversation is None,
        "previous_response_id: Responses are not stored; send the conversation in the input",
    )
    if isinstance(body.input, str):
        messages = [ChatMessage(role="user", content=body.input)]
    else:
        _require(all(item.type == "message" for item in body.input), "input: Only messages are supported")
        messages = [ChatMessage(role=item.role, content=item.content) for item in body.input]
    options = {name: value for name in ("temperature", "top_p") if (value := getattr(body, name)) is not None}
    request = CompletionRequest(
        messages=_dialogue(messages),
        instructions="\n\n".join(filter(None, [body.instructions, _instructions(messages)])),
        call_kwargs=options,
        max_tokens=body.max_output_tokens,
        model=body.model or None,
        memory=_memory(body),
        thread=_thread(user, body),
    )
    return request.sanitised()


def _dialogue(messages: Sequence[ChatMessage]) -> tuple[ClientMessage, ...]:
    dialogue = tuple(_message(message) for message in messages if message.role not in _SYSTEM)
    _require(any(message.role == "user" for message in dialogue), "messages: There must be a message of the user")
    return dialogue


def _message(message: ChatMessage) -> ClientMessage:
    calls = tuple(ToolCall(call.id, call.function.name, call.function.arguments) for call in message.tool_calls or ())
    _require(message.role != "tool" or bool(message.tool_call_id), "messages: A tool's message needs a tool_call_id")
    role: Any = message.role
    return ClientMessage(role, _text(message.content), calls if role == "assistant" else (), message.tool_call_id)


def _instructions(messages: Iterable[ChatMessage]) -> str:
    return "\n\n".join(filter(None, (_text(one.content) for one in messages if one.role in _SYSTEM)))


def _text(content: Content) -> str:
    if not isinstance(content, list):
        return content or ""
    for part in content:
        _require(part.type in _TEXT_PARTS, "messages: Only text is supported, no images, audio or files")
    return "\n".join(part.text for part in content)


def _memory(body: Conversation) -> bool:
    return (body.metadata or {}).get("memory", "").lower() not in {"false", "off", "0"}


def _thread(user: UserId, body: Conversation) -> ThreadId | None:
    """The thread that a request names; a name other than a UUID stands for a thread of this user only."""
    name = (body.metadata or {}).get("thread_id", "")
    if not name and body.user:
        name = body.user.removeprefix(THREAD_PREFIX) if body.user.startswith(THREAD_PREFIX) else _uuid(body.user)
    if not name:
        return None
    _require(len(name) <= MAX_THREAD_NAME_CHARS, "metadata: The thread_id is too long")
    return ThreadId(_uuid(name) or str(uuid.uuid5(uuid.NAMESPACE_OID, f"{user}/{name.encode('utf-8', 'replace')!r}")))


def _uuid(text: str) -> str:
    try:
        return api.parse_uuid(text)
    except api.InvalidIdError:
        return ""


def _require(condition: bool, problem: str) -> None:  # noqa: FBT001 - an assertion about the request
    if not condition:
        raise InvalidInputError(problem)
