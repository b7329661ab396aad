"""Forged tokens, other kinds of tokens, and tokens of other clients, sent to a real gateway."""

import hashlib
import hmac
import random
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jose import jwk
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from conftest import Databases, make_settings
from gateway.auth.token_kind import Clients
from gateway.auth.tokens import TokenValidator
from gateway.errors import TokenError
from gateway.settings import GatewaySettings
from support.asgi_server import AsgiServer
from support.gateway import RunningGateway
from support.signed_tokens import EC_HEADER, EC_KEY, RSA_HEADER, RSA_KEY, PrivateKey, find_key, segment, signed, without
from support.tried_and_held import Record

Json = dict[str, Any]

API = "https://keepsake.example"
PAGE = "page"
JWT = EC_HEADER | {"typ": "JWT"}
ID_TOKEN = {"aud": API, "auth_time": 1}
LOGOUT_EVENT: Json = {"http://schemas.openid.net/event/backchannel-logout": {}}

# (header, changed claims) of access tokens, as known issuers send them.
ACCESS_TOKENS: Mapping[str, tuple[Json, Json]] = {
    "RFC 9068": (EC_HEADER, {"client_id": PAGE, "jti": "1", "scope": "openid"}),
    "RFC 9068, RSA": (RSA_HEADER, {"client_id": PAGE, "jti": "1"}),
    "RFC 9068, application": (EC_HEADER | {"typ": "application/at+jwt"}, {"client_id": PAGE, "jti": "1"}),
    "Keycloak": (JWT, {"typ": "Bearer", "azp": PAGE, "scope": "openid email", "sid": "1", "acr": "1"}),
    "Keycloak with nonce": (JWT, {"typ": "Bearer", "azp": PAGE, "scope": "openid", "nonce": "n"}),
    "Auth0": (JWT, {"aud": [API, "https://i.example/userinfo"], "azp": PAGE, "scope": "openid profile"}),
    "Entra 2": (JWT, {"azp": PAGE, "azpacr": "0", "scp": "chat", "ver": "2.0", "oid": "o", "tid": "t"}),
    "Entra 1": (JWT, {"appid": PAGE, "scp": "chat", "ver": "1.0"}),
    "Okta": (without(JWT, "typ"), {"cid": PAGE, "scp": ["openid"], "uid": "u", "ver": 1}),
    "Amazon Cognito": (without(JWT, "typ"), {"token_use": "access", "client_id": PAGE, "scope": "openid"}),
    "ZITADEL": (JWT, {"aud": [API, PAGE], "client_id": PAGE, "jti": "1"}),
    "Ory": (JWT, {"client_id": PAGE, "scp": ["openid"], "ext": {}, "jti": "1"}),
}

OTHER_KINDS: Mapping[str, tuple[Json, Json]] = {
    **{f"ID token, {name}": (JWT, ID_TOKEN | {name: "x"}) for name in ("nonce", "at_hash", "c_hash", "s_hash")},
    "ID token without type": (without(JWT, "typ"), ID_TOKEN | {"nonce": "n"}),
    "ID token, unmarked": (JWT, ID_TOKEN | {"aud": PAGE, "azp": PAGE}),
    "ID token, explicit type": (EC_HEADER | {"typ": "id_token+jwt"}, ID_TOKEN),
    **{
        f"Keycloak, {kind}": (JWT, {"typ": kind, "azp": PAGE, "scope": "openid", "sid": "1"})
        for kind in ("ID", "Serialized-ID", "Refresh", "Offline", "Logout", "DPoP", "N_A", "", None, ["Bearer"])
    },
    "Keycloak, ID with type at+jwt": (EC_HEADER, {"typ": "ID", "client_id": PAGE, "jti": "1"}),
    **{f"Amazon Cognito, {use}": (JWT, {"token_use": use, "scope": "openid"}) for use in ("id", "refresh", None)},
    **{f"ForgeRock, {name}": (JWT, {"tokenName": name, "scope": "x"}) for name in ("id_token", "refresh_token")},
    "Simple JWT, refresh": (JWT, {"token_type": "refresh", "scope": "x"}),
    "logout token": (EC_HEADER | {"typ": "logout+jwt"}, {"events": LOGOUT_EVENT, "sid": "1"}),
    "logout token of type JWT": (JWT, {"events": LOGOUT_EVENT, "sid": "1", "scope": "x"}),
    "logout token of type at+jwt": (EC_HEADER, {"events": LOGOUT_EVENT, "sid": "1"}),
    "security event": (EC_HEADER | {"typ": "secevent+jwt"}, {"events": {}}),
    **{
        f"header {typ}": (EC_HEADER | {"typ": typ}, {"client_id": PAGE, "scope": "openid"})
        for typ in ("refresh+jwt", "dpop+jwt", "kb+jwt", "JOSE", "at+jwt ", "application/application/at+jwt", "", None)
    },
}

BOUND: Mapping[str, tuple[Json, Json]] = {
    f"{name}, {header['typ']}": (header, {"client_id": PAGE, "jti": "1", "scope": "openid", "cnf": {name: "x"}})
    for name in ("jkt", "x5t#S256", "kid", "jwk", "jwe", "jku")
    for header in (JWT, EC_HEADER)
} | {"empty": (EC_HEADER, {"cnf": {}}), "null": (EC_HEADER, {"cnf": None})}

OTHER_CLIENTS: Mapping[str, tuple[Json, Json]] = {
    **{
        f"{name} of {typ['typ']}": (typ, {name: "other", "scope": "openid"})
        for name in ("azp", "client_id", "cid", "appid")
        for typ in (JWT, EC_HEADER)
    },
    "azp of the page, client_id of another": (EC_HEADER, {"azp": PAGE, "client_id": "other"}),
    "no client": (EC_HEADER, {"scope": "openid"}),
    "several clients": (EC_HEADER, {"client_id": [PAGE]}),
    "number": (EC_HEADER, {"client_id": 1}),
    "object": (EC_HEADER, {"azp": {PAGE: 1}}),
    "case": (EC_HEADER, {"client_id": PAGE.upper()}),
    "space": (EC_HEADER, {"client_id": f"{PAGE} "}),
}


def pem(key: PrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def public_jwk(key: PrivateKey, algorithm: str) -> Json:
    return dict(jwk.construct(pem(key), algorithm).to_dict())


class Issuer:
    """Serves the metadata and the keys of an issuer; signs anything."""

    def __init__(self) -> None:
        self.keys = [
            {**public_jwk(key, alg), "kid": kid, "use": "sig"}
            for kid, key, alg in (("ec", EC_KEY, "ES256"), ("rsa", RSA_KEY, "RS256"))
        ]
        self.metadata: Json = {}
        routes = [Route("/.well-known/openid-configuration", self._metadata), Route("/keys", self._keys)]
        self.app = Starlette(routes=routes)

    async def _metadata(self, request: Request) -> JSONResponse:
        url = str(request.base_url).rstrip("/")
        return JSONResponse({"issuer": url, "jwks_uri": f"{url}/keys", **self.metadata})

    async def _keys(self, _: Request) -> JSONResponse:
        return JSONResponse({"keys": self.keys})


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    issuer = Issuer()
    issuer.metadata = {"token_endpoint": "https://tokens.example/token"}
    with AsgiServer(issuer.app) as server:
        yield server.url


@pytest.fixture(scope="module")
def gateway_url(issuer: str, databases: Databases) -> Iterator[str]:
    settings = GatewaySettings(
        _env_file=None, oidc_issuer=issuer, oidc_audience=API, oidc_client_id=PAGE, oidc_clients=(PAGE,)
    )
    with RunningGateway(make_settings(databases.create("minilm")), settings) as gateway:
        yield gateway.url


@pytest.fixture
async def http(gateway_url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=gateway_url, timeout=30) as http:
        yield http


@pytest.fixture
def claims(issuer: str) -> Json:
    now = int(time.time())
    return {"iss": issuer, "aud": API, "sub": "ada", "exp": now + 600, "iat": now}


async def answer(http: httpx.AsyncClient, token: str) -> tuple[int, str]:
    response = await http.get("/me", headers={"Authorization": f"Bearer {token}"})
    return response.status_code, response.json().get("code", "")


def key_of(header: Json) -> PrivateKey:
    return RSA_KEY if header["alg"] == "RS256" else EC_KEY


@pytest.mark.parametrize("name", ACCESS_TOKENS)
async def test_access_tokens_of_known_issuers_are_accepted(http: httpx.AsyncClient, claims: Json, name: str) -> None:
    header, changes = ACCESS_TOKENS[name]
    assert await answer(http, signed(claims | changes, header, key_of(header))) == (200, "")


@pytest.mark.parametrize(
    "attack", [OTHER_KINDS, BOUND, OTHER_CLIENTS], ids=["other kinds", "bound to a key", "other clients"]
)
async def test_tokens_for_another_purpose_are_refused(
    http: httpx.AsyncClient, claims: Json, attack: Mapping[str, tuple[Json, Json]], record: Record
) -> None:
    tokens = {
        name: signed(claims | ({} if attack is OTHER_CLIENTS else {"client_id": PAGE}) | changes, header)
        for name, (header, changes) in attack.items()
    }
    answers = {name: await answer(http, token) for name, token in tokens.items()}
    record(len(answers), sum(each == (401, "token_invalid") for each in answers.values()))
    assert {name for name, each in answers.items() if each != (401, "token_invalid")} == set()


async def test_forged_signatures_are_refused(http: httpx.AsyncClient, claims: Json, record: Record) -> None:
    good = claims | {"client_id": PAGE, "jti": "1", "scope": "openid"}
    header, payload, own = signed(good).split(".")
    stranger = ec.generate_private_key(ec.SECP256R1())
    own_jwk = public_jwk(stranger, "ES256")
    mac_header = segment(EC_HEADER | {"alg": "HS256"})
    mac = hmac.digest(pem(EC_KEY), f"{mac_header}.{payload}".encode(), hashlib.sha256)
    tokens = [
        signed(good, EC_HEADER, stranger),
        *(signed(good, EC_HEADER | extra, stranger) for extra in ({"jwk": own_jwk}, {"jku": "https://evil.example"})),
        *(signed(good, EC_HEADER | {"kid": kid}) for kid in ("rsa", "../ec", "ec\0", "", "EC", "x" * 300)),
        *(f"{segment(EC_HEADER | {'alg': alg})}.{payload}.{own}" for alg in ("none", "HS256", "ES384", "RS256", "")),
        *(f"{segment(EC_HEADER | {'alg': alg})}.{payload}." for alg in ("none", "None", "nOnE")),
        f"{mac_header}.{payload}.{segment(mac)}",
        f"{header}.{segment(good | {'sub': 'eve'})}.{own}",
        f"{header}.{payload}.{segment(bytes(64))}",
        f"{header}.{payload}.{own}.{own}",
        *(signed(without(good, name)) for name in ("iss", "aud", "exp", "sub")),
        *(signed(good | {"aud": aud}) for aud in (PAGE, [], [PAGE], f"{API}/", None, {API: 1})),
        *(signed(good | {"iss": iss}) for iss in ("https://evil.example", claims["iss"] + "/", None)),
        *(signed(good | {"exp": exp}) for exp in (10**400, "9" * 10, True, None)),
        "x" * 20_000,
    ]
    answers = [await answer(http, token) for token in tokens]
    assert (await answer(http, signed(good)))[0] == 200
    refused = [status == 401 for status, _ in answers]
    record(len(tokens), sum(refused))
    assert all(refused)


@pytest.mark.parametrize("count", [500, pytest.param(20_000, marks=pytest.mark.long)])
async def test_mutants_of_a_token_are_refused(count: int, record: Record) -> None:
    now = int(time.time())
    claims = {"iss": "https://i.example", "aud": API, "sub": "ada", "exp": now + 600, "client_id": PAGE, "jti": "1"}
    validator = TokenValidator("https://i.example", API, find_key, clients=Clients(PAGE, (PAGE,)))
    token = signed(claims)
    assert await validator.validate(token)
    pick = random.Random(count)

    async def is_refused(mutant: str) -> bool:
        try:
            await validator.validate(mutant)
        except TokenError:
            return True
        return False

    mutants = {_mutant(token, pick) for _ in range(count)} - {token}
    held = sum([await is_refused(mutant) for mutant in mutants])
    record(len(mutants), held)
    assert held == len(mutants)


def _mutant(token: str, pick: random.Random) -> str:
    """The token with one to three characters replaced, removed, inserted or exchanged."""
    characters = list(token)
    for _ in range(pick.randint(1, 3)):
        at = pick.randrange(len(characters))
        match pick.randrange(4):
            case 0:
                characters[at] = pick.choice("ABCxyz012-_.=+/ é\0")
            case 1:
                del characters[at]
            case 2:
                characters.insert(at, pick.choice("ABCxyz012-_.=\n"))
            case _:
                other = pick.randrange(len(characters))
                characters[at], characters[other] = characters[other], characters[at]
    return "".join(characters)


@pytest.mark.parametrize("claim", ["nonce", "at_hash", None])
async def test_id_tokens_are_refused_even_if_the_page_has_the_client_id_of_the_api(claim: str | None) -> None:
    now = int(time.time())
    id_token = {"iss": "https://i.example", "aud": API, "sub": "ada", "exp": now + 600, "iat": now, "azp": API}
    validator = TokenValidator("https://i.example", API, find_key, clients=Clients(API))

    with pytest.raises(TokenError):
        await validator.validate(signed(id_token | ({claim: "x"} if claim else {}), JWT))
    for access in ({"scope": "openid"}, {"scp": "chat"}, {"typ": "Bearer"}, {"token_use": "access"}):
        assert await validator.validate(signed(id_token | access, JWT))
    assert await validator.validate(signed(id_token, EC_HEADER))


async def test_without_a_list_of_clients_all_clients_of_the_issuer_are_accepted() -> None:
    claims = {"iss": "https://i.example", "aud": API, "sub": "ada", "exp": time.time() + 600}
    validator = TokenValidator("https://i.example", API, find_key, clients=Clients(PAGE))

    for client in ({"azp": "other"}, {"client_id": "other"}, {}):
        assert await validator.validate(signed(claims | client))


async def test_the_page_may_connect_to_the_token_endpoint_on_another_host(http: httpx.AsyncClient, issuer: str) -> None:
    page = await http.get("/")
    config = (await http.get("/config")).json()

    assert f"connect-src 'self' {issuer} https://tokens.example;" in page.headers["content-security-policy"]
    assert config["oidc"] == {"issuer": issuer, "client_id": PAGE, "audience": API, "scope": "openid profile"}
