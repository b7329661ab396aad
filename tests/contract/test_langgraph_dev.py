"""The same graph in LangGraph's own server, spoken to with LangGraph's own client."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.schema import Config

from agent.platform import DIMS
from support.langgraph_dev import configuration, langgraph_dev
from support.scripted_openai import ScriptedOpenAI

OPENING = "You have durable memory about this user"


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI() as server:
        yield server


@pytest.fixture(scope="module")
def address(model: ScriptedOpenAI, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with langgraph_dev(model, tmp_path_factory.mktemp("langgraph")) as url:
        yield url


@pytest.fixture
async def client(address: str) -> AsyncIterator[LangGraphClient]:
    async with get_client(url=address) as opened:
        yield opened


def _message(text: str) -> Any:  # noqa: ANN401 - the SDK wants its own kind of mapping
    return {"messages": [{"role": "user", "content": text}]}


async def _say(client: LangGraphClient, user: str, text: str) -> tuple[str, list[Any]]:
    """Say something in a new thread; return the answer, and all that the stream showed."""
    thread = await client.threads.create()
    chunks = [
        chunk
        async for chunk in client.runs.stream(
            thread["thread_id"],
            "chat",
            input=_message(text),
            config=Config(configurable={"user_id": user}),
            stream_mode=["messages-tuple", "values", "custom"],
        )
    ]
    errors = [chunk.data for chunk in chunks if chunk.event == "error"]
    assert not errors
    last = [chunk.data for chunk in chunks if chunk.event == "values"][-1]
    return str(last["messages"][-1]["content"]), chunks


def test_the_configuration_names_the_dims_and_the_field() -> None:
    index = configuration()["store"]["index"]
    assert (index["dims"], index["fields"]) == (DIMS, ["text"])


async def test_the_graph_remembers_across_threads_and_drains_its_inbox(
    client: LangGraphClient, model: ScriptedOpenAI
) -> None:
    await _say(client, "ada", "I play the violin.")
    assert (await client.store.search_items(("users", "ada", "inbox")))["items"] == []
    [fact] = (await client.store.search_items(("users", "ada", "memories", "user")))["items"]
    assert "violin" in fact["value"]["text"]
    assert [source["quote"] for source in fact["value"]["sources"]] == ["I play the violin"]
    answer, _ = await _say(client, "ada", "Do I play the violin?")
    assert "violin" in answer
    assert model.embedded_texts().count("Do I play the violin?") == 1


async def test_formation_is_hidden_from_the_stream(client: LangGraphClient) -> None:
    _, chunks = await _say(client, "eve", "I live in Oslo.")
    nodes = {
        chunk.data[1]["langgraph_node"]
        for chunk in chunks
        if chunk.event.startswith("messages") and isinstance(chunk.data, list)
    }
    assert nodes == {"answer"}


async def test_nothing_of_formation_is_in_the_stream(client: LangGraphClient, model: ScriptedOpenAI) -> None:
    formed = len(model.structured_requests())
    _, chunks = await _say(client, "hugo", "I live in Oslo.")
    assert len(model.structured_requests()) == formed + 1
    streamed = json.dumps([chunk.data for chunk in chunks])
    assert "Lives in Oslo" not in streamed
    assert "same_as" not in streamed


async def test_what_is_said_in_another_thread_replaces_what_was_known(client: LangGraphClient) -> None:
    await _say(client, "greta", "I live in Oslo.")
    await _say(client, "greta", "I moved to Bergen.")
    [fact] = (await client.store.search_items(("users", "greta", "memories", "user")))["items"]
    assert fact["value"]["text"] == "Lives in Bergen"
    retired = (await client.store.search_items(("users", "greta", "retired")))["items"]
    assert ("Lives in Oslo", "replaced", fact["key"]) in {
        (how["value"]["text"], how["value"]["why"], how["value"]["by"]) for how in retired
    }
    answer, _ = await _say(client, "greta", "Is my home in Bergen or in Oslo?")
    assert "Bergen" in answer
    assert "Oslo" not in answer


async def test_memories_have_vectors_of_the_one_field(client: LangGraphClient) -> None:
    await _say(client, "ivan", "I play the violin.")
    await _say(client, "ivan", "I am working on a telescope.")
    found = await client.store.search_items(("users", "ivan", "memories", "user"), query="plays the violin")
    assert [item["value"]["text"] for item in found["items"]] == ["Plays the violin", "Works on a telescope"]
    best, other = (item["score"] or 0 for item in found["items"])
    assert best > 0.9 > other


async def test_another_user_knows_nothing(client: LangGraphClient) -> None:
    await _say(client, "carl", "I keep bees in the garden.")
    answer, _ = await _say(client, "dora", "Do I keep bees in the garden?")
    assert "bees" not in answer


async def test_the_tip_is_not_in_the_threads_messages(client: LangGraphClient) -> None:
    await _say(client, "fred", "I repair old radios.")
    _, chunks = await _say(client, "fred", "Do I repair old radios?")
    assert not any(OPENING in json.dumps(chunk.data) for chunk in chunks if chunk.event == "values")


async def test_a_user_id_that_cannot_be_one_is_refused(client: LangGraphClient) -> None:
    thread = await client.threads.create()
    with pytest.raises(Exception, match="InvalidIdError"):  # whatever the SDK makes of a failed run
        await client.runs.wait(
            thread["thread_id"],
            "chat",
            input=_message("Hello."),
            config=Config(configurable={"user_id": "a.b"}),
        )
