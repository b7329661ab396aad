"""Types and checks shared by OpenAI's chat completions and responses endpoints."""

import json
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from support.model_script import Citation, Message, ToolCall

Json = dict[str, Any]


class BadRequestError(Exception):
    """OpenAI rejects this request with 400."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A request to either endpoint."""

    model: str
    messages: list[Message]
    json_schema: Json | None
    """`{"name", "schema", "strict"}` for structured output; None: plain text."""
    stream: bool
    include_usage: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """One server-sent event; `token` if it contains part of the reply."""

    data: str
    token: bool = False


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The model's reply: a text or tool calls."""

    request: ChatRequest
    content: str | Sequence[ToolCall]
    finish_reason: str = "stop"
    """That of a text; empty: a stream ends without one."""
    citations: Sequence[Citation] = ()
    id: str = field(default_factory=lambda: uuid.uuid4().hex)

    @property
    def text(self) -> str:
        return self.content if isinstance(self.content, str) else ""

    @property
    def tool_calls(self) -> list[tuple[str, ToolCall]]:
        """(call id, call) pairs."""
        calls = () if isinstance(self.content, str) else self.content
        return [(f"call_{self.id}_{n}", call) for n, call in enumerate(calls)]

    @property
    def tokens(self) -> list[str]:
        """The words of the text, each with the white space that follows it."""
        return re.findall(r"\s+|\S+\s*", self.text)

    @property
    def token_counts(self) -> tuple[int, int]:
        """Token counts of prompt and reply; one word is one token."""
        return sum(len(str(message["content"]).split()) for message in self.request.messages), len(self.tokens)


def plain_text(content: str | list[Json] | None) -> str:
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""


def sse_frame(body: Json, *, name: str = "", token: bool = False) -> Frame:
    head = f"event: {name}\n" if name else ""
    return Frame(f"{head}data: {json.dumps(body)}\n\n", token)


def validated_schema(response_format: Json) -> Json | None:
    """Validate a response format and return it; None if it requests plain text."""
    if response_format.get("strict"):
        _check_strict(response_format["schema"], response_format["name"])
    return response_format if "schema" in response_format else None


def _check_strict(part: object, name: str) -> None:
    """Reject schemas that strict mode rejects: open objects and optional properties.

    References:
        https://platform.openai.com/docs/guides/structured-outputs, "Supported schemas".
    """
    if isinstance(part, list):
        for item in part:
            _check_strict(item, name)
    elif isinstance(part, Mapping):
        properties = part.get("properties")
        if part.get("type") == "object" and part.get("additionalProperties") is not False:
            raise BadRequestError(f"Invalid schema for '{name}': 'additionalProperties' must be false")
        if isinstance(properties, Mapping) and set(part.get("required", ())) != set(properties):
            raise BadRequestError(f"Invalid schema for '{name}': 'required' must hold every property")
        for item in part.values():
            _check_strict(item, name)
