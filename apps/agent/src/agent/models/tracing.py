"""Traces to LangSmith, if `LANGSMITH_TRACING` is set: without users' secrets, and without delaying the end."""

import asyncio
import re
import threading
from collections.abc import AsyncIterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import asynccontextmanager
from functools import lru_cache
from itertools import pairwise
from typing import Any

import langsmith
import requests
from langsmith.utils import tracing_is_enabled

from agent.language.safety.credentials import contains_credentials

FLUSH_SECONDS = 1.5
"""How long the end waits until the last traces are sent."""

REDACTED = "[redacted]"
MIN_CARD_DIGITS = 13

# Ids of runs and threads, whose digits can look like a card number.
_ID = re.compile(r"(?:[a-z0-9_-]{1,64}[:/|]){0,9}[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@asynccontextmanager
async def open_tracing() -> AsyncIterator[langsmith.Client | None]:
    """Trace runs within the block, if tracing is enabled; what is not sent soon after the end of the block is lost.

    Yields the client that sends the traces, or None.
    """
    if not tracing_is_enabled():
        yield None
        return
    with_deadline = _AbortableSession()
    client = trace_without_secrets(with_deadline)
    try:
        yield client
    finally:
        langsmith.configure(client=None)
        abort = asyncio.get_running_loop().call_later(FLUSH_SECONDS, with_deadline.abort)
        await asyncio.to_thread(client.close, FLUSH_SECONDS)
        abort.cancel()
        with_deadline.abort()


def trace_without_secrets(session: requests.Session | None = None) -> langsmith.Client:
    """Make all traces of this process use a client that redacts credentials and numbers of cards and accounts."""
    client = langsmith.Client(anonymizer=redact_values, session=session)
    langsmith.configure(client=client)
    return client


def redact_values(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Redact the secrets in all strings and numbers of a JSON value."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {key: redact_values(item) for key, item in value.items()}
    if isinstance(value, list):
        return [redact_values(item) for item in value]
    is_number = isinstance(value, int) and len(str(value)) >= MIN_CARD_DIGITS
    return REDACTED if is_number and contains_credentials(str(value)) else value


def redact(text: str) -> str:
    """Replace the lines that contain secrets, also if name and secret are on two lines."""
    if _ID.fullmatch(text):
        return text
    lines = text.splitlines(keepends=True)
    has_secret = [_contains_credentials(line) for line in lines]
    for n, (line, following) in enumerate(pairwise(lines)):
        if not (has_secret[n] or has_secret[n + 1]) and _contains_credentials(line + following):
            has_secret[n] = has_secret[n + 1] = True
    if not any(has_secret):
        return text
    return "".join(f"{REDACTED}\n" if secret else line for line, secret in zip(lines, has_secret, strict=True))


# The prompts of a thread repeat each other, and each is part of several traces.
@lru_cache(maxsize=4096)
def _contains_credentials(lines: str) -> bool:
    return contains_credentials(lines)


class _AbortableSession(requests.Session):
    """Sends each request in a daemon thread, so that a server that does not answer cannot delay the process's end."""

    def __init__(self) -> None:
        super().__init__()
        self._aborted: Future[None] = Future()

    def abort(self) -> None:
        """Make all requests fail, including those in progress."""
        if not self._aborted.done():
            self._aborted.set_result(None)

    def send(self, request: requests.PreparedRequest, **kwargs: Any) -> requests.Response:  # noqa: ANN401 - as inherited
        """Send a request; raise `requests.ConnectionError` if the session is aborted before the response."""
        sent: Future[requests.Response] = Future()

        def run() -> None:
            try:
                sent.set_result(super(_AbortableSession, self).send(request, **kwargs))
            except Exception as error:  # noqa: BLE001 - re-raised in the caller's thread
                sent.set_exception(error)

        if not self._aborted.done():
            threading.Thread(target=run, daemon=True).start()
            outcomes: list[Future[Any]] = [sent, self._aborted]
            wait(outcomes, return_when=FIRST_COMPLETED)
        if not sent.done():
            raise requests.ConnectionError("the process ends")
        return sent.result()
