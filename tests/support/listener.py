"""A client whose connection breaks, and that joins again where it left off."""

import json
import random
from dataclasses import dataclass, field

import httpx

from support.client import Json


@dataclass
class Listener:
    """Hears one answer over any number of connections; an event counts once all of it has come."""

    events: list[tuple[str, Json]] = field(default_factory=list)
    last_id: str | None = None
    joins: int = 0

    @property
    def text(self) -> str:
        return "".join(data["text"] for name, data in self.events if name == "token")

    @property
    def is_over(self) -> bool:
        return bool(self.events) and self.events[-1][0] in {"run.finished", "run.failed"}

    @property
    def names(self) -> list[str]:
        """The events' names, tokens in a row as one: where tokens are cut is nobody's business."""
        names = [name for name, _ in self.events]
        return [name for n, name in enumerate(names) if name != "token" or names[n - 1] != "token"]

    async def say(self, http: httpx.AsyncClient, thread: str, text: str, *, most_bytes: int | None = None) -> None:
        """Say something, and hear the answer until so many bytes of it have come, or its end."""
        await self._hear(http.stream("POST", f"/threads/{thread}/messages", json={"text": text}), most_bytes)

    async def join(self, http: httpx.AsyncClient, thread: str, *, most_bytes: int | None = None) -> int:
        """Ask for the rest, hear it likewise, and return the status."""
        headers = {"Last-Event-ID": self.last_id} if self.last_id else {}
        self.joins += 1
        return await self._hear(http.stream("GET", f"/threads/{thread}/stream", headers=headers), most_bytes)

    async def hear_all(self, gateways: list[httpx.AsyncClient], thread: str, text: str, pick: random.Random) -> None:
        """Say something, and hear all of the answer, though connections break off at random moments."""
        await self.say(pick.choice(gateways), thread, text, most_bytes=pick.randrange(1, 3_000))
        while not self.is_over:
            at = pick.randrange(1, 3_000) if self.joins < pick.randrange(1, 5) else None
            status = await self.join(pick.choice(gateways), thread, most_bytes=at)
            assert status == 200

    async def _hear(self, request: object, most_bytes: int | None) -> int:
        came = b""
        async with request as response:  # type: ignore[attr-defined] # httpx does not tell the type's name
            if response.status_code == 200:
                async for piece in response.aiter_raw():
                    came += piece
                    if most_bytes is not None and len(came) >= most_bytes:
                        came = came[:most_bytes]
                        break
        for frame in came.split(b"\n\n")[:-1]:
            self._take(frame.decode())
        return int(response.status_code)

    def _take(self, frame: str) -> None:
        fields = dict(line.split(": ", 1) for line in frame.split("\n") if not line.startswith(":"))
        if "event" in fields:
            self.events.append((fields["event"], json.loads(fields["data"])))
            self.last_id = fields["id"]
