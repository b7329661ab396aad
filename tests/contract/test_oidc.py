"""Sign-in with a real OpenID provider (npm's oidc-provider), with authorization code and PKCE."""

import base64
import hashlib
import secrets
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from conftest import Databases, make_settings
from gateway.auth.oidc import open_oidc
from gateway.auth.principal import user_label
from gateway.auth.token_kind import Clients
from gateway.errors import TokenInvalidError
from gateway.settings import GatewaySettings
from support.gateway import RunningGateway
from support.oidc_provider import Provider, authorize, running_provider

CALLBACK = "http://127.0.0.1/callback"
API = "https://keepsake.example/ES256"


async def sign_in(issuer: str, user: str, resource: str = API) -> dict[str, Any]:
    """Sign in as a browser does; returns the response of the token endpoint."""
    verifier_secret = secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier_secret.encode()).digest()).rstrip(b"=").decode()
    parameters = {"client_id": "page", "redirect_uri": CALLBACK, "resource": resource}
    async with httpx.AsyncClient() as http:
        discovery = (await http.get(f"{issuer}/.well-known/openid-configuration")).json()
        pkce = {"code_challenge": challenge, "code_challenge_method": "S256"}
        request = {"response_type": "code", "scope": "openid chat"}
        address = httpx.URL(discovery["authorization_endpoint"], params=parameters | pkce | request)
        code = (await authorize(http, address, user, callback=CALLBACK)).params["code"]
        grant = {"grant_type": "authorization_code", "code": code, "code_verifier": verifier_secret}
        return dict((await http.post(discovery["token_endpoint"], data=parameters | grant)).raise_for_status().json())


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider() as provider:
        yield provider


@pytest.mark.parametrize("algorithm", ["RS256", "ES256"])
async def test_an_access_token_identifies_the_user(provider: Provider, algorithm: str) -> None:
    api = f"https://keepsake.example/{algorithm}"
    tokens = await sign_in(provider.issuer, "ada", api)

    async with open_oidc(provider.issuer, api) as verifier:
        ada = await verifier.verify(tokens["access_token"])

    assert (ada.issuer, ada.subject) == (provider.issuer, "ada")
    assert ada.user == user_label(provider.issuer, "ada")


async def test_a_token_for_another_api_is_rejected(provider: Provider) -> None:
    tokens = await sign_in(provider.issuer, "ada", "https://other.example/ES256")

    async with open_oidc(provider.issuer, API) as verifier:
        with pytest.raises(TokenInvalidError, match="audience"):
            await verifier.verify(tokens["access_token"])


async def test_an_id_token_is_rejected(provider: Provider) -> None:
    tokens = await sign_in(provider.issuer, "ada")

    async with open_oidc(provider.issuer, API) as verifier:
        with pytest.raises(TokenInvalidError, match="audience"):
            await verifier.verify(tokens["id_token"])
    async with open_oidc(provider.issuer, "page", clients=Clients("page")) as verifier:
        with pytest.raises(TokenInvalidError, match="ID token"):
            await verifier.verify(tokens["id_token"])


async def test_the_client_of_a_token_must_be_accepted(provider: Provider) -> None:
    token = (await sign_in(provider.issuer, "ada"))["access_token"]

    async with open_oidc(provider.issuer, API, clients=Clients("page", ("page", "cli"))) as verifier:
        assert await verifier.verify(token)
    async with open_oidc(provider.issuer, API, clients=Clients("page", ("cli",))) as verifier:
        with pytest.raises(TokenInvalidError, match="client"):
            await verifier.verify(token)


async def test_tokens_are_accepted_after_key_rotation(provider: Provider) -> None:
    async with open_oidc(provider.issuer, API) as verifier:
        before = await verifier.verify((await sign_in(provider.issuer, "ada"))["access_token"])
        provider.rotate_keys()
        after = await verifier.verify((await sign_in(provider.issuer, "ada"))["access_token"])

    assert before == after


async def test_the_gateway_accepts_tokens_of_the_provider_and_issues_none(
    provider: Provider, databases: Databases
) -> None:
    settings = GatewaySettings(_env_file=None, oidc_issuer=provider.issuer, oidc_audience=API, oidc_client_id="page")
    with RunningGateway(make_settings(databases.create("minilm")), settings) as gateway:
        token = (await sign_in(provider.issuer, "ada"))["access_token"]
        foreign_token = (await sign_in(provider.issuer, "ada", "https://other.example/ES256"))["access_token"]
        async with httpx.AsyncClient(base_url=gateway.url) as http:
            config = (await http.get("/config")).json()
            oidc = {"issuer": provider.issuer, "client_id": "page", "audience": API, "scope": "openid profile"}
            assert (config["sign_in"], config["local_sign_in"], config["oidc"]) == ("oidc", None, oidc)
            me = await http.get("/me", headers={"Authorization": f"Bearer {token}"})
            assert me.json()["user_id"] == user_label(provider.issuer, "ada")
            refused = await http.get("/me", headers={"Authorization": f"Bearer {foreign_token}"})
            assert (refused.status_code, refused.json()["code"]) == (401, "token_invalid")
            assert (await http.post("/dev/token", json={"user": "ada"})).status_code in {404, 405}
            token_host = provider.issuer.replace("127.0.0.1", "localhost")
            policy = (await http.get("/")).headers["content-security-policy"]
            assert f"connect-src 'self' {provider.issuer} {token_host};" in policy
