"""Requests that are too large, too slow or too many end before a token is verified, and delay no other request."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx
import pytest

from conftest import Databases, make_settings
from gateway.settings import GatewaySettings
from support.client import Json
from support.gateway import RunningGateway

MAX_STALL_SECONDS = 1.0  # an unlimited header of 40 MB stalls requests for several seconds
MEGABYTE = 1024 * 1024
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
POST = b"POST /dev/token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.fixture(scope="module")
def limited(databases: Databases) -> Iterator[RunningGateway]:
    """A gateway with small limits on time and connections."""
    settings = GatewaySettings(_env_file=None, local_sign_in="open", max_connections=4, receive_seconds=0.5)
    with RunningGateway(make_settings(databases.create("minilm")), settings) as gateway:
        yield gateway


@dataclass
class RawConnection:
    """A connection without an HTTP client."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def response(self) -> tuple[int, Json]:
        """The status and the JSON body of the next response."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
        return int(head.split()[1]), json.loads(await self.reader.readexactly(length))

    async def ends(self) -> bytes:
        """What arrives until the server closes the connection."""
        try:
            return await self.reader.read()
        except ConnectionError:
            return b""


@asynccontextmanager
async def connected(gateway: RunningGateway) -> AsyncIterator[RawConnection]:
    address = urlsplit(gateway.url)
    connection = RawConnection(*await asyncio.open_connection(address.hostname, address.port))
    try:
        async with asyncio.timeout(20):
            yield connection
    finally:
        connection.writer.close()
        with suppress(ConnectionError):
            await connection.writer.wait_closed()


@asynccontextmanager
async def concurrent_requests(gateway: RunningGateway) -> AsyncIterator[list[float]]:
    """Send one request after another during the block; yields their durations in seconds."""
    durations: list[float] = []
    is_over = False

    async def request() -> None:
        async with httpx.AsyncClient(base_url=gateway.url, timeout=30) as http:
            while not is_over:
                started = time.monotonic()
                (await http.get("/healthz")).raise_for_status()
                durations.append(time.monotonic() - started)

    loop = asyncio.create_task(request())
    try:
        yield durations
    finally:
        is_over = True
        await loop


@pytest.mark.parametrize(
    ("start", "piece"),
    [
        pytest.param(REQUEST + b"X: ", b"a" * MEGABYTE, id="one header"),
        pytest.param(REQUEST, b"a" * MEGABYTE, id="the name of a header"),
        pytest.param(REQUEST, b"a: b\r\n" * 170_000, id="many headers"),
        pytest.param(b"GET /", b"a" * MEGABYTE, id="the URL"),
        pytest.param(CHUNKED + b"0\r\nT: ", b"a" * MEGABYTE, id="a trailer"),
        pytest.param(CHUNKED + b"0\r\n", b"a: b\r\n" * 170_000, id="many trailers"),
        pytest.param(CHUNKED + b"1;", b"a" * MEGABYTE, id="a chunk extension"),
    ],
)
async def test_endless_headers_are_refused_and_delay_no_other_request(
    shared_gateway: RunningGateway, start: bytes, piece: bytes
) -> None:
    async with connected(shared_gateway) as attacker, concurrent_requests(shared_gateway) as durations:
        try:
            await attacker.send(start)
            for _ in range(40):
                await attacker.send(piece)
        except ConnectionError:
            pass  # the server has closed the connection
        else:
            status, problem = await attacker.response()
            assert (status, problem["code"]) == (431, "headers_too_large")
        assert not (await attacker.ends()).strip(b"a: b\r\n")
    assert max(durations) < MAX_STALL_SECONDS


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param(b"X: " + b"a" * 32_768 + b"\r\n", id="size"),
        pytest.param(b"X: a\r\n" * 100, id="number"),
    ],
)
async def test_headers_above_the_limits_are_refused_with_a_problem(
    shared_gateway: RunningGateway, headers: bytes
) -> None:
    async with connected(shared_gateway) as client:
        await client.send(REQUEST + headers + b"\r\n")
        status, problem = await client.response()
    assert (status, problem["code"], problem["status"]) == (431, "headers_too_large", 431)


@pytest.mark.parametrize(
    "headers",
    [pytest.param(b"X: " + b"a" * 30_000 + b"\r\n", id="size"), pytest.param(b"X: a\r\n" * 98, id="number")],
)
async def test_headers_within_the_limits_are_accepted_for_each_request_of_a_connection(
    shared_gateway: RunningGateway, headers: bytes
) -> None:
    request = REQUEST + headers + b"\r\n"
    async with connected(shared_gateway) as client:
        for _ in range(3):
            await client.send(request[:20])
            await client.send(request[20:])
            assert (await client.response())[0] == 200
        await client.send(request + request)
        assert [(await client.response())[0] for _ in range(2)] == [200, 200]


async def test_a_body_does_not_count_as_headers(shared_gateway: RunningGateway) -> None:
    body = json.dumps({"user": "ada", "padding": "a" * 200_000}).encode()
    head = POST + f"Content-Length: {len(body)}\r\n\r\n".encode()
    async with connected(shared_gateway) as client:
        for pieces in ([head + body], [head, body[:70_000], body[70_000:]]):
            for piece in pieces:
                await client.send(piece)
            assert (await client.response())[0] in {200, 422}
        await client.send(CHUNKED + b"".join(b"1\r\n \r\n" for _ in range(7_000)) + b"0\r\n\r\n")
        assert (await client.response())[0] == 422


async def test_many_small_chunks_and_pipelined_requests_delay_no_other_request(shared_gateway: RunningGateway) -> None:
    async with concurrent_requests(shared_gateway) as durations:
        for flood in (CHUNKED + b"1\r\na\r\n" * 500_000, (REQUEST + b"\r\n") * 20_000):
            async with connected(shared_gateway) as attacker:
                try:
                    await attacker.send(flood)
                    await attacker.ends()
                except ConnectionError:
                    pass  # the server has closed the connection
    assert max(durations) < MAX_STALL_SECONDS


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(REQUEST + b"X: ", id="headers"),
        pytest.param(POST + b"Content-Length: 1000\r\n\r\n", id="body"),
        pytest.param(CHUNKED, id="chunks"),
    ],
)
async def test_a_request_that_stops_arriving_is_refused(limited: RunningGateway, start: bytes) -> None:
    async with connected(limited) as client:
        await client.send(start)
        status, problem = await client.response()
        assert (status, problem["code"]) == (408, "request_timeout")
        assert await client.ends() == b""


async def test_a_request_that_arrives_byte_by_byte_is_refused(limited: RunningGateway) -> None:
    async def drip(client: RawConnection, data: bytes) -> None:
        for byte in data * 100:
            await client.send(bytes([byte]))
            await asyncio.sleep(0.02)  # the pace of the attack

    for start, byte in ((REQUEST + b"X: ", b"a"), (POST + b"Content-Length: 200000\r\n\r\n", b" ")):
        async with connected(limited) as client:
            await client.send(start)
            dripping = asyncio.create_task(drip(client, byte))
            status, problem = await client.response()
            dripping.cancel()
            await asyncio.wait([dripping])
        assert (status, problem["code"]) == (408, "request_timeout")


async def test_a_connection_without_a_request_is_closed_without_a_response(limited: RunningGateway) -> None:
    async with connected(limited) as client:
        assert await client.ends() == b""


async def test_an_idle_connection_makes_room_for_a_new_one(limited: RunningGateway) -> None:
    async with connected(limited) as first, connected(limited), connected(limited), connected(limited):
        await first.send(REQUEST)  # incomplete
        async with connected(limited) as client:
            await client.send(REQUEST + b"\r\n")
            assert (await client.response())[0] == 200
        assert await first.ends() == b""


async def test_connections_above_the_limit_are_refused_while_all_others_are_in_use(limited: RunningGateway) -> None:
    async with AsyncExitStack() as connections:
        waiting = [await connections.enter_async_context(connected(limited)) for _ in range(4)]
        for client in waiting:
            await client.send(POST + b"Content-Length: 20\r\nExpect: 100-continue\r\n\r\n")
            assert await client.reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        late = await connections.enter_async_context(connected(limited))
        status, problem = await late.response()
        assert (status, problem["code"]) == (503, "too_many_connections")
        for client in waiting:
            await client.send(b'{"user": "ada"}     ')
            assert (await client.response())[0] == 200


async def test_a_malformed_request_gets_a_problem(shared_gateway: RunningGateway) -> None:
    async with connected(shared_gateway) as client:
        await client.send(b"GET / HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n")
        status, problem = await client.response()
    assert (status, problem["code"]) == (400, "invalid_request")


async def test_a_request_for_an_upgrade_is_answered_without_one(shared_gateway: RunningGateway) -> None:
    async with connected(shared_gateway) as client:
        await client.send(REQUEST + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n")
        assert (await client.response())[0] == 200
