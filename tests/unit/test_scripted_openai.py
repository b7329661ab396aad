import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import httpx
import numpy as np
import openai
import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, SystemMessage, ToolMessage
from langchain_core.runnables import Runnable
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from openai import AsyncOpenAI, OpenAI
from openai.types.chat import ChatCompletionMessageParam
from pydantic import BaseModel, ConfigDict, SecretStr

from support.scripted_openai import EMBEDDINGS, ScriptedOpenAI, ToolCall

CHAT = "/v1/chat/completions"
TIP = SystemMessage("You have durable memory about this user.\n- Plays the violin\n- Lives in Oslo")


class Fact(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str
    kind: Literal["user", "procedural"]
    category: str
    confidence: float
    quote: str
    same_as: int | None
    replaces: int | None


class Profile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    work_context: str | None
    personal_context: str | None
    top_of_mind: str | None


class ExtractedMemories(BaseModel):
    model_config = ConfigDict(extra="forbid")

    memories: list[Fact]
    profile: Profile
    episode: str


@pytest.fixture(scope="module")
def running() -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI() as server:
        yield server


@pytest.fixture
def server(running: ScriptedOpenAI) -> Iterator[ScriptedOpenAI]:
    yield running
    running.reset()


@pytest.fixture
def client(server: ScriptedOpenAI) -> Iterator[OpenAI]:
    with OpenAI(base_url=server.base_url, api_key="x") as client:
        yield client


@pytest.fixture(params=["chat", "responses"])
async def model(server: ScriptedOpenAI, request: pytest.FixtureRequest) -> AsyncIterator[ChatOpenAI]:
    async with openai.DefaultAsyncHttpxClient() as http:
        yield ChatOpenAI(
            model="scripted",
            base_url=server.base_url,
            api_key=SecretStr("x"),
            use_responses_api=request.param == "responses",
            http_async_client=http,
            stream_usage=True,
        )


def structured(model: ChatOpenAI, schema: type[BaseModel]) -> Runnable[Any, Any]:
    return model.with_structured_output(schema, strict=True, method="json_schema")


def asks(text: str) -> list[ChatCompletionMessageParam]:
    return [{"role": "user", "content": text}]


async def test_the_model_answers_from_the_tip(model: ChatOpenAI) -> None:
    answer = await model.ainvoke([TIP, HumanMessage("What do I play?")])
    assert answer.text == "Plays the violin\nLives in Oslo"
    assert answer.usage_metadata is not None
    assert answer.usage_metadata["output_tokens"] == 6


async def test_the_model_knows_nothing_without_a_tip(model: ChatOpenAI) -> None:
    answer = await model.ainvoke("What do I play?")
    assert answer.text == "I do not know."


async def test_a_streamed_answer_comes_word_by_word(server: ScriptedOpenAI, model: ChatOpenAI) -> None:
    server.script.reply = lambda _: "  one two\nthree "
    chunks = [chunk async for chunk in model.astream("Count.")]
    assert [chunk.text for chunk in chunks if chunk.text] == ["  ", "one ", "two\n", "three "]
    whole = sum(chunks[1:], chunks[0])
    assert isinstance(whole, AIMessageChunk)
    assert whole.usage_metadata is not None
    assert whole.usage_metadata["total_tokens"] == 5


async def test_a_schema_is_answered_with_what_the_user_told(server: ScriptedOpenAI, model: ChatOpenAI) -> None:
    extractor = structured(model, ExtractedMemories)
    prompt = SystemMessage("Known:\n1. Lives in Oslo\n2. Plays the violin")
    said = HumanMessage("user: I moved to Bergen. I play the violin. Do I play chess?\nassistant: I like it.")
    extracted = await extractor.ainvoke([prompt, said])
    assert isinstance(extracted, ExtractedMemories)
    facts = [(fact.text, fact.quote, fact.same_as, fact.replaces) for fact in extracted.memories]
    assert facts == [
        ("Lives in Bergen", "I moved to Bergen", None, 1),
        ("Plays the violin", "I play the violin", 2, None),
    ]
    assert len(server.structured_requests()) == 1
    assert server.chat_requests() == []


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")  # langchain-openai dumps what it has parsed
async def test_a_streamed_structured_answer_is_parsed_too(model: ChatOpenAI) -> None:
    extractor = structured(model, ExtractedMemories)
    parts = [part async for part in extractor.astream("Call me Ada")]
    assert isinstance(parts[-1], ExtractedMemories)
    assert parts[-1].memories[0].text == "Is called Ada"


async def test_another_schema_is_answered_with_its_empty_instance(model: ChatOpenAI) -> None:
    extractor = structured(model, Profile)
    assert await extractor.ainvoke("Hi") == Profile(work_context=None, personal_context=None, top_of_mind=None)


@pytest.mark.parametrize(
    "broken",
    [
        {
            "type": "object",
            "properties": {"a": {"type": "string"}},
            "required": [],
            "additionalProperties": False,
        },
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
    ],
    ids=["a property may be left out", "others may be added"],
)
def test_a_schema_that_strict_mode_refuses_is_refused(client: OpenAI, broken: dict[str, object]) -> None:
    inner: dict[str, object] = {"anyOf": [broken, {"type": "null"}]}
    whole: dict[str, object] = {"type": "object", "properties": {"inner": inner}, "required": ["inner"]}
    schema = {**whole, "additionalProperties": False}
    with pytest.raises(openai.BadRequestError, match="Invalid schema for 'outer'"):
        client.chat.completions.create(
            model="scripted",
            messages=asks("Hi"),
            response_format={
                "type": "json_schema",
                "json_schema": {"name": "outer", "strict": True, "schema": schema},
            },
        )
    with pytest.raises(openai.BadRequestError, match="Invalid schema for 'outer'"):
        client.responses.create(
            model="scripted",
            input="Hi",
            text={"format": {"type": "json_schema", "name": "outer", "strict": True, "schema": schema}},
        )


async def test_a_structured_answer_can_be_rubbish(server: ScriptedOpenAI, model: ChatOpenAI) -> None:
    server.script.structured = lambda _, __: '{"memories": ['
    extractor = structured(model, ExtractedMemories)
    with pytest.raises(ValueError, match="JSON"):
        await extractor.ainvoke("I play chess")


@pytest.mark.parametrize("way", ["whole", "streamed"])
async def test_a_reply_can_call_tools_and_read_their_results(
    server: ScriptedOpenAI, model: ChatOpenAI, way: str
) -> None:
    server.script.reply = lambda messages: (
        messages[-1]["content"] if messages[-1]["role"] == "tool" else [ToolCall("weather", {"place": "Oslo"})]
    )
    question = HumanMessage("How is the weather?")
    if way == "streamed":
        chunks = [chunk async for chunk in model.astream([question])]
        called: AIMessage = sum(chunks[1:], chunks[0])
    else:
        called = await model.ainvoke([question])
    assert called.tool_calls[0]["name"] == "weather"
    assert called.tool_calls[0]["args"] == {"place": "Oslo"}
    result = ToolMessage("Rain.", tool_call_id=called.tool_calls[0]["id"])
    assert (await model.ainvoke([question, called, result])).text == "Rain."


async def test_texts_that_share_words_are_near(server: ScriptedOpenAI) -> None:
    async with openai.DefaultAsyncHttpxClient() as http:
        embeddings = OpenAIEmbeddings(
            model="text-embedding-3-small",
            openai_api_base=server.base_url,
            openai_api_key=SecretStr("x"),
            dimensions=384,
            check_embedding_ctx_length=False,
            http_async_client=http,
        )
        violin, rain = await embeddings.aembed_documents(["I play the violin", "It rains in Bergen"])
        question = await embeddings.aembed_query("What do I play?")
    assert len(question) == 384
    assert np.linalg.norm(question) == pytest.approx(1)
    assert np.dot(question, violin) > 0.6
    assert np.dot(question, rain) < 0.2
    assert server.embedded_texts() == ["I play the violin", "It rains in Bergen", "What do I play?"]


def test_both_encodings_of_a_vector_are_the_same(server: ScriptedOpenAI, client: OpenAI) -> None:
    server.script.dims = 64
    packed = client.embeddings.create(model="m", input="violin").data[0].embedding
    plain = client.embeddings.create(model="m", input="violin", encoding_format="float").data[0].embedding
    assert packed == plain
    assert len(plain) == 64


@pytest.mark.parametrize("given", [[[1, 2, 3]], [1, 2, 3], [], ["a", ""]])
def test_what_cannot_be_embedded_is_refused_clearly(client: OpenAI, given: list[str]) -> None:
    with pytest.raises(openai.BadRequestError, match="'input'"):
        client.embeddings.create(model="m", input=given)


def test_what_is_down_answers_with_its_status_at_once(server: ScriptedOpenAI, client: OpenAI) -> None:
    server.script.embeddings_status = 500
    server.script.chat_status = 429
    with pytest.raises(openai.InternalServerError):
        client.embeddings.create(model="m", input="violin")
    with pytest.raises(openai.RateLimitError):
        client.chat.completions.create(model="scripted", messages=asks("Hi"))
    assert server.count(EMBEDDINGS) == server.count(CHAT) == 1 + openai.DEFAULT_MAX_RETRIES


async def test_structured_calls_fail_alone(server: ScriptedOpenAI, model: ChatOpenAI) -> None:
    server.script.structured_status = 400
    assert (await model.ainvoke("Hi")).text == "I do not know."
    extractor = structured(model, Profile)
    with pytest.raises(openai.BadRequestError, match="script"):
        await extractor.ainvoke("Hi")


def test_a_held_answer_waits_until_it_is_let_go(server: ScriptedOpenAI, client: OpenAI) -> None:
    with ThreadPoolExecutor() as pool:
        with server.script.chat_gate.closed():
            answer = pool.submit(client.chat.completions.create, model="scripted", messages=asks("Hi"))
            server.wait_for(CHAT)
            assert client.embeddings.create(model="m", input="meanwhile").data
            assert not answer.done()
        assert answer.result(5).choices[0].message.content == "I do not know."


async def test_an_answer_is_held_in_the_middle(server: ScriptedOpenAI) -> None:
    server.script.held_after_tokens = 2
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


async def test_an_answer_breaks_off(server: ScriptedOpenAI) -> None:
    server.script.cut_after_tokens = 2
    said = []
    async with AsyncOpenAI(base_url=server.base_url, api_key="x") as client:
        stream = await client.chat.completions.create(model="scripted", messages=asks("Hi"), stream=True)
        with pytest.raises(openai.APIConnectionError):  # noqa: PT012 (it breaks off in the middle of the loop)
            async for chunk in stream:
                said.append(chunk.choices[0].delta.content)
    assert said == ["", "I ", "do "]


async def test_requests_are_recorded_before_they_are_answered(server: ScriptedOpenAI) -> None:
    async with AsyncOpenAI(base_url=server.base_url, api_key="x") as client:
        await client.responses.create(model="scripted", instructions="Be kind.", input="Hi")
    recorded = await server.arrival("/v1/responses")
    assert recorded.messages == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Hi"},
    ]
    assert server.chat_requests() == [recorded]
    with pytest.raises(TimeoutError):
        server.wait_for("/v1/responses", n=2, timeout_seconds=0)


def test_a_reset_server_is_as_new(server: ScriptedOpenAI, client: OpenAI) -> None:
    server.script.reply = lambda _: "Something else."
    server.script.held_after_tokens = 1
    server.script.chat_gate.close()
    with ThreadPoolExecutor() as pool:
        held = pool.submit(client.chat.completions.create, model="scripted", messages=asks("Hi"))
        server.wait_for(CHAT)
        server.reset()
        assert held.result(5).choices[0].message.content == "Something else."
    assert server.requests == []
    answer = client.chat.completions.create(model="scripted", messages=asks("Hi"))
    assert answer.choices[0].message.content == "I do not know."


def test_its_models_are_listed(client: OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["scripted", "text-embedding-3-small"]


def test_a_server_drops_what_it_holds_when_it_ends() -> None:
    with ThreadPoolExecutor() as pool, OpenAI(base_url="http://unused", api_key="x", max_retries=0) as client:
        with ScriptedOpenAI() as server:
            server.script.chat_gate.close()
            here = client.with_options(base_url=server.base_url)
            held = pool.submit(here.chat.completions.create, model="scripted", messages=asks("Hi"))
            server.wait_for(CHAT)
        with pytest.raises(openai.OpenAIError):
            held.result(5)


def test_it_runs_as_a_process_of_its_own() -> None:
    command = [sys.executable, "-m", "support.scripted_openai", "--tokens", "3", "--dims", "8"]
    tests = Path(__file__).parents[1]
    with subprocess.Popen(command, cwd=tests, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            url = process.stdout.readline().strip()
            with OpenAI(base_url=f"{url}/v1", api_key="x") as client:
                answer = client.chat.completions.create(model="scripted", messages=asks("Hi"))
                assert answer.choices[0].message.content == "word word word "
                assert len(client.embeddings.create(model="m", input="a").data[0].embedding) == 8
            assert httpx.get(f"{url}/counts").json() == {CHAT: 1, EMBEDDINGS: 1}
        finally:
            process.terminate()
        assert process.wait(5) == 0
