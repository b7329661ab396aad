"""A streaming client that loses its connection and resumes with `Last-Event-ID`."""

import json
import random
from dataclasses import dataclass, field

import httpx

from support.client import Json


@dataclass
class ReconnectingClient:
    """Collects the events of one reply over several connections; incomplete events are dropped."""

    events: list[tuple[str, Json]] = field(default_factory=list)
    last_id: str | None = None
    reconnects: int = 0

    @property
    def text(self) -> str:
        return "".join(data["text"] for name, data in self.events if name == "token")

    @property
    def is_finished(self) -> bool:
        return bool(self.events) and self.events[-1][0] in {"run.finished", "run.failed"}

    @property
    def names(self) -> list[str]:
        """Event names; consecutive tokens count once, because token boundaries may differ between streams."""
        names = [name for name, _ in self.events]
        return [name for n, name in enumerate(names) if name != "token" or names[n - 1] != "token"]

    async def send(self, http: httpx.AsyncClient, thread: str, text: str, *, max_bytes: int | None = None) -> None:
        """Send a message and read at most `max_bytes` of the reply."""
        await self._read_stream(http.stream("POST", f"/threads/{thread}/messages", json={"text": text}), max_bytes)

    async def rejoin(self, http: httpx.AsyncClient, thread: str, *, max_bytes: int | None = None) -> int:
        """Resume the stream, read at most `max_bytes` and return the HTTP status."""
        headers = {"Last-Event-ID": self.last_id} if self.last_id else {}
        self.reconnects += 1
        return await self._read_stream(http.stream("GET", f"/threads/{thread}/stream", headers=headers), max_bytes)

    async def send_with_disconnects(
        self, gateways: list[httpx.AsyncClient], thread: str, text: str, pick: random.Random
    ) -> None:
        """Send a message and read the whole reply, disconnecting at random positions."""
        await self.send(pick.choice(gateways), thread, text, max_bytes=pick.randrange(1, 3_000))
        while not self.is_finished:
            limit = pick.randrange(1, 3_000) if self.reconnects < pick.randrange(1, 5) else None
            status = await self.rejoin(pick.choice(gateways), thread, max_bytes=limit)
            assert status == 200

    async def _read_stream(self, request: object, max_bytes: int | None) -> int:
        received = b""
        async with request as response:  # type: ignore[attr-defined] # the type is private in httpx
            if response.status_code == 200:
                async for piece in response.aiter_raw():
                    received += piece
                    if max_bytes is not None and len(received) >= max_bytes:
                        received = received[:max_bytes]
                        break
        for frame in received.split(b"\n\n")[:-1]:
            self._add_frame(frame.decode())
        return int(response.status_code)

    def _add_frame(self, frame: str) -> None:
        fields = dict(line.split(": ", 1) for line in frame.split("\n") if not line.startswith(":"))
        if "event" in fields:
            self.events.append((fields["event"], json.loads(fields["data"])))
            self.last_id = fields["id"]
