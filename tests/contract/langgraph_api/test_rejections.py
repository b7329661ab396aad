"""What the LangGraph API rejects: parts that are not implemented, bad input, and what exceeds a limit."""

import json
import re
from collections.abc import Iterator

import pytest

from conftest import Databases, make_settings, model_settings
from gateway.protocols.langgraph.unsupported import ROUTES
from support.client import ApiClient, Json, new_thread, signed_in
from support.gateway import RunningGateway
from support.langgraph_client import said
from support.scripted_openai import ScriptedOpenAI

UNKNOWN = "00000000-0000-4000-8000-000000000000"
RUN: Json = {"assistant_id": "chat", "input": said("Hello.")}
IMAGE = [{"type": "image_url", "image_url": {"url": "data:image/png;base64,"}}]
UNSUPPORTED_MEMBERS: list[tuple[str, Json]] = [
    *(
        ("runs/wait", RUN | member)
        for member in (
            {"command": {"resume": True}},
            {"interrupt_before": ["answer"]},
            {"webhook": "https://example.org"},
            {"after_seconds": 5},
            {"on_completion": "delete"},
            {"multitask_strategy": "enqueue"},
            {"stream_mode": ["debug"]},
            {"checkpoint": {"checkpoint_id": UNKNOWN}},
            {"input": {"messages": [{"type": "system", "content": "Be brief."}, *said("Hello.")["messages"]]}},
            {"input": {"messages": [{"type": "human", "content": IMAGE}]}},
        )
    ),
    ("state", {"values": {"messages": [{"type": "remove", "id": UNKNOWN}]}}),
    ("state", {"values": {"messages": [{"type": "system", "content": "Be brief."}]}}),
    ("state", {"values": said("Hello."), "checkpoint_id": UNKNOWN}),
    ("history", {"metadata": {"a": 1}}),
    ("history", {"checkpoint": {"checkpoint_ns": "tools:1"}}),
]
BAD_MEMBERS: list[Json] = [
    {"input": None},
    {"input": {"messages": []}},
    {"input": {"messages": [{"type": "ai", "content": "Hello."}]}},
    {"input": {"messages": [{"content": "Hello."}]}},
    {"input": {"messages": [{"type": "human", "content": {"text": "Hello."}}]}},
    {"input": {"messages": [5]}},
    {"input": {"messages": said("Hello.")["messages"], "user": "ada"}},
    {"input": said("Hello.", id=5)},
    {"input": said("")},
    {"input": said("\0")},
    {"stream_mode": "words"},
    {"config": {"configurable": {"model": "unknown"}}},
    {"config": {"configurable": {"memory": "no"}}},
]
BAD_BODIES: list[tuple[str, Json]] = [
    *(("runs/wait", RUN | member) for member in BAD_MEMBERS),
    ("state", {"values": None}),
    ("history", {"limit": 0}),
]


@pytest.fixture
async def thread(user: ApiClient) -> str:
    return str((await user.http.post("/langgraph/threads", json={})).json()["thread_id"])


@pytest.mark.parametrize("route", ROUTES)
async def test_routes_that_are_not_implemented_say_so(ada: ApiClient, route: str) -> None:
    method, path = route.split()
    response = await ada.http.request(method, "/langgraph" + re.sub(r"\{\w+\}", new_thread(), path), json={})
    assert (response.status_code, response.json()["code"]) == (501, "not_implemented")
    assert response.json()["detail"] == ROUTES[route]


@pytest.mark.parametrize(("path", "body"), UNSUPPORTED_MEMBERS)
async def test_options_that_are_not_implemented_are_rejected(
    user: ApiClient, scripted: ScriptedOpenAI, thread: str, path: str, body: Json
) -> None:
    response = await user.http.post(f"/langgraph/threads/{thread}/{path}", json=body)
    assert (response.status_code, response.json()["code"]) == (501, "not_implemented")
    assert response.json()["detail"]
    assert (await user.http.get(f"/threads/{thread}/messages")).json()["items"] == scripted.chat_requests() == []


@pytest.mark.parametrize(("path", "body"), BAD_BODIES)
async def test_bad_input_is_rejected_with_a_problem(
    user: ApiClient, scripted: ScriptedOpenAI, thread: str, path: str, body: Json
) -> None:
    response = await user.http.post(f"/langgraph/threads/{thread}/{path}", json=body)
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert (await user.http.get(f"/threads/{thread}/messages")).json()["items"] == scripted.chat_requests() == []


@pytest.mark.parametrize(
    ("method", "path", "body", "code"),
    [
        ("POST", "threads", {"thread_id": "1"}, "invalid_id"),
        ("POST", "threads", {"metadata": {"a": "x" * 20_000}}, "invalid_request"),
        ("POST", "threads", {"metadata": {"a": "\0"}}, "invalid_request"),
        ("POST", "threads", {"metadata": {"title": 5}}, "invalid_request"),
        ("POST", "threads", {"ttl": {"ttl": 5}}, "not_implemented"),
        ("POST", "threads/search", {"values": {"a": 1}}, "not_implemented"),
        ("POST", "threads/search", {"sort_by": "status"}, "not_implemented"),
        ("POST", "threads/search", {"limit": 100_000}, "invalid_request"),
        ("GET", "threads/1", None, "invalid_id"),
        ("GET", f"threads/{UNKNOWN}/runs?limit=x", None, "invalid_request"),
        ("PUT", "store/items", {"namespace": [], "key": "1", "value": {}}, "invalid_namespace"),
        ("PUT", "store/items", {"namespace": ["a.b"], "key": "1", "value": {}}, "invalid_namespace"),
        ("PUT", "store/items", {"namespace": ["a"] * 9, "key": "1", "value": {}}, "invalid_namespace"),
        ("PUT", "store/items", {"namespace": ["a"], "key": "", "value": {}}, "invalid_id"),
        ("PUT", "store/items", {"namespace": ["a"], "key": "1", "value": {"text": "\0"}}, "unstorable_text"),
        ("PUT", "store/items", {"namespace": ["a"], "key": "1", "value": {}, "ttl": -1}, "invalid_request"),
        ("POST", "store/items/search", {"filter": {"a": {"$near": 1}}}, "invalid_request"),
        ("POST", "store/items/search", {"namespace_prefix": ["memories"], "filter": {"a": 1}}, "not_implemented"),
        ("POST", "store/namespaces", {"prefix": ["*"]}, "invalid_namespace"),
        ("POST", "store/namespaces", {"prefix": ["a\0"]}, "invalid_request"),
        ("POST", "store/namespaces", {"suffix": ["a\0"]}, "invalid_request"),
        ("POST", "store/namespaces", {"suffix": ["\ud800"]}, "unstorable_text"),
    ],
)
async def test_bad_requests_are_rejected_with_a_problem(
    ada: ApiClient, method: str, path: str, body: Json | None, code: str
) -> None:
    content, headers = json.dumps(body), {"content-type": "application/json"}
    response = await ada.http.request(method, f"/langgraph/{path}", content=content, headers=headers)
    assert response.json()["code"] == code
    assert response.status_code == (501 if code == "not_implemented" else 422)


async def test_numbers_that_json_cannot_express_are_rejected(ada: ApiClient) -> None:
    body = '{"namespace": ["a"], "key": "1", "value": {"n": NaN}}'
    response = await ada.http.put("/langgraph/store/items", content=body, headers={"content-type": "application/json"})
    assert response.json()["code"] == "invalid_request"


@pytest.fixture(scope="module")
def limited(databases: Databases) -> Iterator[RunningGateway]:
    with ScriptedOpenAI() as model:
        limits = {"limit_messages_per_minute": 2, "limit_threads": 2, "limit_memories": 1}
        settings = model_settings(model, **limits)
        with RunningGateway(make_settings(databases.create("text-embedding-3-small"), **settings)) as gateway:
            yield gateway


async def test_the_limits_of_the_account_apply(limited: RunningGateway) -> None:
    async with signed_in(limited.url) as user:
        thread = (await user.http.post("/langgraph/threads", json={})).json()["thread_id"]
        assert (await user.http.post("/langgraph/threads", json={})).is_success
        assert (await user.http.post("/langgraph/threads", json={})).json()["code"] == "too_many_threads"
        runs = [await user.http.post(f"/langgraph/threads/{thread}/runs/wait", json=RUN) for _ in range(3)]
        assert [run.status_code for run in runs] == [200, 200, 429]
        assert runs[-1].json()["code"] == "rate_limited"
        assert int(runs[-1].headers["Retry-After"]) >= 1
        update = await user.http.post(f"/langgraph/threads/{thread}/state", json={"values": said("Hello.")})
        assert update.json()["code"] == "rate_limited"
        items: list[Json] = [{"namespace": ["a"], "key": key, "value": {}} for key in ("1", "1", "2")]
        puts = [await user.http.put("/langgraph/store/items", json=item) for item in items]
        assert [put.status_code for put in puts] == [204, 204, 429]
        assert puts[-1].json()["code"] == "too_many_items"
