"""Scripts of models that call tools."""

from collections.abc import Callable, Sequence

from support.model_script import Message
from support.scripted_openai import ScriptedOpenAI, ToolCall

Reply = Callable[[list[Message]], str | Sequence[ToolCall]]


def call_once(name: str, **arguments: object) -> Reply:
    """Script a model that calls a tool once and then answers with its result."""

    def reply(messages: list[Message]) -> str | Sequence[ToolCall]:
        last = messages[-1]
        return str(last["content"]) if last["role"] == "tool" else [ToolCall(name, arguments)]

    return reply


def tool_names(model: ScriptedOpenAI) -> list[str]:
    """Return the names of the tools in the last request."""
    return [one["function"]["name"] for one in model.chat_requests()[-1].body.get("tools", [])]
