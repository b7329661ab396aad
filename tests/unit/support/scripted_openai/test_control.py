"""A script controls the server: failures, gates, disconnects, recording and shutdown."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import openai
import pytest
from openai import AsyncOpenAI, OpenAI

from support.scripted_openai import EMBEDDINGS, ScriptedOpenAI
from unit.support.scripted_openai.conftest import user_messages

CHAT = "/v1/chat/completions"


def test_a_failing_endpoint_returns_its_status_immediately(server: ScriptedOpenAI, client: OpenAI) -> None:
    server.script.embeddings_status = 500
    server.script.chat_status = 429
    with pytest.raises(openai.InternalServerError):
        client.embeddings.create(model="m", input="violin")
    with pytest.raises(openai.RateLimitError):
        client.chat.completions.create(model="scripted", messages=user_messages("Hi"))
    assert server.count(EMBEDDINGS) == server.count(CHAT) == 1 + openai.DEFAULT_MAX_RETRIES


def test_a_held_reply_waits_until_the_gate_opens(server: ScriptedOpenAI, client: OpenAI) -> None:
    with ThreadPoolExecutor() as pool:
        with server.script.chat_gate.closed():
            answer = pool.submit(client.chat.completions.create, model="scripted", messages=user_messages("Hi"))
            server.block_until_request(CHAT)
            assert client.embeddings.create(model="m", input="other").data
            assert not answer.done()
        assert answer.result(5).choices[0].message.content == "I do not know."


async def test_a_reply_is_held_in_the_middle(server: ScriptedOpenAI) -> None:
    server.script.hold_after_tokens = 2
    server.script.chat_gate.close()
    async with AsyncOpenAI(base_url=server.base_url, api_key="x") as client:
        stream = await client.responses.create(model="scripted", input="Hi", stream=True)
        words = []
        async for event in stream:
            if event.type == "response.output_text.delta":
                words.append(event.delta)
                if len(words) == 2:
                    server.script.chat_gate.open()
    assert words == ["I ", "do ", "not ", "know."]


async def test_a_reply_is_cut_off(server: ScriptedOpenAI) -> None:
    server.script.disconnect_after_tokens = 2
    pieces = []
    async with AsyncOpenAI(base_url=server.base_url, api_key="x") as client:
        stream = await client.chat.completions.create(model="scripted", messages=user_messages("Hi"), stream=True)
        with pytest.raises(openai.APIConnectionError):  # noqa: PT012 (the loop raises after some chunks)
            async for chunk in stream:
                pieces.append(chunk.choices[0].delta.content)
    assert pieces == ["", "I ", "do "]


async def test_requests_are_recorded(server: ScriptedOpenAI) -> None:
    async with AsyncOpenAI(base_url=server.base_url, api_key="x") as client:
        await client.responses.create(model="scripted", instructions="Be kind.", input="Hi")
    recorded = await server.wait_for_request("/v1/responses")
    assert recorded.messages == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Hi"},
    ]
    assert server.chat_requests() == [recorded]
    with pytest.raises(TimeoutError):
        server.block_until_request("/v1/responses", n=2, timeout_seconds=0)


def test_reset_restores_the_initial_state(server: ScriptedOpenAI, client: OpenAI) -> None:
    server.script.reply = lambda _: "Something else."
    server.script.hold_after_tokens = 1
    server.script.chat_gate.close()
    with ThreadPoolExecutor() as pool:
        held = pool.submit(client.chat.completions.create, model="scripted", messages=user_messages("Hi"))
        server.block_until_request(CHAT)
        server.reset()
        assert held.result(5).choices[0].message.content == "Something else."
    assert server.requests == []
    answer = client.chat.completions.create(model="scripted", messages=user_messages("Hi"))
    assert answer.choices[0].message.content == "I do not know."


def test_shutdown_drops_held_requests() -> None:
    with ThreadPoolExecutor() as pool, OpenAI(base_url="http://unused", api_key="x", max_retries=0) as client:
        with ScriptedOpenAI() as server:
            server.script.chat_gate.close()
            here = client.with_options(base_url=server.base_url)
            held = pool.submit(here.chat.completions.create, model="scripted", messages=user_messages("Hi"))
            server.block_until_request(CHAT)
        with pytest.raises(openai.OpenAIError):
            held.result(5)


def test_the_server_runs_as_a_process() -> None:
    command = [sys.executable, "-m", "support.scripted_openai", "--tokens", "3", "--dims", "8"]
    tests = Path(__file__).parents[3]
    with subprocess.Popen(command, cwd=tests, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            url = process.stdout.readline().strip()
            with OpenAI(base_url=f"{url}/v1", api_key="x") as client:
                answer = client.chat.completions.create(model="scripted", messages=user_messages("Hi"))
                assert answer.choices[0].message.content == "word word word "
                assert len(client.embeddings.create(model="m", input="a").data[0].embedding) == 8
            assert httpx.get(f"{url}/counts").json() == {CHAT: 1, EMBEDDINGS: 1}
        finally:
            process.terminate()
        assert process.wait(5) == 0
