"""A local OpenAI-compatible server with a scripted model.

    with ScriptedOpenAI() as server:
        server.script.reply = lambda messages: "Hello."
        client = OpenAI(base_url=server.base_url, api_key="x")

As a process: `python -m support.scripted_openai --token-delay 0.01`; the first line of output is its URL.
"""

import argparse
import asyncio
import base64
import itertools
import json
import signal
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from support.asgi_server import AsgiServer
from support.model_script import Citation, Gate, Message, ModelScript, ToolCall
from support.openai_wire import BadRequestError, ChatRequest, Frame, Json, ModelReply
from support.recorded_requests import ENDPOINTS, RecordedRequest, formations, has_requests
from support.recording import EVENT_SECONDS, Recording

__all__ = ["Citation", "Gate", "Message", "ModelScript", "RecordedRequest", "ScriptedOpenAI", "ToolCall"]

EMBEDDINGS = "/v1/embeddings"
MODERATIONS = "/v1/moderations"
MODELS = ("scripted", "text-embedding-3-small")


class ScriptedOpenAI(AsgiServer):
    """Runs the server between enter and exit; `script` and `requests` are thread-safe."""

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
        """Requests for plain text, to either endpoint."""
        return [r for r in self.requests if r.path in ENDPOINTS and not r.is_structured]

    def structured_requests(self) -> list[RecordedRequest]:
        return [r for r in self.requests if r.path in ENDPOINTS and r.is_structured]

    def formations(self, text: str) -> list[RecordedRequest]:
        """Requests for structured output that contain a text; those for other users of a shared model do not count."""
        return formations(self.requests, text)

    async def wait_for_chat(self, text: str, n: int = 1) -> None:
        """Wait for the n-th request for plain text (from 1) whose last message contains a text."""

        def is_meant(one: RecordedRequest) -> bool:
            return one.path in ENDPOINTS and not one.is_structured and text in str(one.messages[-1])

        await self._recording.wait_until_async(lambda requests: sum(map(is_meant, requests)) >= n)

    async def wait_for_formation(self, text: str) -> None:
        """Wait for a request for structured output that contains a text."""
        await self._recording.wait_until_async(lambda requests: bool(formations(requests, text)))

    def embedded_texts(self) -> list[str]:
        bodies = (r.body for r in self.requests if r.path == EMBEDDINGS)
        return [text for body in bodies for text in _validated_texts(body["input"])]

    def block_until_request(self, path: str, n: int = 1, timeout_seconds: float = EVENT_SECONDS) -> RecordedRequest:
        """Return the n-th request to a path (from 1) as soon as it arrives, or raise TimeoutError."""
        requests = self._recording.wait_until(has_requests(path, n), timeout_seconds=timeout_seconds)
        return [request for request in requests if request.path == path][n - 1]

    async def wait_for_request(self, path: str, n: int = 1, timeout_seconds: float = EVENT_SECONDS) -> RecordedRequest:
        """`block_until_request` without blocking the event loop."""
        return await asyncio.to_thread(self.block_until_request, path, n, timeout_seconds)

    async def wait_for_disconnect(self, n: int = 1) -> float:
        """Wait for the n-th client (from 1) to disconnect before the end of its reply; returns the monotonic time."""
        return (await self._disconnects.wait_until_async(lambda times: len(times) >= n))[n - 1]

    def reset(self) -> None:
        """Clear the recorded requests, open all gates and restore the default script."""
        for name, default in vars(ModelScript()).items():
            if isinstance(default, Gate):
                getattr(self.script, name).open()
            else:
                setattr(self.script, name, default)
        self._recording.clear()
        self._disconnects.clear()

    def _app(self) -> Starlette:
        return Starlette(
            routes=[
                Route(EMBEDDINGS, self._embeddings, methods=["POST"]),
                *(Route(path, self._complete, methods=["POST"]) for path in ENDPOINTS),
                Route(MODERATIONS, self._moderations, methods=["POST"]),
                Route("/v1/models", self._models),
                Route("/counts", self._counts),
                Route("/chats", self._chats),
            ],
            exception_handlers={HTTPException: _error_response, BadRequestError: _error_response},
        )

    async def _models(self, _: Request) -> Response:
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "keepsake"} for name in MODELS]
        return JSONResponse({"object": "list", "data": data})

    async def _counts(self, _: Request) -> Response:
        """The number of requests per path, for other processes."""
        return JSONResponse(Counter(request.path for request in self.requests))

    async def _chats(self, request: Request) -> Response:
        """Chat requests since a time that contain a text, for other processes."""
        since, text = float(request.query_params["since"]), request.query_params.get("containing", "")
        chats = (one for one in reversed(self.requests) if one.path in ENDPOINTS)
        recent = itertools.takewhile(lambda one: one.received_at >= since, chats)
        found = [{"at": one.received_at, "body": one.body} for one in recent if text in json.dumps(one.body)]
        return JSONResponse(found)

    async def _embeddings(self, request: Request) -> Response:
        body = await self._record(request)
        await self.script.embeddings_gate.wait()
        await asyncio.sleep(self.script.embedding_delay_seconds)
        self._raise_for_status(self.script.embeddings_status)
        texts = _validated_texts(body["input"])
        dims = (not self.script.ignores_dims and body.get("dimensions")) or self.script.dims
        vectors = [self.script.embed(text, dims) for text in texts]
        plain = body.get("encoding_format", "float") == "float"
        written = [v.tolist() if plain else base64.b64encode(v.tobytes()).decode() for v in vectors]
        data = [{"object": "embedding", "index": n, "embedding": vector} for n, vector in enumerate(written)]
        tokens = sum(len(text.split()) for text in texts)
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return JSONResponse({"object": "list", "data": data, "model": body["model"], "usage": usage})

    async def _moderations(self, request: Request) -> Response:
        body = await self._record(request)
        await self.script.moderations_gate.wait()
        await asyncio.sleep(self.script.moderation_delay_seconds)
        self._raise_for_status(self.script.moderations_status)
        results = [
            {"flagged": self.script.flagged(text), "categories": {}, "category_scores": {}}
            for text in _validated_texts(body["input"])
        ]
        return JSONResponse({"id": "modr-1", "model": body["model"], "results": results})

    async def _complete(self, request: Request) -> Response:
        endpoint = ENDPOINTS[request.url.path]
        chat_request = endpoint.parse_request(await self._record(request))
        content = (
            await self._structured_reply(chat_request, chat_request.json_schema)
            if chat_request.json_schema
            else self._text_reply(chat_request)
        )
        citations = () if chat_request.json_schema else self.script.citations
        reply = ModelReply(chat_request, content, self.script.finish_reason, citations)
        if chat_request.stream:
            frames = self._stream(endpoint.stream_frames(reply), chat_request)
            return StreamingResponse(frames, media_type="text/event-stream")
        for n in range(max(1, len(reply.tokens))):
            await self._pause_before_token(n, chat_request)
        return JSONResponse(endpoint.response_body(reply))

    def _text_reply(self, chat_request: ChatRequest) -> str | Sequence[ToolCall]:
        self._raise_for_status(self.script.chat_status)
        return self.script.reply(chat_request.messages)

    async def _structured_reply(self, chat_request: ChatRequest, json_schema: Json) -> str:
        await self.script.structured_gate.wait()
        await asyncio.sleep(self.script.structured_delay_seconds)
        self._raise_for_status(self.script.structured_status)
        output = self.script.structured(chat_request.messages, json_schema["schema"])
        return output if isinstance(output, str) else json.dumps(output)

    async def _stream(self, frames: Iterator[Frame], chat_request: ChatRequest) -> AsyncIterator[str]:
        n = 0
        try:
            for frame in frames:
                if frame.token:
                    await self._pause_before_token(n, chat_request)
                    n += 1
                yield frame.data
        except (asyncio.CancelledError, GeneratorExit):
            self._disconnects.add(time.monotonic())
            raise

    async def _pause_before_token(self, n: int, chat_request: ChatRequest) -> None:
        """Apply the script's delays and gate before the n-th token (from 0) of a chat reply."""
        if chat_request.json_schema:
            return
        script = self.script
        if n == script.disconnect_after_tokens:
            raise ConnectionAbortedError("the script drops this connection")
        if n == script.hold_after_tokens:
            await script.chat_gate.wait()
        await asyncio.sleep(script.token_delay_seconds if n else script.first_token_delay_seconds)

    async def _record(self, request: Request) -> Json:
        body: Json = await request.json()
        self._recording.add(RecordedRequest(request.url.path, body, time.monotonic()))
        if self.script.redirect_to:
            raise HTTPException(307, headers={"location": f"{self.script.redirect_to}{request.url.path}"})
        return body

    def _raise_for_status(self, status: int) -> None:
        if status != HTTPStatus.OK:
            pause = str(self.script.retry_after_seconds * 1000)  # OpenAI's header; clients wait for 0.5 s without it
            raise HTTPException(status, self.script.error_message, headers={"retry-after-ms": pause})


def _validated_texts(value: object) -> list[str]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise BadRequestError("'input' must be a string or a list of strings; token arrays are not supported")
    if "" in texts:
        raise BadRequestError("'input' cannot be an empty string")
    return texts


async def _error_response(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 400
    kind = "invalid_request_error" if status < 500 else "server_error"
    text, headers = (error.detail, error.headers) if isinstance(error, HTTPException) else (str(error), None)
    body = {"error": {"message": text, "type": kind, "param": None, "code": None}}
    return JSONResponse(body, status, headers=headers or {"retry-after-ms": "1"})


def main(arguments: list[str] | None = None) -> None:
    """Serve until SIGTERM or SIGINT; delay options are in seconds."""
    parser = argparse.ArgumentParser(prog="python -m support.scripted_openai")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--dims", type=int, default=ModelScript.dims)
    parser.add_argument("--embedding-delay", type=float, default=0.0)
    parser.add_argument("--first-token-delay", type=float, default=0.0)
    parser.add_argument("--token-delay", type=float, default=0.0)
    parser.add_argument("--structured-delay", type=float, default=0.0)
    parser.add_argument("--moderation-delay", type=float, default=0.0)
    parser.add_argument("--tokens", type=int, help="reply to every message with this many words")
    options = parser.parse_args(arguments)
    script = ModelScript(
        dims=options.dims,
        embedding_delay_seconds=options.embedding_delay,
        first_token_delay_seconds=options.first_token_delay,
        token_delay_seconds=options.token_delay,
        structured_delay_seconds=options.structured_delay,
        moderation_delay_seconds=options.moderation_delay,
    )
    if options.tokens:
        script.reply = lambda _: "word " * options.tokens
    stops = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, stops)
    with ScriptedOpenAI(script, port=options.port) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        signal.sigwait(stops)


if __name__ == "__main__":
    main()
