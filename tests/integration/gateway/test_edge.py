"""The edge of the gateway: caches, and the addresses that it listens on."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.routing import Route

from agent import open_agent
from conftest import Databases, make_settings
from gateway.app import create_app
from gateway.server import open_verifier, serve
from gateway.settings import GatewaySettings
from support.client import ApiClient, new_thread


@pytest.fixture
def handlers() -> Iterator[None]:
    """Restore the signal handlers that `serve` leaves to its process."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    assert before == {number: signal.getsignal(number) for number in before}


async def test_no_cache_stores_responses_of_the_interface(ada: ApiClient) -> None:
    thread = new_thread()
    await ada.send("I play the violin.", thread=thread)
    for path in ("/threads", f"/threads/{thread}/messages", "/memories", "/memories/export", "/me", "/config"):
        response = (await ada.http.get(path)).raise_for_status()
        assert response.headers["cache-control"] == "no-store"
    token = await ada.http.post("/dev/token", json={"user": "ada"})
    assert token.headers["cache-control"] == "no-store"
    async with ada.http.stream("GET", f"/threads/{thread}/stream") as stream:
        assert stream.headers["cache-control"] == "no-store"


async def test_no_cache_stores_problems(ada: ApiClient) -> None:
    for path, status in ((f"/threads/{new_thread()}", 404), ("/memories?limit=0", 422), ("/missing", 404)):
        response = await ada.http.get(path)
        assert (response.status_code, response.headers["cache-control"]) == (status, "no-store")
    response = await ada.http.get("/me", headers={"Authorization": ""})
    assert (response.status_code, response.headers["cache-control"]) == (401, "no-store")


async def test_no_cache_stores_unexpected_errors(databases: Databases) -> None:
    def fail(_: object) -> None:
        raise ZeroDivisionError

    settings = GatewaySettings(_env_file=None, local_sign_in="open")
    async with (
        open_agent(make_settings(databases.create("minilm")), start_worker=False) as agent,
        open_verifier(settings, agent) as verifier,
    ):
        app = create_app(agent, verifier, settings)
        app.router.routes.insert(0, Route("/failing", fail))
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
            response = await http.get("/failing")
    assert (response.status_code, response.headers["cache-control"]) == (500, "no-store")


async def test_browsers_ask_whether_the_page_has_changed(databases: Databases, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<!doctype html>")
    settings = GatewaySettings(_env_file=None, local_sign_in="open", web_dir=tmp_path)
    async with (
        open_agent(make_settings(databases.create("minilm")), start_worker=False) as agent,
        open_verifier(settings, agent) as verifier,
    ):
        transport = httpx.ASGITransport(create_app(agent, verifier, settings))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
            page = await http.get("/")
            again = await http.get("/", headers={"If-None-Match": page.headers["etag"]})
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-cache")
    assert (again.status_code, again.headers["cache-control"]) == (304, "no-cache")


@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "[::1]", "localhost"])
async def test_local_sign_in_works_on_every_loopback_address_until_sigterm(databases: Databases, host: str) -> None:
    listening: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    settings = GatewaySettings(_env_file=None, host=host, port=0, local_sign_in="open")
    serving = asyncio.create_task(serve(settings, make_settings(databases.create("minilm")), listening.set_result))
    futures: list[asyncio.Future[Any]] = [serving, listening]
    await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
    async with httpx.AsyncClient(base_url=listening.result()) as http:
        (await http.post("/dev/token", json={"user": "ada"})).raise_for_status()
        foreign = await http.post("/dev/token", json={"user": "ada"}, headers={"Host": "example.com"})
        assert foreign.status_code == 400
    os.kill(os.getpid(), signal.SIGTERM)
    await serving
