"""An OpenAI-compatible server on this machine, whose model does what a test tells it.

    with ScriptedOpenAI() as server:
        server.script.reply = lambda messages: "Hello."
        client = OpenAI(base_url=server.base_url, api_key="x")

Or as a process of its own: `python -m support.scripted_openai --token-delay 0.01`; the first line is its URL.
"""

import argparse
import asyncio
import base64
import json
import signal
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from support import openai_chat, openai_responses
from support.asgi_server import AsgiServer
from support.example_model import embed
from support.model_script import Gate, Message, ModelScript, ToolCall
from support.openai_wire import BadRequestError, ChatRequest, Frame, Json, ModelReply
from support.recording import Recording

__all__ = ["Gate", "Message", "ModelScript", "RecordedRequest", "ScriptedOpenAI", "ToolCall"]

EMBEDDINGS = "/v1/embeddings"
MODELS = ("scripted", "text-embedding-3-small")

_RETRY_NOW = {"retry-after-ms": "1"}  # OpenAI's own header: its clients retry at once instead of after 0.5 s


class Endpoint(Protocol):
    """An endpoint for answers: how it is asked, and how it writes them."""

    PATH: str

    def parse_request(self, body: Json) -> ChatRequest: ...
    def response_body(self, answer: ModelReply) -> Json: ...
    def stream_frames(self, answer: ModelReply) -> Iterator[Frame]: ...


ENDPOINTS: dict[str, Endpoint] = {dialect.PATH: dialect for dialect in (openai_chat, openai_responses)}


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """A request as it came in, `at` by `time.monotonic()`, before any delay, gate or failure."""

    path: str
    body: Json
    received_at: float

    @property
    def is_structured(self) -> bool:
        """Whether an answer in JSON was asked for."""
        return ENDPOINTS[self.path].parse_request(self.body).json_schema is not None

    @property
    def messages(self) -> list[Message]:
        """What a chat request gave the model to read."""
        return ENDPOINTS[self.path].parse_request(self.body).messages


class ScriptedOpenAI(AsgiServer):
    """The server, from enter to exit; `script` and `requests` may be used from any thread."""

    def __init__(self, script: ModelScript | None = None, *, port: int = 0) -> None:
        self.script = script or ModelScript()
        self._recording: Recording[RecordedRequest] = Recording()
        self._disconnects: Recording[float] = Recording()
        super().__init__(self._app(), port=port)
        self.base_url = f"{self.url}/v1"

    @property
    def requests(self) -> list[RecordedRequest]:
        return self._recording.items

    def count(self, path: str) -> int:
        return sum(request.path == path for request in self.requests)

    def chat_requests(self) -> list[RecordedRequest]:
        """The requests for an answer in words, to either endpoint."""
        return [r for r in self.requests if r.path in ENDPOINTS and not r.is_structured]

    def structured_requests(self) -> list[RecordedRequest]:
        return [r for r in self.requests if r.path in ENDPOINTS and r.is_structured]

    def embedded_texts(self) -> list[str]:
        bodies = (r.body for r in self.requests if r.path == EMBEDDINGS)
        return [text for body in bodies for text in _validated_texts(body["input"])]

    def block_until_request(self, path: str, n: int = 1, timeout_seconds: float = 5.0) -> RecordedRequest:
        """Return the n-th request to a path, from 1, as soon as it is there, or raise TimeoutError."""
        came = self._recording.wait_until(_has_requests(path, n), timeout_seconds=timeout_seconds)
        return [request for request in came if request.path == path][n - 1]

    async def wait_for_request(self, path: str, n: int = 1, timeout_seconds: float = 5.0) -> RecordedRequest:
        """Do as `wait_for`, without blocking the event loop."""
        return await asyncio.to_thread(self.block_until_request, path, n, timeout_seconds)

    async def wait_for_disconnect(self, n: int = 1) -> float:
        """Return when somebody closed the connection before the end of their answer, the n-th to do so, from 1."""
        return (await self._disconnects.wait_until_async(lambda left: len(left) >= n))[n - 1]

    def reset(self) -> None:
        """Forget the requests, let go what is held, and behave as a new server does."""
        for name, fresh in vars(ModelScript()).items():
            if isinstance(fresh, Gate):
                getattr(self.script, name).open()
            else:
                setattr(self.script, name, fresh)
        self._recording.clear()
        self._disconnects.clear()

    def _app(self) -> Starlette:
        return Starlette(
            routes=[
                Route(EMBEDDINGS, self._embeddings, methods=["POST"]),
                *(Route(path, self._complete, methods=["POST"]) for path in ENDPOINTS),
                Route("/v1/models", self._models),
                Route("/counts", self._counts),
            ],
            exception_handlers={HTTPException: _error_response, BadRequestError: _error_response},
        )

    async def _models(self, _: Request) -> Response:
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "keepsake"} for name in MODELS]
        return JSONResponse({"object": "list", "data": data})

    async def _counts(self, _: Request) -> Response:
        """Tell another process how many requests came to each path."""
        return JSONResponse(Counter(request.path for request in self.requests))

    async def _embeddings(self, request: Request) -> Response:
        body = await self._record(request)
        await self.script.embeddings_gate.wait()
        await asyncio.sleep(self.script.embedding_delay_seconds)
        _raise_for_status(self.script.embeddings_status)
        texts = _validated_texts(body["input"])
        dims = body.get("dimensions") or self.script.dims
        vectors = [embed(text, dims) for text in texts]
        plain = body.get("encoding_format", "float") == "float"
        written = [v.tolist() if plain else base64.b64encode(v.tobytes()).decode() for v in vectors]
        data = [{"object": "embedding", "index": n, "embedding": vector} for n, vector in enumerate(written)]
        tokens = sum(len(text.split()) for text in texts)
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return JSONResponse({"object": "list", "data": data, "model": body["model"], "usage": usage})

    async def _complete(self, request: Request) -> Response:
        dialect = ENDPOINTS[request.url.path]
        asked = dialect.parse_request(await self._record(request))
        said = await self._structured_reply(asked, asked.json_schema) if asked.json_schema else self._text_reply(asked)
        answer = ModelReply(asked, said)
        if asked.stream:
            frames = self._stream(dialect.stream_frames(answer), asked)
            return StreamingResponse(frames, media_type="text/event-stream")
        for n in range(max(1, len(answer.tokens))):
            await self._pause_before_token(n, asked)
        return JSONResponse(dialect.response_body(answer))

    def _text_reply(self, asked: ChatRequest) -> str | Sequence[ToolCall]:
        _raise_for_status(self.script.chat_status)
        return self.script.reply(asked.messages)

    async def _structured_reply(self, asked: ChatRequest, shape: Json) -> str:
        await self.script.structured_gate.wait()
        await asyncio.sleep(self.script.structured_delay_seconds)
        _raise_for_status(self.script.structured_status)
        found = self.script.structured(asked.messages, shape["schema"])
        return found if isinstance(found, str) else json.dumps(found)

    async def _stream(self, frames: Iterator[Frame], asked: ChatRequest) -> AsyncIterator[str]:
        n = 0
        try:
            for frame in frames:
                if frame.token:
                    await self._pause_before_token(n, asked)
                    n += 1
                yield frame.data
        except (asyncio.CancelledError, GeneratorExit):
            self._disconnects.add(time.monotonic())
            raise

    async def _pause_before_token(self, n: int, asked: ChatRequest) -> None:
        """Wait until the n-th token of a chat answer, from 0, is due."""
        if asked.json_schema:
            return
        script = self.script
        if n == script.disconnect_after_tokens:
            raise ConnectionAbortedError("the script cuts this answer off")
        if n == script.hold_after_tokens:
            await script.chat_gate.wait()
        await asyncio.sleep(script.token_delay_seconds if n else script.first_token_delay_seconds)

    async def _record(self, request: Request) -> Json:
        body: Json = await request.json()
        self._recording.add(RecordedRequest(request.url.path, body, time.monotonic()))
        return body


def _has_requests(path: str, n: int) -> Callable[[list[RecordedRequest]], bool]:
    return lambda requests: sum(request.path == path for request in requests) >= n


def _validated_texts(given: object) -> list[str]:
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise BadRequestError("'input' must be a text or a list of texts; tokens are not taken here")
    if "" in texts:
        raise BadRequestError("'input' cannot be an empty string")
    return texts


def _raise_for_status(status: int) -> None:
    if status != 200:
        raise HTTPException(status, "the script says so")


async def _error_response(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 400
    kind = "invalid_request_error" if status < 500 else "server_error"
    body = {"error": {"message": str(error), "type": kind, "param": None, "code": None}}
    return JSONResponse(body, status, headers=_RETRY_NOW)


def main(arguments: list[str] | None = None) -> None:
    """Serve until SIGTERM or SIGINT; delays are in seconds."""
    parser = argparse.ArgumentParser(prog="python -m support.scripted_openai")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--dims", type=int, default=ModelScript.dims)
    parser.add_argument("--embedding-delay", type=float, default=0.0)
    parser.add_argument("--first-token-delay", type=float, default=0.0)
    parser.add_argument("--token-delay", type=float, default=0.0)
    parser.add_argument("--structured-delay", type=float, default=0.0)
    parser.add_argument("--tokens", type=int, help="answer with so many words, whatever is asked")
    given = parser.parse_args(arguments)
    script = ModelScript(
        dims=given.dims,
        embedding_delay_seconds=given.embedding_delay,
        first_token_delay_seconds=given.first_token_delay,
        token_delay_seconds=given.token_delay,
        structured_delay_seconds=given.structured_delay,
    )
    if given.tokens:
        script.reply = lambda _: "word " * given.tokens
    stops = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, stops)
    with ScriptedOpenAI(script, port=given.port) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        signal.sigwait(stops)


if __name__ == "__main__":
    main()
