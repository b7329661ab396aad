"""The requests that the scripted server has received."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from support import openai_chat, openai_responses
from support.model_script import Message
from support.openai_wire import ChatRequest, Frame, Json, ModelReply


class Endpoint(Protocol):
    """An endpoint's wire format."""

    PATH: str

    def parse_request(self, body: Json) -> ChatRequest: ...
    def response_body(self, answer: ModelReply) -> Json: ...
    def stream_frames(self, answer: ModelReply) -> Iterator[Frame]: ...


ENDPOINTS: dict[str, Endpoint] = {endpoint.PATH: endpoint for endpoint in (openai_chat, openai_responses)}


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """A request, recorded before any delay, gate or failure; `received_at` is `time.monotonic()`."""

    path: str
    body: Json
    received_at: float

    @property
    def is_structured(self) -> bool:
        """True if the request asks for structured output."""
        return ENDPOINTS[self.path].parse_request(self.body).json_schema is not None

    @property
    def messages(self) -> list[Message]:
        """The messages of a chat request."""
        return ENDPOINTS[self.path].parse_request(self.body).messages


def has_requests(path: str, n: int) -> Callable[[list[RecordedRequest]], bool]:
    """Check for at least n requests to a path."""
    return lambda requests: sum(request.path == path for request in requests) >= n


def formations(requests: Sequence[RecordedRequest], text: str) -> list[RecordedRequest]:
    """The requests for structured output that contain a text."""
    return [one for one in requests if one.path in ENDPOINTS and one.is_structured and text in str(one.messages)]
