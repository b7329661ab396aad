"""Detection of the start of a model's stream: its server has accepted the request, and computes the answer."""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any

import httpx2

_callback: ContextVar[Callable[[], None] | None] = ContextVar("callback of stream starts", default=None)


def on_stream_start(callback: Callable[[], None]) -> None:
    """Call a function when a stream starts that this task, or one that it starts, has requested."""
    _callback.set(callback)


async def _report(response: httpx2.Response) -> None:
    callback = _callback.get()
    if callback and response.is_success and response.headers.get("content-type", "").startswith("text/event-stream"):
        callback()


EVENT_HOOKS: Mapping[str, list[Callable[..., Any]]] = {"response": [_report]}
"""Event hooks of the HTTP client that requests the streams."""
