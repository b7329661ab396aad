"""Invalid requests receive a problem document, store nothing and do not affect other users."""

import uuid
from collections.abc import AsyncIterator

import httpx
import pytest

from support.client import ApiClient, new_thread
from support.gateway import RunningGateway

UNKNOWN_ID = "00000000-0000-4000-8000-000000000000"


def _problem(response: httpx.Response) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json"
    body = response.json()
    assert body["status"] == response.status_code
    assert body["title"]
    return response.status_code, body["code"]


async def _assert_nothing_is_stored(client: ApiClient) -> None:
    assert (await client.http.get("/threads")).json() == {"items": [], "next_cursor": None}
    assert (await client.flush())["added"] == 0
    assert await client.memories() == []


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({}, (422, "invalid_request")),
        ({"text": ""}, (422, "invalid_text")),
        ({"text": " \n "}, (422, "invalid_text")),
        ({"text": None}, (422, "invalid_request")),
        ({"text": ["I live in Oslo"]}, (422, "invalid_request")),
        ({"text": "I live in Oslo\0"}, (422, "invalid_text")),
        ({"text": "I live in Oslo. " * 3_000}, (422, "invalid_text")),
        ({"text": "I live in Oslo", "id": "1"}, (422, "invalid_id")),
        ({"text": "I live in Oslo", "model": "no-such-model"}, (422, "unknown_model")),
        ([], (422, "invalid_request")),
    ],
)
async def test_an_invalid_message_is_rejected(ada: ApiClient, body: object, problem: tuple[int, str]) -> None:
    response = await ada.http.post(f"/threads/{new_thread()}/messages", json=body)
    assert _problem(response) == problem
    await _assert_nothing_is_stored(ada)


@pytest.mark.parametrize(
    "body",
    [b'{"text": "I live in Oslo \\ud800"}', b'{"text": "I live in \\udfff Oslo"}', b'{"text": "\xff\xfe"}', b"{", b""],
)
async def test_a_malformed_body_is_rejected(ada: ApiClient, body: bytes) -> None:
    response = await ada.http.post(
        f"/threads/{new_thread()}/messages", content=body, headers={"content-type": "application/json"}
    )
    assert _problem(response) in {(422, "invalid_text"), (422, "invalid_request"), (400, "invalid_request")}
    await _assert_nothing_is_stored(ada)


@pytest.mark.parametrize("with_length", [True, False])
async def test_a_body_of_one_megabyte_is_rejected(ada: ApiClient, with_length: bool) -> None:  # noqa: FBT001 - a case, not a flag
    body = b'{"text": "' + b"x" * 1_000_000 + b'"}'

    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 65_536):
            yield body[start : start + 65_536]

    response = await ada.http.post(
        f"/threads/{new_thread()}/messages",
        content=body if with_length else chunks(),
        headers={"content-type": "application/json"},
    )
    assert _problem(response) == (413, "body_too_large")
    await _assert_nothing_is_stored(ada)


@pytest.mark.parametrize("thread", ["1", "not-a-uuid", "%00", "a" * 200])
async def test_a_thread_id_must_be_a_uuid(ada: ApiClient, thread: str) -> None:
    for response in (
        await ada.http.post(f"/threads/{thread}/messages", json={"text": "I live in Oslo"}),
        await ada.http.get(f"/threads/{thread}"),
    ):
        assert _problem(response) == (422, "invalid_id")
    await _assert_nothing_is_stored(ada)


@pytest.mark.parametrize("title", ["a\0b", " ", "x" * 201])
async def test_an_invalid_title_is_rejected(ada: ApiClient, title: str) -> None:
    assert _problem(await ada.http.post("/threads", json={"title": title})) == (422, "invalid_text")
    await _assert_nothing_is_stored(ada)


async def test_another_users_thread_looks_like_an_unknown_one(ada: ApiClient, bob: ApiClient) -> None:
    thread = new_thread()
    await ada.send("I live in Oslo.", thread=thread)
    for foreign, unknown in (
        (await bob.http.get(f"/threads/{thread}"), await bob.http.get(f"/threads/{UNKNOWN_ID}")),
        (await bob.http.get(f"/threads/{thread}/messages"), await bob.http.get(f"/threads/{UNKNOWN_ID}/messages")),
        (await bob.http.delete(f"/threads/{thread}"), await bob.http.delete(f"/threads/{UNKNOWN_ID}")),
        (await bob.http.post(f"/threads/{thread}/cancel"), await bob.http.post(f"/threads/{UNKNOWN_ID}/cancel")),
        (
            await bob.http.patch(f"/threads/{thread}", json={"title": "Mine"}),
            await bob.http.patch(f"/threads/{UNKNOWN_ID}", json={"title": "Mine"}),
        ),
    ):
        assert _problem(foreign) == (404, "thread_not_found")
        assert foreign.json() == unknown.json()
    assert _problem(await bob.http.post(f"/threads/{thread}/messages", json={"text": "Hello"}))[0] == 404
    await _assert_nothing_is_stored(bob)
    assert (await ada.http.get(f"/threads/{thread}")).json()["title"] == "I live in Oslo."


async def test_another_users_memory_looks_like_an_unknown_one(ada: ApiClient, bob: ApiClient) -> None:
    memory = (await ada.http.post("/memories", json={"text": "Lives in Oslo"})).json()["id"]
    for verb, body in (("GET", None), ("PATCH", {"text": "Lives here"}), ("DELETE", None)):
        foreign = await bob.http.request(verb, f"/memories/{memory}", json=body)
        unknown = await bob.http.request(verb, f"/memories/{uuid.uuid4()}", json=body)
        assert _problem(foreign) == (404, "memory_not_found")
        assert foreign.json() == unknown.json()
    assert [known["text"] for known in await ada.memories()] == ["Lives in Oslo"]


@pytest.mark.parametrize(
    ("token", "code"),
    [(None, "token_missing"), ("x", "token_invalid"), ("a.b.c", "token_invalid"), ("e30.e30.", "token_invalid")],
)
async def test_requests_without_a_valid_token_are_rejected(
    shared_gateway: RunningGateway, token: str | None, code: str
) -> None:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx.AsyncClient(base_url=shared_gateway.url, headers=headers) as http:
        for verb, path in (("GET", "/threads"), ("GET", "/memories"), ("GET", "/me"), ("POST", "/memories/flush")):
            response = await http.request(verb, path)
            assert _problem(response) == (401, code)
            assert response.headers["www-authenticate"] == "Bearer"


async def test_a_forged_token_is_rejected(ada: ApiClient) -> None:
    head, body, signature = ada.token.split(".")
    for forged in (f"{head}.{body}.{signature[::-1]}", f"{head}.{body[:-4]}AAAA.{signature}", f"{head}.{body}."):
        response = await ada.http.get("/me", headers={"Authorization": f"Bearer {forged}"})
        assert _problem(response) == (401, "token_invalid")


async def test_user_and_thread_ids_in_the_body_are_ignored(ada: ApiClient, bob: ApiClient) -> None:
    await ada.send("I live in Oslo.")
    ada_id = (await ada.http.get("/me")).json()["user_id"]
    reply = await bob.send(
        "Where do I live?",
        user_id=ada_id,
        thread_id=UNKNOWN_ID,
        configurable={"user_id": ada_id, "thread_id": f"{ada_id}/{UNKNOWN_ID}"},
        config={"configurable": {"user_id": ada_id}},
    )
    assert reply.recalled == []
    assert "Oslo" not in reply.text
    assert reply.data("run.started")["thread_id"] != UNKNOWN_ID


@pytest.mark.parametrize(
    "path", ["/threads?before=x", "/threads?limit=0", "/memories?cursor=x", "/memories?kind=secret"]
)
async def test_invalid_list_parameters_are_rejected(ada: ApiClient, path: str) -> None:
    assert _problem(await ada.http.get(path))[0] == 422


@pytest.mark.parametrize(("verb", "path", "status"), [("GET", "/nowhere", 404), ("PUT", "/memories", 405)])
async def test_unknown_paths_and_methods_return_problems(ada: ApiClient, verb: str, path: str, status: int) -> None:
    assert _problem(await ada.http.request(verb, path))[0] == status


@pytest.mark.parametrize("name", ["", "x" * 257, "a\nb", "a\0b"])
async def test_an_invalid_user_name_is_rejected(shared_gateway: RunningGateway, name: str) -> None:
    async with httpx.AsyncClient(base_url=shared_gateway.url) as http:
        assert _problem(await http.post("/dev/token", json={"user": name})) == (422, "invalid_user")


async def test_a_foreign_host_name_is_rejected(shared_gateway: RunningGateway) -> None:
    async with httpx.AsyncClient(base_url=shared_gateway.url) as http:
        response = await http.post("/dev/token", json={"user": "ada"}, headers={"host": "evil.example.com"})
        assert response.status_code == 400
