"""A proxy before Postgres that counts what its clients send.

It understands the extended query protocol of unencrypted connections, as far as is needed to count.
"""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

READ_BYTES = 1 << 16
HEADER_BYTES = 5
_PARSE, _BIND, _EXECUTE, _QUERY = b"P", b"B", b"E", b"Q"


@dataclass(slots=True)
class Counts:
    """Statements, and round trips: how often a client waited for the server."""

    statements: int = 0
    round_trips: int = 0
    texts: Counter[str] = field(default_factory=Counter)
    """How often each statement was sent, by its first words."""


@asynccontextmanager
async def counting_proxy(server: Path, folder: Path) -> AsyncIterator[Counts]:
    """Forward the socket `folder/.s.PGSQL.5432` to the socket `server` during the block."""
    counts = Counts()
    tasks: set[asyncio.Task[None]] = set()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back_reader, back_writer = await asyncio.open_unix_connection(str(server))
        connection = _Connection(counts)
        with suppress(ConnectionError):
            async with asyncio.TaskGroup() as pumps:
                pumps.create_task(_pump(reader, back_writer, connection.on_request))
                pumps.create_task(_pump(back_reader, writer, connection.on_response))

    def start(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(accept(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    async with await asyncio.start_unix_server(start, str(folder / ".s.PGSQL.5432")):
        yield counts
        for task in tasks:
            task.cancel()


class _Connection:
    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._buffer = b""
        self._is_started = False
        self._has_sent = False
        self._prepared: dict[bytes, bytes] = {}
        """The texts of the prepared statements by name."""

    def on_request(self, data: bytes) -> None:
        self._buffer += data
        while len(self._buffer) >= HEADER_BYTES:
            type_bytes = 1 if self._is_started else 0
            size = type_bytes + int.from_bytes(self._buffer[type_bytes : type_bytes + 4])
            if len(self._buffer) < size:
                return
            message, self._buffer = self._buffer[:size], self._buffer[size:]
            if self._is_started:
                self._count(message)
            self._is_started = True

    def on_response(self, _: bytes) -> None:
        self._counts.round_trips += self._has_sent
        self._has_sent = False

    def _count(self, message: bytes) -> None:
        self._has_sent = True
        kind = message[:1]
        self._counts.statements += kind in {_EXECUTE, _QUERY}
        if kind == _PARSE:
            name, text = message[HEADER_BYTES:].split(b"\0")[:2]
            self._prepared[name] = text
        elif kind == _BIND:
            _, name = message[HEADER_BYTES:].split(b"\0")[:2]
            self._counts.texts[_first_words(self._prepared[name])] += 1
        elif kind == _QUERY:
            self._counts.texts[_first_words(message[HEADER_BYTES:])] += 1


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, count: Callable[[bytes], None]) -> None:
    while data := await reader.read(READ_BYTES):
        count(data)
        writer.write(data)
        await writer.drain()
    writer.close()


def _first_words(text: bytes) -> str:
    return " ".join(re.sub(rb"\s+", b" ", text).decode(errors="replace").strip("\0 ").split(" ")[:9])
