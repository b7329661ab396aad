"""The route of MCP: authentication, limits, hosts, metrics."""

import httpx
import pytest

from conftest import Databases, make_settings
from integration.mcp.conftest import call
from support.client import ApiClient, signed_in
from support.gateway import RunningGateway
from support.mcp_client import mcp_client

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


async def test_without_a_token_every_message_is_refused(offline: RunningGateway) -> None:
    async with httpx.AsyncClient(base_url=offline.url, headers=ACCEPT) as http:
        for headers in ({}, {"Authorization": "Bearer x"}):
            response = await http.post("/mcp", json=PING, headers=headers)
            assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer")
            assert response.headers["content-type"] == "application/problem+json"


async def test_local_sign_in_has_no_authorization_server(offline: RunningGateway) -> None:
    async with httpx.AsyncClient(base_url=offline.url) as http:
        for path in ("/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"):
            assert (await http.get(path)).status_code == 404


async def test_a_foreign_host_is_refused(ada: ApiClient) -> None:
    response = await ada.http.post("/mcp", json=PING, headers=ACCEPT | {"Host": "attacker.example"})
    assert (response.status_code, response.text) == (400, "Invalid host header")


async def test_there_are_neither_streams_nor_sessions(ada: ApiClient) -> None:
    assert (await ada.http.post("/mcp", json=PING, headers=ACCEPT)).json() == {"jsonrpc": "2.0", "id": 1, "result": {}}
    for method in ("GET", "DELETE"):
        response = await ada.http.request(method, "/mcp", headers=ACCEPT)
        assert (response.status_code, response.json()["code"]) == (405, "method_not_allowed")


@pytest.mark.parametrize("body", ["", "{", "[]", '{"jsonrpc": "2.0"}', '"x"', "\u0000", "[" * 200_000])
async def test_malformed_messages_are_refused(ada: ApiClient, body: str) -> None:
    response = await ada.http.post("/mcp", content=body, headers=ACCEPT | {"Content-Type": "application/json"})
    assert response.status_code == 400


async def test_large_messages_are_refused(ada: ApiClient) -> None:
    response = await ada.http.post("/mcp", json=PING | {"params": {"x": "x" * 300_000}}, headers=ACCEPT)
    assert (response.status_code, response.json()["code"]) == (413, "body_too_large")


async def test_messages_are_counted_by_route(offline: RunningGateway, ada: ApiClient) -> None:
    async with mcp_client(offline.url, ada.token) as client:
        await call(client, "recall", query="violin")
    assert 'http_requests_total{method="POST",route="/mcp",status="200"}' in (await ada.http.get("/metrics")).text


async def test_the_limits_of_the_user_apply(databases: Databases) -> None:
    settings = make_settings(databases.create("minilm"), limit_requests_per_minute=3, limit_memories=1)
    with RunningGateway(settings) as gateway:
        async with signed_in(gateway.url) as user, mcp_client(gateway.url, user.token) as client:
            await call(client, "remember", text="Plays the violin")
            refused = await client.call_tool("remember", {"text": "Plays the harp"})
            assert "too_many_memories" in str(refused.content)
            for _ in range(3):
                response = await user.http.post("/mcp", json=PING, headers=ACCEPT)
            assert (response.status_code, response.json()["code"]) == (429, "rate_limited")
