"""A client whose connection breaks, and that joins again where it left off."""

import json
import random
from dataclasses import dataclass, field

import httpx

from support.client import Json


@dataclass
class ReconnectingClient:
    """Hears one answer over any number of connections; an event counts once all of it has come."""

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
        """The events' names, tokens in a row as one: where tokens are cut is nobody's business."""
        names = [name for name, _ in self.events]
        return [name for n, name in enumerate(names) if name != "token" or names[n - 1] != "token"]

    async def send(self, http: httpx.AsyncClient, thread: str, text: str, *, max_bytes: int | None = None) -> None:
        """Say something, and hear the answer until so many bytes of it have come, or its end."""
        await self._read_stream(http.stream("POST", f"/threads/{thread}/messages", json={"text": text}), max_bytes)

    async def rejoin(self, http: httpx.AsyncClient, thread: str, *, max_bytes: int | None = None) -> int:
        """Ask for the rest, hear it likewise, and return the status."""
        headers = {"Last-Event-ID": self.last_id} if self.last_id else {}
        self.reconnects += 1
        return await self._read_stream(http.stream("GET", f"/threads/{thread}/stream", headers=headers), max_bytes)

    async def send_with_disconnects(
        self, gateways: list[httpx.AsyncClient], thread: str, text: str, pick: random.Random
    ) -> None:
        """Say something, and hear all of the answer, though connections break off at random moments."""
        await self.send(pick.choice(gateways), thread, text, max_bytes=pick.randrange(1, 3_000))
        while not self.is_finished:
            at = pick.randrange(1, 3_000) if self.reconnects < pick.randrange(1, 5) else None
            status = await self.rejoin(pick.choice(gateways), thread, max_bytes=at)
            assert status == 200

    async def _read_stream(self, request: object, max_bytes: int | None) -> int:
        came = b""
        async with request as response:  # type: ignore[attr-defined] # httpx does not tell the type's name
            if response.status_code == 200:
                async for piece in response.aiter_raw():
                    came += piece
                    if max_bytes is not None and len(came) >= max_bytes:
                        came = came[:max_bytes]
                        break
        for frame in came.split(b"\n\n")[:-1]:
            self._add_frame(frame.decode())
        return int(response.status_code)

    def _add_frame(self, frame: str) -> None:
        fields = dict(line.split(": ", 1) for line in frame.split("\n") if not line.startswith(":"))
        if "event" in fields:
            self.events.append((fields["event"], json.loads(fields["data"])))
            self.last_id = fields["id"]
