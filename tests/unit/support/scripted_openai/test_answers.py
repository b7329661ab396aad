"""The scripted server returns text, structured output, tool calls and vectors like OpenAI, through both APIs."""

from typing import Any, Literal

import numpy as np
import openai
import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, SystemMessage, ToolMessage
from langchain_core.runnables import Runnable
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from openai import OpenAI
from pydantic import BaseModel, ConfigDict, SecretStr

from support.scripted_openai import ScriptedOpenAI, ToolCall
from unit.support.scripted_openai.conftest import user_messages

TIP = SystemMessage("You have durable memory about this user.\n- Plays the violin\n- Lives in Oslo")


class Fact(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str
    kind: Literal["user", "procedural"]
    category: str
    confidence: float
    quote: str
    standing: bool
    until: str | None
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


def structured(model: ChatOpenAI, schema: type[BaseModel]) -> Runnable[Any, Any]:
    return model.with_structured_output(schema, strict=True, method="json_schema")


async def test_the_model_replies_from_the_tip(model: ChatOpenAI) -> None:
    answer = await model.ainvoke([TIP, HumanMessage("What do I play?")])
    assert answer.text == "Plays the violin\nLives in Oslo"
    assert answer.usage_metadata is not None
    assert answer.usage_metadata["output_tokens"] == 6


async def test_the_model_has_no_knowledge_without_a_tip(model: ChatOpenAI) -> None:
    answer = await model.ainvoke("What do I play?")
    assert answer.text == "I do not know."


async def test_a_reply_is_streamed_word_by_word(server: ScriptedOpenAI, model: ChatOpenAI) -> None:
    server.script.reply = lambda _: "  one two\nthree "
    chunks = [chunk async for chunk in model.astream("Count.")]
    assert [chunk.text for chunk in chunks if chunk.text] == ["  ", "one ", "two\n", "three "]
    whole = sum(chunks[1:], chunks[0])
    assert isinstance(whole, AIMessageChunk)
    assert whole.usage_metadata is not None
    assert whole.usage_metadata["total_tokens"] == 5


async def test_structured_output_contains_facts_from_the_user_message(
    server: ScriptedOpenAI, model: ChatOpenAI
) -> None:
    extractor = structured(model, ExtractedMemories)
    prompt = SystemMessage("Known:\n1. Lives in Oslo\n2. Plays the violin")
    message = HumanMessage("user: I moved to Bergen. I play the violin. Do I play chess?\nassistant: I like it.")
    extracted = await extractor.ainvoke([prompt, message])
    assert isinstance(extracted, ExtractedMemories)
    facts = [(fact.text, fact.quote, fact.same_as, fact.replaces) for fact in extracted.memories]
    assert facts == [
        ("Lives in Bergen", "I moved to Bergen", None, 1),
        ("Plays the violin", "I play the violin", 2, None),
    ]
    assert len(server.structured_requests()) == 1
    assert server.chat_requests() == []


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")  # langchain-openai serialises the parsed object
async def test_streamed_structured_output_is_parsed(model: ChatOpenAI) -> None:
    extractor = structured(model, ExtractedMemories)
    parts = [part async for part in extractor.astream("Call me Ada")]
    assert isinstance(parts[-1], ExtractedMemories)
    assert parts[-1].memories[0].text == "Is called Ada"


async def test_an_unknown_schema_returns_an_empty_instance(model: ChatOpenAI) -> None:
    extractor = structured(model, Profile)
    assert await extractor.ainvoke("Hi") == Profile(work_context=None, personal_context=None, top_of_mind=None)


@pytest.mark.parametrize(
    "invalid",
    [
        {
            "type": "object",
            "properties": {"a": {"type": "string"}},
            "required": [],
            "additionalProperties": False,
        },
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
    ],
    ids=["optional property", "additional properties"],
)
def test_a_schema_that_strict_mode_rejects_is_rejected(client: OpenAI, invalid: dict[str, object]) -> None:
    inner: dict[str, object] = {"anyOf": [invalid, {"type": "null"}]}
    whole: dict[str, object] = {"type": "object", "properties": {"inner": inner}, "required": ["inner"]}
    schema = {**whole, "additionalProperties": False}
    with pytest.raises(openai.BadRequestError, match="Invalid schema for 'outer'"):
        client.chat.completions.create(
            model="scripted",
            messages=user_messages("Hi"),
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


async def test_structured_output_can_be_invalid_json(server: ScriptedOpenAI, model: ChatOpenAI) -> None:
    server.script.structured = lambda _, __: '{"memories": ['
    extractor = structured(model, ExtractedMemories)
    with pytest.raises(ValueError, match="JSON"):
        await extractor.ainvoke("I play chess")


async def test_structured_calls_fail_independently_of_chat(server: ScriptedOpenAI, model: ChatOpenAI) -> None:
    server.script.structured_status = 400
    assert (await model.ainvoke("Hi")).text == "I do not know."
    extractor = structured(model, Profile)
    with pytest.raises(openai.BadRequestError, match="script"):
        await extractor.ainvoke("Hi")


@pytest.mark.parametrize("way", ["whole", "streamed"])
async def test_a_reply_can_call_tools_and_use_their_results(
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


async def test_texts_that_share_words_have_similar_vectors(server: ScriptedOpenAI) -> None:
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


def test_both_vector_encodings_give_the_same_vector(server: ScriptedOpenAI, client: OpenAI) -> None:
    server.script.dims = 64
    packed = client.embeddings.create(model="m", input="violin").data[0].embedding
    plain = client.embeddings.create(model="m", input="violin", encoding_format="float").data[0].embedding
    assert packed == plain
    assert len(plain) == 64


@pytest.mark.parametrize("given", [[[1, 2, 3]], [1, 2, 3], [], ["a", ""]])
def test_invalid_embedding_input_is_rejected(client: OpenAI, given: list[str]) -> None:
    with pytest.raises(openai.BadRequestError, match="'input'"):
        client.embeddings.create(model="m", input=given)


def test_models_are_listed(client: OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["scripted", "text-embedding-3-small"]
