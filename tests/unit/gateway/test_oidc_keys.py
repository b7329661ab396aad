"""The keys of an issuer: fetching, caching and selection."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, closing
from typing import Any

import httpx
import pytest
from jose import jwt

from agent import SetupError
from gateway.auth.oidc import FRESH_SECONDS, MAX_RESPONSE_BYTES, TIMEOUT_SECONDS, IssuerKeys, open_oidc
from gateway.errors import IssuerUnavailableError
from support.jwks import KEY, public_jwk

API = "https://api.example"


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class Provider:
    """A local server with the discovery document and the keys of an issuer."""

    def __init__(self) -> None:
        self.keys: list[dict[str, Any]] = [public_jwk("first")]
        self.requested_paths: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.status = "200 OK"
        self.body_override: bytes | None = None
        self.metadata_changes: dict[str, Any] = {}
        self.issuer = ""

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer):
            path = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
            self.requested_paths.append(path)
            await self.gate.wait()
            body = self.body_override or json.dumps(self.document(path)).encode()
            head = f"HTTP/1.1 {self.status}\r\nlocation: /keys\r\nconnection: close\r\n\r\n"
            writer.write(head.encode() + body)

    def document(self, path: str) -> dict[str, Any]:
        if path == "/keys":
            return {"keys": self.keys}
        return {"issuer": self.issuer, "jwks_uri": f"{self.issuer}/keys"} | self.metadata_changes


def token(issuer: str, kid: str = "first", **claims: str) -> str:
    known = {"iss": issuer, "aud": API, "sub": "ada", "exp": int(time.time()) + 600}
    return jwt.encode(known | claims, KEY, "ES256", {"kid": kid})


@pytest.fixture
async def provider() -> AsyncIterator[Provider]:
    provider = Provider()
    async with await asyncio.start_server(provider.handle, "127.0.0.1", 0) as server:
        provider.issuer = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield provider
        provider.gate.set()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def keys(provider: Provider, clock: Clock) -> AsyncIterator[IssuerKeys]:
    async with httpx.AsyncClient() as http, aclosing(IssuerKeys(provider.issuer, http, clock=clock)) as keys:
        yield keys


async def test_a_verified_token_yields_its_principal(provider: Provider) -> None:
    async with open_oidc(provider.issuer, API, user_claim="oid") as verifier:
        assert provider.requested_paths == []
        ada = await verifier.verify(token(provider.issuer, oid="o", tid="t"))

    assert (ada.issuer, ada.subject) == (provider.issuer, "t/o")


@pytest.mark.parametrize(
    "issuer",
    ["", "issuer", "http://issuer.example", "https://", "https://i.example?a", "https://a@i.example"],
)
async def test_an_issuer_without_https_is_rejected(issuer: str) -> None:
    with pytest.raises(SetupError):
        async with open_oidc(issuer, API):
            pass


async def test_concurrent_lookups_fetch_the_keys_once(provider: Provider, keys: IssuerKeys) -> None:
    found = await asyncio.gather(*(keys.find("first") for _ in range(20)))

    assert all(found)
    assert provider.requested_paths == ["/.well-known/openid-configuration", "/keys"]


async def test_keys_are_cached_for_5_minutes_and_then_renewed_in_the_background(
    provider: Provider, keys: IssuerKeys, clock: Clock
) -> None:
    await keys.find("first")
    clock.now += 299
    await keys.find("first")
    assert provider.requested_paths.count("/keys") == 1

    provider.keys = []
    clock.now += 1
    assert await keys.find("first")
    await keys.find("other")  # waits for the fetch
    assert provider.requested_paths.count("/keys") == 2
    assert await keys.find("first") is None


@pytest.mark.parametrize("idle_seconds", [600, 3_600])
async def test_a_withdrawn_key_is_accepted_for_at_most_10_minutes(
    provider: Provider, keys: IssuerKeys, clock: Clock, idle_seconds: float
) -> None:
    await keys.find("first")
    provider.keys = []
    clock.now += idle_seconds

    assert await keys.find("first") is None


async def test_a_withdrawn_key_is_refused_in_time_even_if_a_fetch_takes_long(
    provider: Provider, keys: IssuerKeys, clock: Clock
) -> None:
    await keys.find("first")
    assert FRESH_SECONDS + TIMEOUT_SECONDS < 600
    provider.keys = []
    clock.now += FRESH_SECONDS

    assert await keys.find("first") is None


async def test_the_page_may_connect_to_the_endpoints_of_the_issuer(provider: Provider) -> None:
    provider.metadata_changes = {
        "token_endpoint": "https://tokens.example:8443/token",
        "userinfo_endpoint": "https://tokens.example:8443/me",
        "revocation_endpoint": "https://evil.example; script-src *",
        "end_session_endpoint": "https://other.example/logout",
    }
    async with open_oidc(provider.issuer, API) as verifier:
        assert list(verifier.origins) == [provider.issuer]
        await asyncio.gather(*(verifier.load_origins() for _ in range(3)))
        assert list(verifier.origins) == [provider.issuer, "https://tokens.example:8443"]
        await verifier.load_origins()

    assert provider.requested_paths.count("/keys") == 1


async def test_the_page_is_served_while_the_issuer_is_down() -> None:
    async with open_oidc("http://127.0.0.1:1", API) as verifier:
        await verifier.load_origins()
        assert list(verifier.origins) == ["http://127.0.0.1:1"]


async def test_an_unknown_key_is_fetched_at_most_every_30_seconds(
    provider: Provider, keys: IssuerKeys, clock: Clock
) -> None:
    await keys.find("first")
    provider.keys.append(public_jwk("second"))
    assert await keys.find("second")

    provider.keys.append(public_jwk("third"))
    clock.now += 29
    assert [await keys.find(kid) for kid in ("third", "fourth", "fifth")] == [None, None, None]
    assert provider.requested_paths.count("/keys") == 2
    clock.now += 1
    assert await keys.find("third")


async def test_cached_keys_are_used_while_the_issuer_is_down(
    provider: Provider, keys: IssuerKeys, clock: Clock
) -> None:
    await keys.find("first")
    provider.status = "503 Service Unavailable"
    clock.now += 7200

    assert await keys.find("first")
    assert await keys.find("first")
    assert provider.requested_paths.count("/.well-known/openid-configuration") == 2
    with pytest.raises(IssuerUnavailableError):
        await keys.find("second")


async def test_only_one_lookup_waits_for_stale_keys(provider: Provider, keys: IssuerKeys, clock: Clock) -> None:
    await keys.find("first")
    provider.gate.clear()
    clock.now += 7200
    lookup = asyncio.create_task(keys.find("first"))
    await asyncio.sleep(0)

    assert await keys.find("first")
    assert not lookup.done()
    provider.gate.set()
    assert await lookup


async def test_the_issuer_may_start_after_the_gateway(provider: Provider, keys: IssuerKeys, clock: Clock) -> None:
    provider.status = "503 Service Unavailable"
    for _ in range(2):
        with pytest.raises(IssuerUnavailableError):
            await keys.find("first")
    assert len(provider.requested_paths) == 1

    provider.status = "200 OK"
    clock.now += 2
    assert await keys.find("first")


async def test_an_unreachable_issuer_is_unavailable() -> None:
    async with open_oidc("http://127.0.0.1:1", API) as verifier:
        with pytest.raises(IssuerUnavailableError):
            await verifier.verify(token("http://127.0.0.1:1"))


async def test_an_unresponsive_issuer_is_unavailable(provider: Provider) -> None:
    provider.gate.clear()
    async with httpx.AsyncClient(timeout=None) as http:
        keys = IssuerKeys(provider.issuer, http, timeout_seconds=0.01)
        with pytest.raises(IssuerUnavailableError):
            await keys.find("first")


async def test_cancelling_one_lookup_does_not_cancel_the_others(provider: Provider, keys: IssuerKeys) -> None:
    provider.gate.clear()
    cancelled, remaining = (asyncio.create_task(keys.find("first")) for _ in range(2))
    await asyncio.sleep(0)
    cancelled.cancel()
    provider.gate.set()

    assert await remaining


async def test_closing_cancels_a_fetch(provider: Provider, keys: IssuerKeys) -> None:
    provider.gate.clear()
    lookup = asyncio.create_task(keys.find("first"))
    await asyncio.sleep(0)
    await keys.aclose()

    with pytest.raises(asyncio.CancelledError):
        await lookup


@pytest.mark.parametrize(
    "metadata_changes",
    [
        {"issuer": "https://evil.example"},
        {"issuer": None},
        {"jwks_uri": "http://evil.example"},
        {"jwks_uri": 1},
        {"padding": "x" * MAX_RESPONSE_BYTES},
    ],
)
async def test_an_invalid_discovery_document_is_rejected(
    provider: Provider, keys: IssuerKeys, metadata_changes: dict[str, Any]
) -> None:
    provider.metadata_changes = metadata_changes

    with pytest.raises(IssuerUnavailableError):
        await keys.find("first")


@pytest.mark.parametrize("body", [b"no JSON", b"[]", b"[" * 9000, b'{"keys":[],"keys":[]}', b'{"keys":{}}'])
async def test_an_invalid_response_is_rejected(provider: Provider, keys: IssuerKeys, body: bytes) -> None:
    provider.body_override = body

    with pytest.raises(IssuerUnavailableError):
        await keys.find("first")


async def test_a_redirect_is_not_followed(provider: Provider, keys: IssuerKeys) -> None:
    provider.status = "302 Found"

    with pytest.raises(IssuerUnavailableError):
        await keys.find("first")
    assert len(provider.requested_paths) == 1
