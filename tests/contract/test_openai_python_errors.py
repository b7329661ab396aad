"""The `openai` SDK for Python as a client: errors."""

import httpx
import openai
import pytest
from openai import AsyncOpenAI

from contract.openai_sdk import CHAT, say
from support.client import ApiClient
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
