"""The metrics of all processes of a group, in one response.

Each process writes its metrics to each connection to its Unix socket; the sockets are in a folder of the parent.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from prometheus_client import Metric, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

READ_SECONDS = 2.0

ReadMetrics = Callable[[], Awaitable[bytes]]
"""Reads the metrics of this process, in the text format."""


@dataclass(frozen=True, slots=True)
class ProcessMetrics:
    """The metrics of a group, as seen by one of its processes."""

    folder: Path
    number: int
    """The number of this process, from 0."""
    count: int
    """The number of processes."""

    @asynccontextmanager
    async def serve(self, read: ReadMetrics) -> AsyncIterator[None]:
        """Let the other processes read the metrics of this one during the block."""

        async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(await read())
            writer.close()

        path = self._path(self.number)
        path.unlink(missing_ok=True)  # of an earlier process with this number
        async with await asyncio.start_unix_server(answer, path):
            yield

    async def merged(self, own: bytes) -> bytes:
        """The metrics of all processes that answer, with the label `process`."""
        numbers = [number for number in range(self.count) if number != self.number]
        texts = await asyncio.gather(*map(self._read, numbers))
        return merge({self.number: own} | dict(zip(numbers, texts, strict=True)))

    async def _read(self, number: int) -> bytes:
        try:
            async with asyncio.timeout(READ_SECONDS):
                reader, writer = await asyncio.open_unix_connection(self._path(number))
                try:
                    return await reader.read()
                finally:
                    writer.close()
        except (OSError, TimeoutError):  # it is being started
            return b""

    def _path(self, number: int) -> Path:
        return self.folder / str(number)


def merge(texts: Mapping[int, bytes]) -> bytes:
    """Merge metrics in the text format, by process number; each sample gets the label `process`."""
    families: dict[str, Metric] = {}
    for number, text in sorted(texts.items()):
        for family in text_string_to_metric_families(text.decode()):
            merged = families.setdefault(family.name, Metric(family.name, family.documentation, family.type))
            merged.samples += [
                sample._replace(labels={**sample.labels, "process": str(number)}) for sample in family.samples
            ]
    return generate_latest(_Families(families.values()))


class _Families(Collector):
    def __init__(self, families: Collection[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterator[Metric]:
        """The families."""
        return iter(self._families)
