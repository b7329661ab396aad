"""A client of a gateway's HTTP interface, for the command `chat`."""

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

import httpx

TIMEOUT = httpx.Timeout(30.0, read=None)  # the model may take its time; Ctrl-C cancels
MEMORY_PAGE_SIZE = 100
CHANGES_PER_TURN = 20

Json = dict[str, Any]


class RequestFailedError(Exception):
    """A request failed; the message is for the user."""


class ChatClient:
    """Sends requests as one user.

    Raises:
        RequestFailedError: from each method, if the gateway refuses the request or does not answer.
    """

    def __init__(self, url: httpx.URL, token: str) -> None:
        headers = {b"Authorization": f"Bearer {token}".encode()}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=TIMEOUT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def check(self) -> None:
        """Check the address and the key."""
        self._get("/me", "user_id")

    def send(self, thread: str, text: str) -> Iterator[tuple[str, Json]]:
        """Send a message, and yield the name and the data of each event of the reply."""
        message = {"text": text, "id": str(uuid.uuid4())}
        with _translated(), self._http.stream("POST", f"/threads/{thread}/messages", json=message) as response:
            _check(response)
            yield from _events(response)

    def cancel(self, thread: str) -> None:
        """Cancel the run of a thread, and wait for its end."""
        with _translated():
            _check(self._http.post(f"/threads/{thread}/cancel"))
            with self._http.stream("GET", f"/threads/{thread}/stream") as response:
                _check(response)
                for _ in _events(response):
                    pass

    def memories(self) -> Iterator[Json]:
        """List the user's memories, the latest first."""
        cursor: str | None = "0"
        while cursor is not None:
            page = self._get("/memories", "items", limit=str(MEMORY_PAGE_SIZE), cursor=cursor)
            yield from page["items"]
            cursor = page["next_cursor"]

    def pending(self) -> list[str]:
        """What the user said and no memory is formed of yet, the oldest first."""
        items = self._get("/memories/inbox", "items")["items"]
        return [item["text"] for item in items if item["recallable"]]

    def changes(self) -> list[Json]:
        """The latest changes of the user's memory, the oldest first; empty if the installation does not log them."""
        with _translated():
            response = self._http.get("/memories/timeline", params={"limit": str(CHANGES_PER_TURN)})
            if response.status_code == httpx.codes.NOT_IMPLEMENTED:
                return []
            return list(reversed(_body(response, "items")["items"]))

    def _get(self, path: str, member: str, **query: str) -> Json:
        with _translated():
            return _body(self._http.get(path, params=query), member)


def parse_address(text: str) -> httpx.URL:
    """Parse the address of a gateway.

    Raises:
        RequestFailedError: it is no HTTP address.
    """
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL:
        url = httpx.URL()
    if url.scheme not in {"http", "https"} or not url.host:
        raise RequestFailedError("The address must look like http://127.0.0.1:8080.")
    return url


def sign_in(url: httpx.URL, user: str, secret: str) -> str:
    """Sign in at a gateway of this machine; return the token."""
    with _translated():
        response = httpx.post(
            f"{url}/dev/token", json={"user": user}, headers={"X-Keepsake-Secret": secret}, timeout=TIMEOUT
        )
        return str(_body(response, "access_token")["access_token"])


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except httpx.ConnectError as error:
        raise RequestFailedError(f"Keepsake does not answer at {error.request.url.copy_with(path='/')}") from error
    except httpx.HTTPError as error:
        raise RequestFailedError("The connection was lost.") from error


def _check(response: httpx.Response) -> None:
    """Raise the problem that a response describes."""
    if response.is_success:
        return
    response.read()
    try:
        problem = response.json()
        text = " ".join(filter(None, [problem["title"], problem["detail"]]))
    except (ValueError, TypeError, KeyError):
        text = f"The server answered with status {response.status_code}."
    raise RequestFailedError(text)


def _body(response: httpx.Response, member: str) -> Json:
    """The JSON object of a response; without this member, the server is another program."""
    _check(response)
    try:
        body = response.json()
    except ValueError:
        body = None
    if not isinstance(body, dict) or member not in body:
        raise RequestFailedError("This is not a Keepsake gateway.")
    return body


def _events(response: httpx.Response) -> Iterator[tuple[str, Json]]:
    buffer = b""
    for chunk in response.iter_bytes():
        *frames, buffer = (buffer + chunk).split(b"\n\n")
        for frame in frames:
            fields = dict(line.split(b": ", 1) for line in frame.split(b"\n") if b": " in line and line[:1] != b":")
            if b"data" in fields:
                yield fields[b"event"].decode(), json.loads(fields[b"data"])
