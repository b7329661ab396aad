"""A local LangSmith endpoint that records the runs and the feedback it receives.

with LangSmithCapture() as langsmith:
    client = Client(api_url=langsmith.url, api_key="x")
"""

import json
import uuid
from collections.abc import Callable, Iterable, Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import HTTP
from typing import Any

import zstandard
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from support.asgi_server import AsgiServer
from support.model_script import Gate
from support.recording import Recording

Run = dict[str, Any]
"""A LangSmith run (`id`, `name`, `inputs`, `outputs`, `extra` …), or part of one."""

Feedback = dict[str, Any]
"""LangSmith's feedback on a run (`id`, `run_id`, `key`, `score`, `comment` …)."""


class LangSmithCapture(AsgiServer):
    """Serves the endpoint between enter and exit; `runs` can be read from any thread.

    Args:
        multipart: advertise `/runs/multipart` instead of `/runs/batch`.
        zstd: advertise zstd compression of multipart bodies.
    """

    def __init__(self, *, multipart: bool = True, zstd: bool = True) -> None:
        self._parts: Recording[Run] = Recording()
        self._gate = Gate()
        self._held: Recording[str] = Recording()
        self._feedback: Recording[tuple[Feedback, ...]] = Recording()
        self.project = str(uuid.uuid4())
        """The id of the only project."""
        self._info = {
            "version": "0.0.0",
            "batch_ingest_config": {
                "use_multipart_endpoint": multipart,
                "size_limit": 100,
                "size_limit_bytes": 20_000_000,
                "scale_up_nthreads_limit": 1,
                "scale_up_qsize_trigger": 1000,
                "scale_down_nempty_trigger": 4,
            },
            "instance_flags": {"zstd_compression_enabled": zstd},
        }
        super().__init__(self._app())

    @property
    def runs(self) -> list[Run]:
        """All runs, each merged from its parts, in the order of their first parts."""
        return _merge_parts(self._parts.items)

    def wait_until(self, predicate: Callable[[list[Run]], bool], *, timeout_seconds: float = 5.0) -> list[Run]:
        """Return the runs as soon as the predicate is true for them, or raise TimeoutError."""
        parts = self._parts.wait_until(lambda parts: predicate(_merge_parts(parts)), timeout_seconds=timeout_seconds)
        return _merge_parts(parts)

    async def wait_until_async(
        self, predicate: Callable[[list[Run]], bool], *, timeout_seconds: float = 5.0
    ) -> list[Run]:
        """`wait_until` without blocking the event loop."""
        parts = await self._parts.wait_until_async(
            lambda parts: predicate(_merge_parts(parts)), timeout_seconds=timeout_seconds
        )
        return _merge_parts(parts)

    @property
    def feedback(self) -> tuple[Feedback, ...]:
        """The current feedback, in the order of its creation."""
        return self._feedback.items[-1] if self._feedback.items else ()

    async def wait_for_feedback(
        self, predicate: Callable[[tuple[Feedback, ...]], bool], *, timeout_seconds: float = 10.0
    ) -> tuple[Feedback, ...]:
        """Return the feedback as soon as the predicate is true for it, or raise TimeoutError."""
        states = await self._feedback.wait_until_async(
            lambda states: any(map(predicate, states)), timeout_seconds=timeout_seconds
        )
        return next(filter(predicate, states))

    def hold(self) -> None:
        """From now on, accept traces and feedback and never answer; thread-safe."""
        self._gate.close()

    def block_until_held(self) -> None:
        """Wait until a request is held."""
        self._held.wait_until(lambda held: len(held) > 0)

    def _app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/info", self._server_info),
                Route("/runs/multipart", self._multipart, methods=["POST"]),
                Route("/runs/batch", self._batch, methods=["POST"]),
                Route("/runs", self._single, methods=["POST"]),
                Route("/runs/{id}", self._single, methods=["PATCH"]),
                Route("/sessions", self._projects),
                Route("/feedback", self._create_feedback, methods=["POST"]),
                Route("/feedback/{id}", self._update_feedback, methods=["PATCH", "DELETE"]),
            ]
        )

    async def _server_info(self, _: Request) -> Response:
        return JSONResponse(self._info)

    async def _multipart(self, request: Request) -> Response:
        body = await request.body()
        await self._pass_gate(request)
        if request.headers.get("content-encoding") == "zstd":
            body = zstandard.ZstdDecompressor().decompressobj().decompress(body)
        self._parts.add(*_parse_multipart(request.headers["content-type"], body))
        return JSONResponse({}, 202)

    async def _pass_gate(self, request: Request) -> None:
        if self._gate.is_closed:
            self._held.add(request.url.path)
        await self._gate.wait()

    async def _projects(self, request: Request) -> Response:
        project = {"id": self.project, "name": request.query_params["name"], "tenant_id": self.project}
        return JSONResponse([project | {"reference_dataset_id": None}])

    async def _create_feedback(self, request: Request) -> Response:
        created = await request.json()
        await self._pass_gate(request)
        if created["run_id"] not in {run["id"] for run in self.runs}:
            return JSONResponse({"detail": "Run not found"}, 404)
        self._feedback.add((*self.feedback, created))
        return JSONResponse(created)

    async def _update_feedback(self, request: Request) -> Response:
        update = await request.json() if request.method == "PATCH" else None
        await self._pass_gate(request)
        key = request.path_params["id"]
        if key not in {one["id"] for one in self.feedback}:
            return JSONResponse({"detail": "Feedback not found"}, 404)
        others = tuple(one for one in self.feedback if one["id"] != key)
        [known] = (one for one in self.feedback if one["id"] == key)
        self._feedback.add(others if update is None else (*others, known | update))
        return JSONResponse({})

    async def _batch(self, request: Request) -> Response:
        batch = await request.json()
        self._parts.add(*batch.get("post", []), *batch.get("patch", []))
        return JSONResponse({}, 202)

    async def _single(self, request: Request) -> Response:
        self._parts.add({**request.path_params, **await request.json()})
        return JSONResponse({}, 202)


def _parse_multipart(content_type: str, body: bytes) -> Iterator[Run]:
    """Yield the parts: `post.<id>` is a run, `post.<id>.<field>` one field; attachments are read as text."""
    whole: EmailMessage = message_from_bytes(b"Content-Type: %b\r\n\r\n%b" % (content_type.encode(), body), policy=HTTP)
    for part in whole.iter_parts():
        name = part.get_param("name", header="content-disposition")
        operation, run_id, *field = str(name).split(".", 2)
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        if operation == "attachment":
            yield {"id": run_id, f"attachment.{field[0]}": content.decode(errors="replace")}
        elif operation in {"post", "patch"}:
            value = json.loads(content)
            yield {"id": run_id, field[0]: value} if field else {**value, "id": run_id}


def _merge_parts(parts: Iterable[Run]) -> list[Run]:
    runs: dict[str, Run] = {}
    for part in parts:
        runs.setdefault(part["id"], {}).update({k: v for k, v in part.items() if v is not None})
    return list(runs.values())
