"""Sign-in of an MCP client at the issuer, with the OAuth client of the MCP SDK."""

from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from conftest import Databases, make_settings
from gateway.settings import GatewaySettings
from support.gateway import RunningGateway
from support.oidc_provider import Provider, authorize, running_provider

CALLBACK = "http://127.0.0.1:3030/callback"


@dataclass
class Storage:
    """What the client keeps."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Browser:
    """Signs in as a user when the client opens the page of the issuer."""

    def __init__(self, user: str) -> None:
        self._user = user
        self.pages: list[httpx.URL] = []
        self._result: httpx.URL | None = None

    async def open(self, address: str) -> None:
        self.pages.append(httpx.URL(address))
        async with httpx.AsyncClient() as http:
            self._result = await authorize(http, address, self._user, callback=CALLBACK)

    async def result(self) -> AuthorizationCodeResult:
        assert self._result is not None
        parameters = self._result.params
        return AuthorizationCodeResult(
            code=parameters["code"], state=parameters.get("state"), iss=parameters.get("iss")
        )


def sign_in(url: str, browser: Browser, storage: Storage) -> OAuthClientProvider:
    return OAuthClientProvider(
        f"{url}/mcp",
        OAuthClientMetadata(client_name="Example Editor", redirect_uris=[AnyUrl(CALLBACK)]),
        storage,
        redirect_handler=browser.open,
        callback_handler=browser.result,
    )


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider() as provider:
        yield provider


@pytest.mark.parametrize("audience_path", ["/mcp", ""])
async def test_a_client_that_knows_only_the_address_signs_its_user_in(
    provider: Provider, databases: Databases, audience_path: str
) -> None:
    def settings(url: str) -> GatewaySettings:
        return GatewaySettings(_env_file=None, oidc_issuer=provider.issuer, oidc_audience=url + audience_path)

    browser, storage = Browser("ada"), Storage()
    with RunningGateway(make_settings(databases.create("minilm")), settings) as gateway:
        auth = sign_in(gateway.url, browser, storage)
        async with (
            httpx2.AsyncClient(auth=auth, timeout=30) as http,
            Client(streamable_http_client(f"{gateway.url}/mcp", http_client=http)) as client,
        ):
            remembered = await client.call_tool("remember", {"text": "Plays the violin"})
            assert not remembered.is_error, remembered.content
        assert [page.params["resource"] for page in browser.pages] == [gateway.url + audience_path]
        assert storage.tokens
        headers = {"Authorization": f"Bearer {storage.tokens.access_token}"}
        async with httpx.AsyncClient(base_url=gateway.url, headers=headers) as http_of_page:
            [memory] = (await http_of_page.get("/memories")).json()["items"]
            assert memory["text"] == "Plays the violin"


async def test_a_refused_client_learns_where_to_sign_in(provider: Provider, databases: Databases) -> None:
    audience = "https://api.example/keepsake"
    settings = GatewaySettings(
        _env_file=None,
        oidc_issuer=provider.issuer,
        oidc_audience=audience,
        oidc_scope="openid api://keepsake/chat",
        public_url="https://keepsake.example/",
    )
    with RunningGateway(make_settings(databases.create("minilm")), settings) as gateway:
        async with httpx.AsyncClient(base_url=gateway.url) as http:
            response = await http.post("/mcp", json={})
            assert response.status_code == 401
            address = "https://keepsake.example/.well-known/oauth-protected-resource/mcp"
            assert response.headers["www-authenticate"] == f'Bearer resource_metadata="{address}"'
            assert (await http.get("/me")).headers["www-authenticate"] == "Bearer"
            for path in ("/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"):
                assert (await http.get(path)).json() == {
                    "resource": "https://keepsake.example/mcp",
                    "authorization_servers": [provider.issuer],
                    "scopes_supported": ["openid", "api://keepsake/chat"],
                    "bearer_methods_supported": ["header"],
                    "resource_name": "Keepsake",
                }
