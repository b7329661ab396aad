"""Personal keys: what they give access to, and when they stop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import psycopg
import pytest
from click.testing import CliRunner, Result

from agent import Agent, open_agent
from agent.accounts.keys import KEY_PREFIX, MAX_KEYS
from conftest import Databases, make_settings, model_settings
from gateway.auth.local import LOCAL_ISSUER
from gateway.auth.principal import user_label
from gateway.cli import keepsake
from support.client import ApiClient, Json
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI
from support.stored_documents import tables_containing


async def create(client: ApiClient, name: str = "laptop") -> Json:
    return dict((await client.http.post("/me/keys", json={"name": name})).raise_for_status().json())


@asynccontextmanager
async def with_key(client: ApiClient, key: str) -> AsyncIterator[ApiClient]:
    """A client that sends a key instead of the token."""
    http = httpx.AsyncClient(base_url=client.http.base_url, headers={"Authorization": f"Bearer {key}"}, timeout=30)
    async with ApiClient(http, key) as api:
        yield api


async def test_a_key_is_the_user_who_created_it(ada: ApiClient, bob: ApiClient) -> None:
    key = await create(ada)
    assert key["key"].startswith(KEY_PREFIX)
    async with with_key(ada, key["key"]) as client:
        assert (await client.http.get("/me")).json() == (await ada.http.get("/me")).json()
        await client.send("I live in Oslo.")
        assert (await ada.send("Where do I live?")).recalled == ["I live in Oslo."]
    assert (await bob.send("Where do I live?")).recalled == []


async def test_keys_are_listed_without_their_secrets_and_with_their_last_use(ada: ApiClient) -> None:
    first, second = await create(ada, "laptop"), await create(ada, "phone")
    async with with_key(ada, first["key"]) as client:
        await client.http.get("/me")
        listed: list[Json] = []
        async with asyncio.timeout(10):
            while not listed or listed[1]["last_used_at"] is None:  # recorded in the background
                listed = (await ada.http.get("/me/keys")).json()["items"]
    assert [key["name"] for key in listed] == ["phone", "laptop"]
    assert [key["id"] for key in listed] == [second["id"], first["id"]]
    assert listed[0]["last_used_at"] is None
    assert "key" not in listed[0]


async def test_the_database_contains_no_secret(ada: ApiClient, shared_gateway: RunningGateway) -> None:
    secret = (await create(ada))["key"]
    assert tables_containing(shared_gateway.database, secret) == []
    assert tables_containing(shared_gateway.database, secret.removeprefix(KEY_PREFIX)) == []


async def test_the_last_use_is_written_at_most_once_a_minute(ada: ApiClient, shared_gateway: RunningGateway) -> None:
    key = await create(ada)
    with psycopg.connect(shared_gateway.database, autocommit=True) as connection:
        for age, is_written in (("59 seconds", False), ("61 seconds", True)):
            query = "UPDATE keys SET last_used_at = now() - %s::interval WHERE id = %s RETURNING last_used_at"
            (before,) = connection.execute(query, (age, key["id"])).fetchone() or (None,)
            async with with_key(ada, key["key"]) as client, asyncio.timeout(10):
                after = before
                while after == before:
                    await client.http.get("/me")
                    (after,) = connection.execute(
                        "SELECT last_used_at FROM keys WHERE id = %s", (key["id"],)
                    ).fetchone() or (None,)
                    if not is_written:
                        break
            assert (after != before) == is_written


async def test_a_revoked_key_is_refused_at_once_by_every_process(client: ApiClient, second_client: ApiClient) -> None:
    key = await create(client)
    async with with_key(client, key["key"]) as here, with_key(second_client, key["key"]) as there:
        for one in (here, there):
            assert (await one.http.get("/me")).status_code == 200
        assert (await client.http.delete(f"/me/keys/{key['id']}")).status_code == 204
        for one in (there, here):
            refused = await one.http.get("/me")
            assert (refused.status_code, refused.json()["code"]) == (401, "token_invalid")
    assert (await client.http.delete(f"/me/keys/{key['id']}")).json()["code"] == "key_not_found"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/me/keys"),
        ("GET", "/me/keys"),
        ("DELETE", "/me/keys/00000000-0000-4000-8000-000000000000"),
        ("DELETE", "/me"),
        ("POST", "/dev/token"),
    ],
)
async def test_a_key_gives_no_access_to_keys_erasure_and_sign_in(ada: ApiClient, method: str, path: str) -> None:
    key = await create(ada)
    async with with_key(ada, key["key"]) as client:
        refused = await client.http.request(method, path, json={"name": "another", "user": "ada"})
    assert (refused.status_code, refused.json()["code"]) == (403, "key_not_allowed")
    assert [one["id"] for one in (await ada.http.get("/me/keys")).json()["items"]] == [key["id"]]


@pytest.mark.parametrize("change", ["", "x", "ks_", "_", "é"])
async def test_a_changed_key_is_refused(ada: ApiClient, change: str) -> None:
    secret = (await create(ada))["key"]
    changed = f"{secret}{change}" if change else f"{secret[:-1]}{'A' if secret[-1] != 'A' else 'B'}"
    refused = await ada.http.get("/me", headers=[(b"Authorization", f"Bearer {changed}".encode())])
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")


async def test_an_erased_account_leaves_no_usable_key(ada: ApiClient) -> None:
    key = await create(ada)
    receipt = (await ada.http.delete("/me")).json()["deleted"]
    assert receipt["keys"] == 1
    async with with_key(ada, key["key"]) as client:
        assert (await client.http.get("/me")).status_code == 401


async def test_the_number_of_keys_is_limited_also_for_concurrent_requests(ada: ApiClient) -> None:
    responses = await asyncio.gather(
        *(ada.http.post("/me/keys", json={"name": f"key {number}"}) for number in range(MAX_KEYS + 5))
    )
    assert sorted(response.status_code for response in responses) == [201] * MAX_KEYS + [429] * 5
    assert {one.json()["code"] for one in responses if one.status_code == 429} == {"too_many_keys"}
    assert len((await ada.http.get("/me/keys")).json()["items"]) == MAX_KEYS


@pytest.mark.parametrize("name", ["", " ", "x" * 101, "a\nb", "a\0b"])
async def test_an_invalid_name_is_refused(ada: ApiClient, name: str) -> None:
    refused = await ada.http.post("/me/keys", json={"name": name})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_text")


async def test_the_limits_of_a_user_apply_to_keys(database: str, model: ScriptedOpenAI) -> None:
    settings = make_settings(database, **model_settings(model, limit_requests_per_minute=5))
    with RunningGateway(settings) as gateway:
        async with await ApiClient.sign_in(gateway.url, "ada") as ada:
            async with with_key(ada, (await create(ada))["key"]) as client:
                statuses = [(await client.http.get("/me")).status_code for _ in range(6)]
            assert statuses[0] == 200
            assert statuses[-1] == 429
            assert (await ada.http.get("/me")).status_code == 429


def test_operators_create_list_and_revoke_keys(databases: Databases) -> None:
    database = databases.create("minilm")
    user = user_label(LOCAL_ISSUER, "ada")

    def run(*arguments: str) -> Result:
        command = ["keys", *arguments, "--user", "ada"]
        return CliRunner(env={"DATABASE_URL": database}).invoke(keepsake, command)

    async def in_agent(key: str | None) -> bool:
        async with open_agent(make_settings(database), start_worker=False) as agent:
            return await _use(agent, key)

    async def _use(agent: Agent, key: str | None) -> bool:
        if key is None:
            await agent.users.sign_in(user, issuer=LOCAL_ISSUER, subject="ada")
            return True
        owner = await agent.keys.find_owner(key)
        return owner is not None and owner.account.id == user

    assert "no user with this name" in run("create", "laptop").output
    asyncio.run(in_agent(None))
    secret = run("create", "laptop").output.strip()
    assert asyncio.run(in_agent(secret))
    [line] = run("list").output.splitlines()
    assert line.endswith("  laptop")
    assert run("revoke", line.split()[0]).exit_code == 0
    assert run("list").output == ""
    assert not asyncio.run(in_agent(secret))
