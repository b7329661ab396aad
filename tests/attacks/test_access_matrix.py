"""Every operation of the OpenAPI document, with another user's id and with an id that never existed."""

import json
import re
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from gateway.openapi import make_document
from gateway.protocols.langgraph.router import router as langgraph
from gateway.protocols.openai.routes import router as openai
from support.client import ApiClient, new_thread
from support.tried_and_held import Record

METHODS = ("get", "post", "put", "patch", "delete")
QUERIES: Mapping[str, tuple[dict[str, str], ...]] = {"DELETE /threads/{thread_id}": ({}, {"forget": "true"})}
RUN = {"assistant_id": "chat", "input": {"messages": [{"role": "user", "content": "Where do I live?"}]}}
LANGGRAPH_THREAD = "/langgraph/threads/{thread_id}"
BODIES: Mapping[str, dict[str, Any]] = {
    "POST /threads/{thread_id}/messages": {"text": "Where do I live?"},
    "PATCH /threads/{thread_id}": {"title": "Mine", "pinned": True, "archived": True},
    "POST /threads/{thread_id}/branches": {"before": str(uuid.uuid4())},
    "POST /threads/{thread_id}/messages/{message_id}/feedback": {"rating": "down", "reason": "Mine"},
    "POST /memories/{memory_id}/feedback": {"verdict": "wrong"},
    "PATCH /memories/{memory_id}": {"text": "Lives here", "pinned": True},
    f"PATCH {LANGGRAPH_THREAD}": {"metadata": {"title": "Mine"}},
    f"POST {LANGGRAPH_THREAD}/state": {"values": RUN["input"]},
    f"POST {LANGGRAPH_THREAD}/state/checkpoint": {"checkpoint": {"checkpoint_id": "1"}},
    f"POST {LANGGRAPH_THREAD}/history": {},
    **{f"POST {LANGGRAPH_THREAD}/runs{end}": RUN for end in ("", "/stream", "/wait")},
}
CREATES_IF_UNKNOWN = "POST /threads/{thread_id}/messages"


@dataclass(frozen=True)
class Operation:
    """An operation that takes the id of a thread or a memory."""

    method: str
    path: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    async def request(self, client: ApiClient, ids: Mapping[str, str]) -> list[httpx.Response]:
        """Send it with each of its queries."""
        path = re.sub(r"\{(\w+)\}", lambda match: ids[match[1]], self.path)
        queries = QUERIES.get(str(self), ({},))
        return [
            await client.http.request(self.method, path, params=query, json=BODIES.get(str(self))) for query in queries
        ]


def secured_operations() -> Iterator[Operation]:
    """All operations that need a user, also those of the interfaces that are not in `openapi.json`."""
    for document in (make_document(), make_document(langgraph), make_document(openai)):
        for path, methods in document["paths"].items():
            for method in METHODS:
                if methods.get(method, {}).get("security"):
                    yield Operation(method.upper(), path)


def operations() -> Iterator[Operation]:
    """Those that take the id of something that belongs to a user."""
    return (one for one in secured_operations() if re.search(r"\{(?!assistant_id|name)", one.path))


async def _everything(client: ApiClient) -> tuple[list[Any], ...]:
    """What a user sees of their own data."""
    threads = (await client.http.get("/threads")).json()["items"]
    messages = [(await client.http.get(f"/threads/{one['thread_id']}/messages")).json() for one in threads]
    keys = (await client.http.get("/me/keys")).json()
    return (
        threads,
        messages,
        keys,
        await client.memories(),
        (await client.http.get("/memories/export")).text.splitlines(),
    )


@pytest.mark.parametrize("operation", list(operations()), ids=str)
async def test_another_users_id_is_answered_like_one_that_never_existed(
    ada: ApiClient, bob: ApiClient, operation: Operation, record: Record
) -> None:
    thread = new_thread()
    message = (await ada.send("I live in Oslo.", thread=thread)).data("run.started")["message_id"]
    memory = (await ada.http.post("/memories", json={"text": "Plays the violin"})).json()["id"]
    key = (await ada.http.post("/me/keys", json={"name": "laptop"})).json()["id"]
    before = await _everything(ada)
    [run] = (await ada.http.get(f"/langgraph/threads/{thread}/runs")).json()
    theirs = {"thread_id": thread, "memory_id": memory, "key_id": key, "run_id": run["run_id"], "checkpoint_id": thread}
    theirs["message_id"] = message
    unknown = {name: str(uuid.uuid4()) for name in theirs}
    foreign_responses = await operation.request(bob, theirs)
    if str(operation) == CREATES_IF_UNKNOWN:
        assert [response.status_code for response in foreign_responses] == [404]
        assert (await bob.http.get("/threads")).json()["items"] == []
    else:
        for foreign, absent in zip(foreign_responses, await operation.request(bob, unknown), strict=True):
            assert foreign.status_code == absent.status_code == 404
            assert _without_ids(foreign) == _without_ids(absent)
            assert set(foreign.headers) == set(absent.headers)
    assert not any(secret in response.text for response in foreign_responses for secret in ("Oslo", "violin"))
    assert await _everything(ada) == before
    record(len(foreign_responses), len(foreign_responses))


async def test_without_a_token_every_operation_is_refused(ada: ApiClient, record: Record) -> None:
    names = ("thread_id", "memory_id", "key_id", "message_id", "run_id", "checkpoint_id", "assistant_id", "name")
    ids = {name: str(uuid.uuid4()) for name in names}
    secured = list(secured_operations())
    del ada.http.headers["Authorization"]
    statuses = {str(one): {response.status_code for response in await one.request(ada, ids)} for one in secured}
    assert statuses == {str(one): {401} for one in secured}
    assert len(secured) > 20
    record(len(secured), len(secured))


def _without_ids(response: httpx.Response) -> Any:  # noqa: ANN401 - JSON
    return json.loads(re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "id", response.text))
