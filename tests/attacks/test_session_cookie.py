"""The cookie of a session: who can use it, and until when."""

from collections.abc import AsyncIterator

import httpx
import psycopg
import pytest

from conftest import Databases, make_settings
from gateway.settings import GatewaySettings
from support.client import ApiClient, signed_in
from support.gateway import RunningGateway

SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
async def browser(ada: ApiClient) -> AsyncIterator[httpx.AsyncClient]:
    """The browser of Ada: it has a cookie and no token."""
    started = (await ada.http.post("/session")).raise_for_status()
    assert started.headers["set-cookie"].endswith("; HttpOnly; Max-Age=2592000; Path=/; SameSite=strict")
    async with httpx.AsyncClient(base_url=ada.http.base_url, cookies=ada.http.cookies, timeout=30) as http:
        yield http


async def test_a_cookie_signs_in_instead_of_a_token(browser: httpx.AsyncClient, ada: ApiClient) -> None:
    user = (await ada.http.patch("/me", json={"memory_enabled": False, "time_zone": "Europe/Oslo"})).json()
    assert (await browser.get("/me")).json() == user
    assert (await browser.post("/me/keys", json={"name": "laptop"}, headers=SAME_ORIGIN)).status_code == 201
    added = await browser.post("/memories", json={"text": "Plays the violin"}, headers=SAME_ORIGIN)
    assert added.status_code == 201
    async with browser.stream("GET", "/memories/changes", headers=SAME_ORIGIN) as stream:
        assert stream.status_code == 200
    host = {"Origin": str(browser.base_url).rstrip("/")}  # a browser without Fetch Metadata
    assert (await browser.patch("/me", json={"memory_enabled": True}, headers=host)).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},  # another port of this host
        {"Sec-Fetch-Site": "none"},
        {"Origin": "https://attacker.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://127.0.0.1"},
        {},
    ],
)
@pytest.mark.parametrize(("method", "path"), [("POST", "/memories"), ("DELETE", "/me"), ("DELETE", "/session")])
async def test_another_site_changes_nothing_with_the_cookie(
    browser: httpx.AsyncClient, ada: ApiClient, method: str, path: str, headers: dict[str, str]
) -> None:
    response = await browser.request(method, path, headers=headers, json={"text": "Owes money"})
    assert (response.status_code, response.json()["code"]) == (403, "cross_site")
    assert await ada.memories() == []
    assert (await browser.get("/me")).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_another_site_reads_nothing_with_the_cookie(browser: httpx.AsyncClient, site: str) -> None:
    response = await browser.get("/memories/export", headers={"Sec-Fetch-Site": site})
    assert (response.status_code, response.json()["code"]) == (403, "cross_site")
    assert (await browser.get("/memories/export", headers={"Sec-Fetch-Site": "none"})).status_code == 200


async def test_after_signing_out_the_cookie_is_refused(browser: httpx.AsyncClient) -> None:
    stolen = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    ended = await browser.delete("/session", headers=SAME_ORIGIN)
    assert ended.status_code == 204
    assert "Max-Age=0" in ended.headers["set-cookie"]
    assert not browser.cookies
    again = await browser.get("/me", headers={"Cookie": stolen})
    assert (again.status_code, again.json()["code"]) == (401, "token_expired")
    assert (await browser.delete("/session", headers=SAME_ORIGIN)).status_code == 204


async def test_the_cookie_of_a_deleted_account_is_refused_and_creates_no_account(
    browser: httpx.AsyncClient, shared_gateway: RunningGateway
) -> None:
    user = (await browser.get("/me")).json()["user_id"]
    receipt = (await browser.delete("/me", headers=SAME_ORIGIN)).json()["deleted"]
    assert receipt["sessions"] == 1
    assert (await browser.get("/me")).json()["code"] == "token_expired"
    with psycopg.connect(shared_gateway.database) as connection:
        assert connection.execute("SELECT FROM users WHERE id = %s", [user]).fetchone() is None


async def test_an_expired_session_is_refused(browser: httpx.AsyncClient, shared_gateway: RunningGateway) -> None:
    user = (await browser.get("/me")).json()["user_id"]
    with psycopg.connect(shared_gateway.database) as connection:
        connection.execute("UPDATE sessions SET expires_at = now() WHERE user_id = %s", [user])
    assert (await browser.get("/me")).json()["code"] == "token_expired"


async def test_only_a_token_starts_a_session(browser: httpx.AsyncClient, ada: ApiClient) -> None:
    assert (await browser.post("/session", headers=SAME_ORIGIN)).json()["code"] == "token_missing"
    key = (await ada.http.post("/me/keys", json={"name": "laptop"})).json()["key"]
    with_key = await browser.post("/session", headers={"Authorization": f"Bearer {key}"})
    assert (with_key.status_code, with_key.json()["code"]) == (403, "key_not_allowed")
    [secret] = browser.cookies.values()
    as_token = await browser.get("/me", headers={"Authorization": f"Bearer {secret}"})
    assert (as_token.status_code, as_token.json()["code"]) == (401, "token_invalid")


@pytest.mark.parametrize("secret", ["", "x", "A" * 43, "é" * 43])
async def test_a_guessed_cookie_is_refused(ada: ApiClient, secret: str) -> None:
    name = f"keepsake-{ada.http.base_url.port}"
    headers = {b"cookie": f"{name}={secret}".encode()}
    async with httpx.AsyncClient(base_url=ada.http.base_url) as http:
        assert (await http.get("/me", headers=headers)).status_code == 401


async def test_behind_tls_the_cookie_is_secure_and_bound_to_the_host(databases: Databases) -> None:
    settings = GatewaySettings(_env_file=None, local_sign_in="open", public_url="https://localhost")
    with RunningGateway(make_settings(databases.create("minilm")), settings) as gateway:
        async with signed_in(gateway.url) as client:
            cookie = (await client.http.post("/session")).headers["set-cookie"]
    assert cookie.startswith("__Host-keepsake=")
    assert cookie.endswith("; HttpOnly; Max-Age=2592000; Path=/; SameSite=strict; Secure")


async def test_the_secret_of_a_session_is_not_stored(
    browser: httpx.AsyncClient, shared_gateway: RunningGateway
) -> None:
    [secret] = browser.cookies.values()
    with psycopg.connect(shared_gateway.database) as connection:
        rows = connection.execute("SELECT t::text FROM sessions t").fetchall()
    assert rows
    assert not any(secret in text for (text,) in rows)
