"""The keys of an OpenID provider: when they are fetched, how long they are kept, which of them are used."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, closing
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jose import jwk, jwt

from agent import SetupError
from gateway.auth.local import LocalSignIn
from gateway.auth.oidc import MAX_RESPONSE_BYTES, IssuerKeys, open_oidc, read_keys
from gateway.errors import IssuerUnavailableError

API = "https://api.example"
KEY = LocalSignIn.new_key()


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class Provider:
    """The two documents of an OpenID provider, on a free port of this machine."""

    def __init__(self) -> None:
        self.keys: list[dict[str, Any]] = [public_jwk("first")]
        self.asked: list[str] = []
        self.open = asyncio.Event()
        self.open.set()
        self.status = "200 OK"
        self.other_body: bytes | None = None
        self.changes: dict[str, Any] = {}
        self.issuer = ""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer):
            path = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
            self.asked.append(path)
            await self.open.wait()
            body = self.other_body or json.dumps(self.document(path)).encode()
            head = f"HTTP/1.1 {self.status}\r\nlocation: /keys\r\nconnection: close\r\n\r\n"
            writer.write(head.encode() + body)

    def document(self, path: str) -> dict[str, Any]:
        if path == "/keys":
            return {"keys": self.keys}
        return {"issuer": self.issuer, "jwks_uri": f"{self.issuer}/keys"} | self.changes


def public_jwk(kid: str, key: str = KEY) -> dict[str, Any]:
    return jwk.construct(key, "ES256").public_key().to_dict() | {"kid": kid, "use": "sig"}


def rsa_jwk(bits: int) -> dict[str, Any]:
    key = rsa.generate_private_key(65537, bits).public_key()
    pem = key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    numbers = jwk.construct(pem, "RS256").to_dict()
    return {"kid": "rsa", "kty": "RSA", "n": numbers["n"], "e": numbers["e"]}


def token(issuer: str, kid: str = "first", **claims: str) -> str:
    known = {"iss": issuer, "aud": API, "sub": "ada", "exp": int(time.time()) + 600}
    return jwt.encode(known | claims, KEY, "ES256", {"kid": kid})


@pytest.fixture
async def provider() -> AsyncIterator[Provider]:
    provider = Provider()
    async with await asyncio.start_server(provider.answer, "127.0.0.1", 0) as server:
        provider.issuer = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield provider
        provider.open.set()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def keys(provider: Provider, clock: Clock) -> AsyncIterator[IssuerKeys]:
    async with httpx.AsyncClient() as http, aclosing(IssuerKeys(provider.issuer, http, clock=clock)) as keys:
        yield keys


async def test_a_provider_tells_who_is_speaking(provider: Provider) -> None:
    async with open_oidc(provider.issuer, API, user_claim="oid") as verifier:
        assert provider.asked == []
        ada = await verifier.verify(token(provider.issuer, oid="o", tid="t"))

    assert (ada.issuer, ada.subject) == (provider.issuer, "t/o")


@pytest.mark.parametrize(
    "issuer",
    ["", "issuer", "http://issuer.example", "https://", "https://i.example?a", "https://a@i.example"],
)
async def test_an_issuer_that_anybody_could_play_is_no_issuer(issuer: str) -> None:
    with pytest.raises(SetupError):
        async with open_oidc(issuer, API):
            pass


async def test_keys_are_fetched_once_for_all_who_wait(provider: Provider, keys: IssuerKeys) -> None:
    found = await asyncio.gather(*(keys.find("first") for _ in range(20)))

    assert all(found)
    assert provider.asked == ["/.well-known/openid-configuration", "/keys"]


async def test_keys_are_kept_for_an_hour(provider: Provider, keys: IssuerKeys, clock: Clock) -> None:
    await keys.find("first")
    clock.now += 3599
    await keys.find("first")
    assert provider.asked.count("/keys") == 1

    provider.keys = []
    clock.now += 1
    assert await keys.find("first") is None


async def test_a_new_key_is_looked_for_once_in_half_a_minute(
    provider: Provider, keys: IssuerKeys, clock: Clock
) -> None:
    await keys.find("first")
    provider.keys.append(public_jwk("second"))
    assert await keys.find("second")

    provider.keys.append(public_jwk("third"))
    clock.now += 29
    assert [await keys.find(kid) for kid in ("third", "fourth", "fifth")] == [None, None, None]
    assert provider.asked.count("/keys") == 2
    clock.now += 1
    assert await keys.find("third")


async def test_known_keys_serve_while_the_provider_is_down(provider: Provider, keys: IssuerKeys, clock: Clock) -> None:
    await keys.find("first")
    provider.status = "503 Service Unavailable"
    clock.now += 7200

    assert await keys.find("first")
    assert await keys.find("first")
    assert provider.asked.count("/.well-known/openid-configuration") == 2
    with pytest.raises(IssuerUnavailableError):
        await keys.find("second")


async def test_only_one_waits_for_stale_keys(provider: Provider, keys: IssuerKeys, clock: Clock) -> None:
    await keys.find("first")
    provider.open.clear()
    clock.now += 7200
    waiting = asyncio.create_task(keys.find("first"))
    await asyncio.sleep(0)

    assert await keys.find("first")
    assert not waiting.done()
    provider.open.set()
    assert await waiting


async def test_a_provider_may_start_after_us(provider: Provider, keys: IssuerKeys, clock: Clock) -> None:
    provider.status = "503 Service Unavailable"
    for _ in range(2):
        with pytest.raises(IssuerUnavailableError):
            await keys.find("first")
    assert len(provider.asked) == 1

    provider.status = "200 OK"
    clock.now += 2
    assert await keys.find("first")


async def test_a_provider_that_is_not_there_is_unavailable() -> None:
    async with open_oidc("http://127.0.0.1:1", API) as verifier:
        with pytest.raises(IssuerUnavailableError):
            await verifier.verify(token("http://127.0.0.1:1"))


async def test_a_provider_that_hangs_is_unavailable(provider: Provider) -> None:
    provider.open.clear()
    async with httpx.AsyncClient(timeout=None) as http:
        keys = IssuerKeys(provider.issuer, http, timeout_seconds=0.01)
        with pytest.raises(IssuerUnavailableError):
            await keys.find("first")


async def test_who_leaves_does_not_take_the_keys_along(provider: Provider, keys: IssuerKeys) -> None:
    provider.open.clear()
    leaving, staying = (asyncio.create_task(keys.find("first")) for _ in range(2))
    await asyncio.sleep(0)
    leaving.cancel()
    provider.open.set()

    assert await staying


async def test_closing_gives_up_a_fetch(provider: Provider, keys: IssuerKeys) -> None:
    provider.open.clear()
    waiting = asyncio.create_task(keys.find("first"))
    await asyncio.sleep(0)
    await keys.aclose()

    with pytest.raises(asyncio.CancelledError):
        await waiting


@pytest.mark.parametrize(
    "changes",
    [
        {"issuer": "https://evil.example"},
        {"issuer": None},
        {"jwks_uri": "http://evil.example"},
        {"jwks_uri": 1},
        {"padding": "x" * MAX_RESPONSE_BYTES},
    ],
)
async def test_a_discovery_document_must_be_the_issuers_and_small(
    provider: Provider, keys: IssuerKeys, changes: dict[str, Any]
) -> None:
    provider.changes = changes

    with pytest.raises(IssuerUnavailableError):
        await keys.find("first")


@pytest.mark.parametrize("body", [b"no JSON", b"[]", b"[" * 9000, b'{"keys":[],"keys":[]}', b'{"keys":{}}'])
async def test_an_answer_that_cannot_be_used_is_none(provider: Provider, keys: IssuerKeys, body: bytes) -> None:
    provider.other_body = body

    with pytest.raises(IssuerUnavailableError):
        await keys.find("first")


async def test_a_redirect_is_not_followed(provider: Provider, keys: IssuerKeys) -> None:
    provider.status = "302 Found"

    with pytest.raises(IssuerUnavailableError):
        await keys.find("first")
    assert len(provider.asked) == 1


def test_keys_for_signatures_are_read() -> None:
    unknown = [None, {}, {"kid": "a"}, {"kid": "b", "kty": "OKP", "crv": "Ed25519", "x": "AA"}]
    entries = [public_jwk("ec"), public_jwk("ec"), rsa_jwk(2048) | {"key_ops": ["verify"]}, *unknown]

    assert {kid: key.algorithm for kid, key in read_keys({"keys": entries}).items()} == {
        "ec": "ES256",
        "rsa": "RS256",
    }


@pytest.mark.parametrize(
    "entry",
    [
        rsa_jwk(1024),
        rsa_jwk(2048) | {"use": "enc"},
        rsa_jwk(2048) | {"alg": "RSA-OAEP"},
        rsa_jwk(2048) | {"alg": "PS256"},
        rsa_jwk(2048) | {"key_ops": ["encrypt"]},
        rsa_jwk(2048) | {"n": "AQAB="},
        jwk.construct(KEY, "ES256").to_dict() | {"kid": "private"},
        public_jwk("off the curve") | {"x": "AQAB"},
        public_jwk("curve") | {"crv": "P-384"},
        public_jwk("number") | {"x": 1},
    ],
)
def test_a_key_for_anything_else_is_left_out(entry: dict[str, Any]) -> None:
    assert read_keys({"keys": [entry]}) == {}


def test_an_id_of_two_keys_is_the_id_of_none() -> None:
    assert read_keys({"keys": [public_jwk("one"), public_jwk("one", LocalSignIn.new_key())]}) == {}
