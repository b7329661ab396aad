"""Local sign-in accepts requests for loopback hosts only."""

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from gateway.hosts import LoopbackHostsOnly, is_loopback


async def _status(*hosts: str) -> int:
    app = LoopbackHostsOnly(Starlette(routes=[Route("/", lambda _: PlainTextResponse("here"))]))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as http:
        return (await http.get("/", headers=[("Host", host) for host in hosts])).status_code


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "127.255.1.2", "::1", "[::1]", "localhost", "LOCALHOST"])
def test_loopback_hosts_are_recognised(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host",
    ["", "0.0.0.0", "::", "192.0.2.1", "[2001:db8::1]", "localhost.example.com", "127.0.0.1.example.com"],
)
def test_other_hosts_are_not_loopback(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize("name", ["127.0.0.1", "127.0.0.2", "[::1]", "localhost"])
@pytest.mark.parametrize("port", ["", ":8080"])
async def test_requests_for_loopback_hosts_are_accepted(name: str, port: str) -> None:
    assert await _status(name + port) == 200


@pytest.mark.parametrize(
    "host",
    [
        "example.com",
        "example.com:8080",
        "127.0.0.1.example.com",
        "localhost.example.com:8080",
        "127.0.0.1@example.com",
        "127.0.0.1:8080@example.com",
        "192.0.2.1",
        "[2001:db8::1]:8080",
        "::1",
        "localhost:http",
        "",
    ],
)
async def test_requests_for_other_hosts_are_refused(host: str) -> None:
    assert await _status(host) == 400


async def test_a_request_names_exactly_one_host() -> None:
    assert await _status("127.0.0.1", "example.com") == 400
    assert await _status("127.0.0.1", "127.0.0.1") == 400
