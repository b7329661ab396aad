"""The requests that Agent Chat UI sends (github.com/langchain-ai/agent-chat-ui), in their order."""

import json

import httpx
from httpx_sse import aconnect_sse

from contract.langgraph_api.conftest import WORDS
from support.client import ApiClient, Json, new_thread


def _run(**members: object) -> Json:
    fixed = {"stream_mode": ["values"], "stream_subgraphs": True, "stream_resumable": True, "on_disconnect": "continue"}
    return {"assistant_id": "chat", **fixed, **members}


async def _stream(http: httpx.AsyncClient, thread: str, body: Json) -> list[tuple[str, Json]]:
    async with aconnect_sse(http, "POST", f"/threads/{thread}/runs/stream", json=body) as source:
        return [(event.event, json.loads(event.data)) async for event in source.aiter_sse()]


async def test_agent_chat_ui_shows_and_continues_conversations(api_url: str, user: ApiClient, scripted: object) -> None:
    assert scripted
    headers = {"x-api-key": user.token, "x-auth-scheme": "langsmith-api-key"}
    async with httpx.AsyncClient(base_url=api_url, headers=headers, timeout=30) as http:
        assert (await http.get("/info")).is_success
        search = {"metadata": {"graph_id": "chat"}, "limit": 100}
        assert (await http.post("/threads/search", json=search)).json() == []
        thread = (await http.post("/threads", json={})).json()["thread_id"]
        message = {"id": new_thread(), "type": "human", "content": [{"type": "text", "text": "Count."}]}
        events = await _stream(http, thread, _run(input={"messages": [message]}))
        assert [name for name, _ in events] == ["metadata", "values", "values", "end"]
        shown = events[2][1]["messages"]
        assert [(one["id"], one["content"]) for one in shown[:1]] == [(message["id"], "Count.")]
        history = (await http.post(f"/threads/{thread}/history", json={"limit": 10})).json()
        assert [one["id"] for one in history[0]["values"]["messages"]] == [one["id"] for one in shown]
        [found] = (await http.post("/threads/search", json=search)).json()
        assert (found["thread_id"], found["values"]["messages"][0]["content"]) == (thread, "Count.")
        await http.post(f"/threads/{thread}/runs/wait", json=_run(input={"messages": [message | {"id": new_thread()}]}))
        edited = _run(input={"messages": [message]}, checkpoint=history[0]["checkpoint"])
        regenerated = _run(checkpoint=history[1]["checkpoint"])
        for body in (edited, regenerated):
            response = await http.post(f"/threads/{thread}/runs/stream", json=body)
            assert (response.status_code, response.json()["code"]) == (501, "not_implemented")
        final = (await http.get(f"/threads/{thread}/state")).json()["values"]["messages"]
        assert [one["content"] for one in final] == ["Count.", WORDS, "Count.", WORDS]
