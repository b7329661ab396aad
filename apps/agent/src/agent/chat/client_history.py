"""Messages of a client's conversation as messages of the chat graph."""

import json
from collections.abc import Mapping

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.tool import invalid_tool_call, tool_call

from agent.completions import ClientMessage, CompletionRequest, ToolCall
from agent.text import replace_unstorable_json
from agent.types import MessageId


def client_history(request: CompletionRequest, ids: Mapping[int, MessageId]) -> list[AnyMessage]:
    """Convert the instructions and the messages of a conversation.

    Args:
        request: the conversation, which is sanitised.
        ids: the ids of the user's messages, by their index. Memories that come only from these are not recalled.
    """
    instructions = [SystemMessage(request.instructions)] if request.instructions else []
    return [*instructions, *(_convert(message, ids.get(n)) for n, message in enumerate(request.messages))]


def client_calls(message: AnyMessage, request: CompletionRequest) -> list[ToolCall]:
    """The calls of the client's functions in a message of the model, also those whose arguments are no JSON."""
    if not isinstance(message, AIMessage):
        return []
    names = request.tool_names
    calls = [ToolCall(call["id"] or "", call["name"], _to_json(call["args"])) for call in message.tool_calls]
    calls += [ToolCall(call["id"] or "", call["name"] or "", call["args"] or "") for call in message.invalid_tool_calls]
    return [call for call in calls if call.name in names]


def without_client_calls(message: AIMessage, request: CompletionRequest) -> AIMessage:
    """Remove the calls of the client's functions, so that the model repeats them after the results of the others."""
    kept = [call for call in message.tool_calls if call["name"] not in request.tool_names]
    return message.model_copy(update={"tool_calls": kept, "invalid_tool_calls": [], "additional_kwargs": {}})


def only_client_calls(message: AIMessage, request: CompletionRequest) -> AIMessage:
    """Remove all calls except those of the client's functions."""
    names = request.tool_names
    kept = [call for call in message.tool_calls if call["name"] in names]
    invalid = [call for call in message.invalid_tool_calls if call["name"] in names]
    return message.model_copy(update={"tool_calls": kept, "invalid_tool_calls": invalid, "additional_kwargs": {}})


def _convert(message: ClientMessage, message_id: MessageId | None) -> AnyMessage:
    if message.role == "user":
        return HumanMessage(message.text.strip(), id=message_id)
    if message.role == "tool":
        return ToolMessage(message.text, tool_call_id=message.tool_call_id)
    valid, invalid = [], []
    for call in message.tool_calls:
        arguments = _parse_arguments(call.arguments)
        if isinstance(arguments, dict):
            valid.append(tool_call(name=call.name, args=arguments, id=call.id))
        else:
            invalid.append(invalid_tool_call(name=call.name, args=call.arguments, id=call.id, error=None))
    return AIMessage(message.text, tool_calls=valid, invalid_tool_calls=invalid)


def _parse_arguments(arguments: str) -> object:
    """Parse the arguments of a call; None if they are not JSON, or are nested too deeply."""
    try:
        return replace_unstorable_json(json.loads(arguments or "{}"))  # an escaped surrogate is one only now
    except (ValueError, RecursionError):
        return None


def _to_json(arguments: dict[str, object]) -> str:
    return json.dumps(arguments, ensure_ascii=False)
