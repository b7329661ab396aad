"""`POST /v1/responses`: answers as plain text, and their streams."""

import json
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from agent import AgentError, CompletionRequest
from gateway.problems import openai_error, problem_of
from gateway.protocols.openai.outputs import End, Outputs

_INCOMPLETE = {"length": "max_output_tokens", "content_filter": "content_filter"}


@dataclass(frozen=True, slots=True)
class TextResponse:
    """The members that all states of a response have in common."""

    model: str
    request: CompletionRequest
    id: str = field(default_factory=lambda: f"resp_{uuid.uuid4().hex}")
    item_id: str = field(default_factory=lambda: f"msg_{uuid.uuid4().hex}")
    created: int = field(default_factory=lambda: int(time.time()))

    async def collect(self, outputs: Outputs) -> dict[str, Any]:
        """Wait for the complete response."""
        texts: list[str] = []
        end = End()
        async with aclosing(outputs):
            async for output in outputs:
                if isinstance(output, str):
                    texts.append(output)
                elif isinstance(output, End):
                    end = output
        return self._completed("".join(texts), end)

    async def stream(self, outputs: Outputs) -> AsyncIterator[bytes]:
        """Write the response as server-sent events; an error ends them."""
        numbers, texts, end = count(), list[str](), End()

        def frame(kind: str, **data: Any) -> bytes:  # noqa: ANN401 - JSON
            event = {"type": kind, "sequence_number": next(numbers), **data}
            return f"event: {kind}\ndata: {json.dumps(event)}\n\n".encode()

        place = {"item_id": self.item_id, "output_index": 0, "content_index": 0}
        started = self._response("in_progress")
        yield frame("response.created", response=started)
        yield frame("response.in_progress", response=started)
        yield frame("response.output_item.added", output_index=0, item=self._item("in_progress"))
        yield frame("response.content_part.added", **place, part=_part(""))
        try:
            async with aclosing(outputs):
                async for output in outputs:
                    if isinstance(output, str):
                        texts.append(output)
                        yield frame("response.output_text.delta", **place, delta=output, logprobs=[])
                    elif isinstance(output, End):
                        end = output
        except AgentError as error:
            _, body = openai_error(problem_of(error))
            fault = {"code": body["code"], "message": body["message"]}
            yield frame("error", **fault, param=body["param"])
            yield frame("response.failed", response=self._response("failed") | {"error": fault})
            return
        text = "".join(texts)
        response = self._completed(text, end)
        yield frame("response.output_text.done", **place, text=text, logprobs=[])
        yield frame("response.content_part.done", **place, part=_part(text))
        yield frame("response.output_item.done", output_index=0, item=response["output"][0])
        yield frame(f"response.{response['status']}", response=response)

    def _completed(self, text: str, end: End) -> dict[str, Any]:
        reason = _INCOMPLETE.get(end.finish_reason)
        status = "incomplete" if reason else "completed"
        prompt, answer = end.usage.get("input_tokens", 0), end.usage.get("output_tokens", 0)
        usage = {
            "input_tokens": prompt,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": answer,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": prompt + answer,
        }
        return self._response(status) | {
            "output": [self._item(status, _part(text))],
            "usage": usage,
            "incomplete_details": {"reason": reason} if reason else None,
        }

    def _response(self, status: str) -> dict[str, Any]:
        return {
            "id": self.id,
            "object": "response",
            "created_at": self.created,
            "status": status,
            "background": False,
            "error": None,
            "incomplete_details": None,
            "instructions": self.request.instructions or None,
            "max_output_tokens": self.request.max_tokens,
            "metadata": {},
            "model": self.model,
            "output": [],
            "parallel_tool_calls": True,
            "previous_response_id": None,
            "store": False,
            "temperature": self.request.call_kwargs.get("temperature"),
            "text": {"format": {"type": "text"}},
            "tool_choice": "auto",
            "tools": [],
            "top_p": self.request.call_kwargs.get("top_p"),
            "truncation": "auto",
            "usage": None,
        }

    def _item(self, status: str, *parts: dict[str, Any]) -> dict[str, Any]:
        return {"id": self.item_id, "type": "message", "status": status, "role": "assistant", "content": list(parts)}


def _part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
