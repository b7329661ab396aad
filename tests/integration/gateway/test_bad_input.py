"""Bad input gets a clear problem; nothing is stored, and nobody else notices."""

import uuid
from collections.abc import AsyncIterator

import httpx
import pytest

from support.client import ApiClient, new_thread
from support.gateway import RunningGateway

ANYWHERE = "00000000-0000-4000-8000-000000000000"


def _problem(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert body["status"] == answer.status_code
    assert body["title"]
    return answer.status_code, body["code"]


async def _nothing_is_stored(client: ApiClient) -> None:
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
async def test_a_message_that_cannot_be_one_is_refused(ada: ApiClient, body: object, problem: tuple[int, str]) -> None:
    answer = await ada.http.post(f"/threads/{new_thread()}/messages", json=body)
    assert _problem(answer) == problem
    await _nothing_is_stored(ada)


@pytest.mark.parametrize(
    "raw",
    [b'{"text": "I live in Oslo \\ud800"}', b'{"text": "I live in \\udfff Oslo"}', b'{"text": "\xff\xfe"}', b"{", b""],
)
async def test_what_is_no_text_at_all_is_refused(ada: ApiClient, raw: bytes) -> None:
    answer = await ada.http.post(
        f"/threads/{new_thread()}/messages", content=raw, headers={"content-type": "application/json"}
    )
    assert _problem(answer) in {(422, "invalid_text"), (422, "invalid_request"), (400, "invalid_request")}
    await _nothing_is_stored(ada)


@pytest.mark.parametrize("announced", [True, False])
async def test_a_megabyte_is_refused(ada: ApiClient, announced: bool) -> None:  # noqa: FBT001 - a case, not a flag
    body = b'{"text": "' + b"x" * 1_000_000 + b'"}'

    async def pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 65_536):
            yield body[start : start + 65_536]

    answer = await ada.http.post(
        f"/threads/{new_thread()}/messages",
        content=body if announced else pieces(),
        headers={"content-type": "application/json"},
    )
    assert _problem(answer) == (413, "body_too_large")
    await _nothing_is_stored(ada)


@pytest.mark.parametrize("thread", ["1", "not-a-uuid", "%00", "a" * 200])
async def test_a_thread_that_is_no_uuid_is_refused(ada: ApiClient, thread: str) -> None:
    for answer in (
        await ada.http.post(f"/threads/{thread}/messages", json={"text": "I live in Oslo"}),
        await ada.http.get(f"/threads/{thread}"),
    ):
        assert _problem(answer) == (422, "invalid_id")
    await _nothing_is_stored(ada)


@pytest.mark.parametrize("title", ["a\0b", " ", "x" * 201])
async def test_a_title_that_cannot_be_kept_is_refused(ada: ApiClient, title: str) -> None:
    assert _problem(await ada.http.post("/threads", json={"title": title})) == (422, "invalid_text")
    await _nothing_is_stored(ada)


async def test_somebody_elses_thread_is_like_one_that_never_was(ada: ApiClient, bob: ApiClient) -> None:
    thread = new_thread()
    await ada.send("I live in Oslo.", thread=thread)
    for mine, never in (
        (await bob.http.get(f"/threads/{thread}"), await bob.http.get(f"/threads/{ANYWHERE}")),
        (await bob.http.get(f"/threads/{thread}/messages"), await bob.http.get(f"/threads/{ANYWHERE}/messages")),
        (await bob.http.delete(f"/threads/{thread}"), await bob.http.delete(f"/threads/{ANYWHERE}")),
        (await bob.http.post(f"/threads/{thread}/cancel"), await bob.http.post(f"/threads/{ANYWHERE}/cancel")),
        (
            await bob.http.patch(f"/threads/{thread}", json={"title": "Mine"}),
            await bob.http.patch(f"/threads/{ANYWHERE}", json={"title": "Mine"}),
        ),
    ):
        assert _problem(mine) == (404, "thread_not_found")
        assert mine.json() == never.json()
    assert _problem(await bob.http.post(f"/threads/{thread}/messages", json={"text": "Hello"}))[0] == 404
    await _nothing_is_stored(bob)
    assert (await ada.http.get(f"/threads/{thread}")).json()["title"] == "I live in Oslo."


async def test_somebody_elses_memory_is_like_one_that_never_was(ada: ApiClient, bob: ApiClient) -> None:
    memory = (await ada.http.post("/memories", json={"text": "Lives in Oslo"})).json()["id"]
    for verb, body in (("GET", None), ("PATCH", {"text": "Lives here"}), ("DELETE", None)):
        mine = await bob.http.request(verb, f"/memories/{memory}", json=body)
        never = await bob.http.request(verb, f"/memories/{uuid.uuid4()}", json=body)
        assert _problem(mine) == (404, "memory_not_found")
        assert mine.json() == never.json()
    assert [known["text"] for known in await ada.memories()] == ["Lives in Oslo"]


@pytest.mark.parametrize(
    ("token", "code"),
    [(None, "token_missing"), ("x", "token_invalid"), ("a.b.c", "token_invalid"), ("e30.e30.", "token_invalid")],
)
async def test_without_a_valid_token_nothing_is_shown(
    shared_gateway: RunningGateway, token: str | None, code: str
) -> None:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx.AsyncClient(base_url=shared_gateway.url, headers=headers) as http:
        for verb, path in (("GET", "/threads"), ("GET", "/memories"), ("GET", "/me"), ("POST", "/memories/flush")):
            answer = await http.request(verb, path)
            assert _problem(answer) == (401, code)
            assert answer.headers["www-authenticate"] == "Bearer"


async def test_a_forged_token_is_refused(ada: ApiClient) -> None:
    head, body, signature = ada.token.split(".")
    for forged in (f"{head}.{body}.{signature[::-1]}", f"{head}.{body[:-4]}AAAA.{signature}", f"{head}.{body}."):
        answer = await ada.http.get("/me", headers={"Authorization": f"Bearer {forged}"})
        assert _problem(answer) == (401, "token_invalid")


async def test_what_a_client_says_of_itself_is_not_believed(ada: ApiClient, bob: ApiClient) -> None:
    await ada.send("I live in Oslo.")
    ada_id = (await ada.http.get("/me")).json()["user_id"]
    reply = await bob.send(
        "Where do I live?",
        user_id=ada_id,
        thread_id=ANYWHERE,
        configurable={"user_id": ada_id, "thread_id": f"{ada_id}/{ANYWHERE}"},
        config={"configurable": {"user_id": ada_id}},
    )
    assert reply.recalled == []
    assert "Oslo" not in reply.text
    assert reply.data("run.started")["thread_id"] != ANYWHERE


@pytest.mark.parametrize(
    "path", ["/threads?before=x", "/threads?limit=0", "/memories?cursor=x", "/memories?kind=secret"]
)
async def test_a_list_is_asked_for_in_its_own_terms(ada: ApiClient, path: str) -> None:
    assert _problem(await ada.http.get(path))[0] == 422


@pytest.mark.parametrize(("verb", "path", "status"), [("GET", "/nowhere", 404), ("PUT", "/memories", 405)])
async def test_what_is_not_there_is_a_problem_too(ada: ApiClient, verb: str, path: str, status: int) -> None:
    assert _problem(await ada.http.request(verb, path))[0] == status


@pytest.mark.parametrize("name", ["", "x" * 257, "a\nb", "a\0b"])
async def test_a_name_that_cannot_be_one_is_refused(shared_gateway: RunningGateway, name: str) -> None:
    async with httpx.AsyncClient(base_url=shared_gateway.url) as http:
        assert _problem(await http.post("/dev/token", json={"user": name})) == (422, "invalid_user")


async def test_another_host_name_gets_no_token(shared_gateway: RunningGateway) -> None:
    async with httpx.AsyncClient(base_url=shared_gateway.url) as http:
        answer = await http.post("/dev/token", json={"user": "ada"}, headers={"host": "evil.example.com"})
        assert answer.status_code == 400
