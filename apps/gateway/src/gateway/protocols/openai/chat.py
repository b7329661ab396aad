"""`POST /v1/chat/completions`: answers and their streams."""

import json
import time
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from agent import AgentError, ToolCall
from gateway.problems import openai_error, problem_of
from gateway.protocols.openai.outputs import End, Outputs

DONE = b"data: [DONE]\n\n"


@dataclass(frozen=True, slots=True)
class ChatCompletion:
    """The members that all parts of an answer have in common."""

    model: str
    id: str = field(default_factory=lambda: f"chatcmpl-{uuid.uuid4().hex}")
    created: int = field(default_factory=lambda: int(time.time()))

    async def collect(self, outputs: Outputs) -> dict[str, Any]:
        """Wait for the complete answer."""
        texts: list[str] = []
        calls: Sequence[ToolCall] = ()
        end = End()
        async with aclosing(outputs):
            async for output in outputs:
                match output:
                    case str(text):
                        texts.append(text)
                    case End():
                        end = output
                    case _:
                        calls = output
        message: dict[str, Any] = {"role": "assistant", "content": "".join(texts) or None, "refusal": None}
        if calls:
            message["tool_calls"] = [_tool_call(call) for call in calls]
        elif not texts:
            message["content"] = ""
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": end.finish_reason}
        return {**self._head("chat.completion"), "choices": [choice], "usage": _usage(end)}

    async def stream(self, outputs: Outputs, *, include_usage: bool) -> AsyncIterator[bytes]:
        """Write the answer as server-sent events; an error ends them."""
        usage = {"usage": None} if include_usage else {}
        start, finish = self._token_template(usage)
        yield self._chunk({"role": "assistant", "content": "", "refusal": None}, usage)
        try:
            async with aclosing(outputs):
                async for output in outputs:
                    match output:
                        case str(text):
                            # ASCII only: some clients treat U+2028 and similar characters as line breaks.
                            yield f"{start}{json.dumps(text)}{finish}".encode()
                        case End():
                            yield self._chunk({}, usage, output.finish_reason)
                            if include_usage:
                                yield _frame(
                                    {**self._head("chat.completion.chunk"), "choices": [], "usage": _usage(output)}
                                )
                        case calls:
                            indexed = [{"index": n, **_tool_call(call)} for n, call in enumerate(calls)]
                            yield self._chunk({"tool_calls": indexed}, usage)
        except AgentError as error:
            _, body = openai_error(problem_of(error))
            yield _frame({"error": body})
            return
        yield DONE

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}

    def _chunk(self, delta: dict[str, Any], usage: dict[str, None], reason: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return _frame({**self._head("chat.completion.chunk"), "choices": [choice], **usage})

    def _token_template(self, usage: dict[str, None]) -> tuple[str, str]:
        """What precedes and follows the text in the chunk of a token; there is one chunk per token."""
        start, _, finish = self._chunk({"content": "\0"}, usage).decode().partition('"\\u0000"')
        return start, finish


def _tool_call(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _usage(end: End) -> dict[str, Any]:
    prompt, completion = end.usage.get("input_tokens", 0), end.usage.get("output_tokens", 0)
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _frame(data: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()
