"""The `openai` SDK for Python as a client: errors."""

import json

import httpx
import openai
import pytest
from openai import AsyncOpenAI

from contract.openai_sdk import CHAT, say
from support.client import ApiClient, Json
from support.scripted_openai import ScriptedOpenAI


@pytest.mark.parametrize(
    ("body", "code", "word"),
    [
        ({"messages": []}, "invalid_request", "message of the user"),
        ({"messages": [{"role": "system", "content": "Hi"}]}, "invalid_request", "message of the user"),
        ({"messages": [{"role": "user", "content": ""}]}, "invalid_text", "empty"),
        ({"messages": [{"role": "robot", "content": "Hi"}]}, "invalid_request", "role"),
        ({"messages": say("Hi"), "n": 2}, "invalid_request", "one answer"),
        ({"messages": say("Hi"), "temperature": 9}, "invalid_request", "temperature"),
        ({"messages": say("Hi"), "tools": [{"type": "retrieval"}]}, "invalid_request", "tools"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]}]},
            "invalid_request",
            "no images",
        ),
    ],
)
async def test_bad_input_is_refused(sdk: AsyncOpenAI, body: dict[str, object], code: str, word: str) -> None:
    with pytest.raises(openai.BadRequestError) as error:
        await sdk.post("/chat/completions", body={"model": "scripted", **body}, cast_to=httpx.Response)
    assert error.value.code == code
    assert word in error.value.message


async def test_errors_have_the_format_of_the_api(sdk: AsyncOpenAI, user: ApiClient, scripted: ScriptedOpenAI) -> None:
    with pytest.raises(openai.AuthenticationError) as refused:
        await sdk.with_options(api_key="ks_" + "x" * 43).models.list()
    assert refused.value.code == "invalid_api_key"
    with pytest.raises(openai.NotFoundError) as unknown:
        await sdk.chat.completions.create(model="gpt-0", messages=say("Hi"))
    assert unknown.value.code == "model_not_found"
    for method, path, status in (("GET", "/v1/files", 404), ("PUT", "/v1/models", 405), ("POST", CHAT, 400)):
        response = await user.http.request(method, path)
        assert response.status_code == status
        assert set(response.json()["error"]) == {"message", "type", "param", "code"}
    too_large = await user.http.post(CHAT, content=b" " * 5_000_000)
    assert (too_large.status_code, too_large.json()["error"]["code"]) == (413, "body_too_large")
    scripted.script.chat_status = 400
    with pytest.raises(openai.InternalServerError) as failed:
        await sdk.chat.completions.create(model="scripted", messages=say("Hi"), stream=True)
    assert failed.value.code == "model_unavailable"


async def test_an_error_in_the_middle_of_a_stream_is_raised(sdk: AsyncOpenAI, scripted: ScriptedOpenAI) -> None:
    scripted.script.disconnect_after_tokens = 1
    scripted.script.reply = lambda _: "One two three"
    stream = await sdk.chat.completions.create(model="scripted", messages=say("Count."), stream=True)
    with pytest.raises(openai.APIError, match="did not answer"):
        async for _ in stream:
            pass


async def _post(user: ApiClient, path: str, **body: object) -> httpx.Response:
    """Send a body that the SDK cannot encode."""
    return await user.http.post(path, content=json.dumps(body), headers={"content-type": "application/json"})


def _called(arguments: str, **call: object) -> list[Json]:
    """A conversation in which the model has called a function."""
    function = {"name": "look_up", "arguments": arguments}
    return [
        {"role": "user", "content": "What is it?"},
        {"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": function, **call}]},
        {"role": "tool", "tool_call_id": call.get("id", "1"), "content": "x"},
    ]


@pytest.mark.parametrize("arguments", ['{"a": "\ud800"}', '{"a": "\\ud800"}', "\ud800"])
async def test_what_cannot_be_sent_to_the_model_is_replaced(
    user: ApiClient, scripted: ScriptedOpenAI, arguments: str
) -> None:
    function = {"name": "look_up", "description": "\ud800", "parameters": {"title": "\ud800"}}
    response = await _post(
        user,
        CHAT,
        messages=_called(arguments, id="\ud800"),
        tools=[{"type": "function", "function": function}],
        response_format={"type": "json_object", "note": "\ud800"},
        stop="\ud800",
    )
    assert response.status_code == 200
    body = scripted.chat_requests()[-1].body
    sent = next(tool["function"] for tool in body["tools"] if tool["function"]["name"] == "look_up")
    assert (sent["description"], sent["parameters"]) == ("\ufffd", {"title": "\ufffd"})
    assert (body["response_format"]["note"], body["stop"]) == ("\ufffd", ["\ufffd"])
    [call] = next(one["tool_calls"] for one in body["messages"] if one["role"] == "assistant")
    assert (call["id"], body["messages"][-1]["tool_call_id"]) == ("\ufffd", "\ufffd")
    assert "\ufffd" in call["function"]["arguments"]


async def test_instructions_that_cannot_be_sent_back_are_replaced(user: ApiClient) -> None:
    response = await _post(user, "/v1/responses", input="Hello.", instructions="Be brief.\ud800")
    assert (response.status_code, response.json()["instructions"]) == (200, "Be brief.\ufffd")


async def test_arguments_that_are_nested_too_deeply_are_sent_as_they_are(
    user: ApiClient, scripted: ScriptedOpenAI
) -> None:
    arguments = '{"a":' * 1_200 + "1" + "}" * 1_200
    assert (await _post(user, CHAT, messages=_called(arguments))).status_code == 200
    [call] = next(one["tool_calls"] for one in scripted.chat_requests()[-1].body["messages"] if "tool_calls" in one)
    assert call["function"]["arguments"] == arguments
