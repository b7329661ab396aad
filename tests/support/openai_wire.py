"""What OpenAI's two endpoints for answers have in common."""

import json
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from support.model_script import Message, ToolCall

Json = dict[str, Any]


class BadRequestError(Exception):
    """The request is one that OpenAI refuses with 400."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A request for an answer, the same from either endpoint."""

    model: str
    messages: list[Message]
    json_schema: Json | None
    """`{"name", "schema", "strict"}` of the JSON that is wanted; None: words are."""
    stream: bool
    include_usage: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """One server-sent event; `token` when it carries a piece of the answer."""

    data: str
    token: bool = False


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What the model says: a text, or calls of tools."""

    request: ChatRequest
    content: str | Sequence[ToolCall]
    id: str = field(default_factory=lambda: uuid.uuid4().hex)

    @property
    def text(self) -> str:
        return self.content if isinstance(self.content, str) else ""

    @property
    def tool_calls(self) -> list[tuple[str, ToolCall]]:
        """Each call with its id."""
        calls = () if isinstance(self.content, str) else self.content
        return [(f"call_{self.id}_{n}", call) for n, call in enumerate(calls)]

    @property
    def tokens(self) -> list[str]:
        """The text in words, each with the white space after it."""
        return re.findall(r"\s+|\S+\s*", self.text)

    @property
    def token_counts(self) -> tuple[int, int]:
        """The tokens of prompt and answer, by words."""
        return sum(len(str(message["content"]).split()) for message in self.request.messages), len(self.tokens)


def plain_text(content: str | list[Json] | None) -> str:
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""


def sse_frame(body: Json, *, name: str = "", token: bool = False) -> Frame:
    head = f"event: {name}\n" if name else ""
    return Frame(f"{head}data: {json.dumps(body)}\n\n", token)


def validated_schema(shape: Json) -> Json | None:
    """Return the shape when it is one of JSON, None when it is one of words."""
    if shape.get("strict"):
        _check_strict(shape["schema"], shape["name"])
    return shape if "schema" in shape else None


def _check_strict(part: object, name: str) -> None:
    """Refuse what strict mode refuses: an object that is open, or a property that may be left out.

    References:
        https://platform.openai.com/docs/guides/structured-outputs, "Supported schemas".
    """
    if isinstance(part, list):
        for each in part:
            _check_strict(each, name)
    elif isinstance(part, Mapping):
        properties = part.get("properties")
        if part.get("type") == "object" and part.get("additionalProperties") is not False:
            raise BadRequestError(f"Invalid schema for '{name}': 'additionalProperties' must be false")
        if isinstance(properties, Mapping) and set(part.get("required", ())) != set(properties):
            raise BadRequestError(f"Invalid schema for '{name}': 'required' must hold every property")
        for each in part.values():
            _check_strict(each, name)
