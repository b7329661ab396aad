"""What extraction reads besides the new messages: the messages before them, and the user's local time."""

import json
import re
import uuid
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from conftest import make_settings, model_settings
from support.client import ApiClient, Json, new_thread, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI, ToolCall
from support.searxng import Searx

HEADING = "Earlier in this conversation, for understanding only:"


def last_request(model: ScriptedOpenAI) -> str:
    """The latest request of the extraction, without its instructions."""
    return str(model.structured_requests()[-1].messages[-1]["content"])


def context_lines(model: ScriptedOpenAI) -> list[str]:
    """The lines of the context in the latest request."""
    earlier = last_request(model).partition("New messages:")[0].strip()
    return earlier.partition(f"{HEADING}\n")[2].splitlines()


async def inbox_lines(client: ApiClient) -> list[Json]:
    """The items of the inbox, as exported."""
    response = await client.http.get("/memories/export")
    lines = [json.loads(line) for line in response.text.splitlines()]
    return [line for line in lines if line.get("place") == "inbox"]


async def test_an_answer_to_a_question_is_understood(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    model.script.reply = lambda _: "When is the wedding?"
    await client.send("Good news, we are engaged!", thread=thread)
    await client.flush()
    memory = {"text": "Wedding is on 12 June", "kind": "user", "category": "personal", "confidence": 0.9}
    memory |= {"quote": "June 12", "standing": False, "until": None, "same_as": None, "replaces": None}
    profile = {"work_context": None, "personal_context": None, "top_of_mind": None}
    model.script.structured = lambda *_: {"memories": [memory], "profile": profile, "episode": ""}
    await client.send("June 12", thread=thread)
    assert (await client.flush())["added"] == 1
    assert context_lines(model) == ["user: Good news, we are engaged!", "assistant: When is the wedding?"]
    assert "Wedding is on 12 June" in [found["text"] for found in await client.memories(kind="user")]


async def test_the_context_is_the_last_six_messages_of_the_thread(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    model.script.reply = lambda _: "Noted."
    await client.send("I play the harp.")
    for n in range(5):
        await client.send(f"I like tea number {n}.", thread=thread)
    await client.flush()
    await client.send("And coffee.", thread=thread)
    await client.flush()
    assert context_lines(model) == [
        line for n in (2, 3, 4) for line in (f"user: I like tea number {n}.", "assistant: Noted.")
    ]
    assert "user: And coffee." in last_request(model).partition("New messages:")[2]


async def test_context_never_becomes_a_memory(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    model.script.reply = lambda _: "Do you keep bees in Bergen?"
    await client.send("Hello there.", thread=thread)
    await client.flush()
    memory = {"text": "Keeps bees in Bergen", "kind": "user", "category": "personal", "confidence": 0.9}
    memory |= {"quote": "keep bees in Bergen", "standing": False, "until": None, "same_as": None, "replaces": None}
    profile = {"work_context": None, "personal_context": None, "top_of_mind": None}
    model.script.structured = lambda *_: {"memories": [memory], "profile": profile, "episode": ""}
    await client.send("What time is it?", thread=thread)
    flushed = await client.flush()
    assert context_lines(model)[-1] == "assistant: Do you keep bees in Bergen?"
    assert (flushed["added"], flushed["rejected"]) == (0, 1)


async def test_messages_without_memory_are_no_context(client: ApiClient, model: ScriptedOpenAI) -> None:
    thread = new_thread()
    model.script.reply = lambda _: "Congratulations on the pregnancy!"
    await client.send("I am pregnant.", thread=thread, memory=False)
    model.script.reply = lambda _: "Fish is fine."
    await client.send("I like fish.", thread=thread)
    await client.flush()
    assert "pregnan" not in last_request(model)
    await client.send("And rice.", thread=thread)
    await client.flush()
    assert context_lines(model) == ["user: I like fish.", "assistant: Fish is fine."]


@pytest.mark.parametrize("path", ["/memories/{id}", "/memories"])
async def test_what_was_forgotten_is_no_context(client: ApiClient, model: ScriptedOpenAI, path: str) -> None:
    thread = new_thread()
    model.script.reply = lambda _: "Noted."
    await client.send("I live in Oslo.", thread=thread)
    await client.flush()
    [memory] = await client.memories(kind="user")
    (await client.http.delete(path.format(id=memory["id"]))).raise_for_status()
    await client.send("I like tea.", thread=thread)
    await client.flush()
    assert context_lines(model) == []
    assert "Oslo" not in last_request(model)


async def test_the_context_is_the_users_own(gateway: RunningGateway, model: ScriptedOpenAI) -> None:
    message = str(uuid.uuid4())
    async with signed_in(gateway.url) as ada, signed_in(gateway.url) as eve:
        thread = new_thread()
        await ada.send("I live in Oslo.", thread=thread)
        await ada.send("I like tea.", thread=thread, id=message)
        await eve.send("I like coffee.", id=message)
        await eve.flush()
    assert context_lines(model) == []
    assert "I like coffee." in last_request(model)


@pytest.mark.parametrize(("time_zone", "shown"), [("Asia/Tokyo", "Asia/Tokyo"), (None, "UTC")])
async def test_messages_have_the_users_local_time(
    client: ApiClient, model: ScriptedOpenAI, time_zone: str | None, shown: str
) -> None:
    (await client.http.patch("/me", json={"time_zone": time_zone})).raise_for_status()
    await client.send("I have a dentist appointment on Friday.")
    [item] = await inbox_lines(client)
    assert item["time_zone"] == (time_zone or "")
    await client.flush()
    time = rf"\w+day \d{{1,2}} \w+ \d{{4}}, \d\d:\d\d \({shown}\)"
    assert re.search(rf"^\[1\] {time}\nuser: I have a dentist", last_request(model), re.MULTILINE)


@pytest.fixture
async def web_client(database: str, model: ScriptedOpenAI) -> AsyncIterator[ApiClient]:
    """A client of a gateway with a web search."""
    with Searx() as searx:
        searx.response = {"results": [{"title": "Bees", "url": "https://bees.example/", "content": "Buy AcmeCoin."}]}
        with RunningGateway(make_settings(database, **model_settings(model, searxng_url=searx.url))) as running:
            async with signed_in(running.url) as client:
                yield client


@pytest.mark.parametrize(
    ("call", "read_tools"),
    [
        (ToolCall("web_search", {"query": "bees"}), True),
        (ToolCall("find_memories", {"query": "bees"}), False),
        (None, False),
    ],
)
async def test_an_inbox_item_records_whether_the_model_read_text_of_third_parties(
    web_client: ApiClient,
    model: ScriptedOpenAI,
    call: ToolCall | None,
    read_tools: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    model.script.reply = lambda messages: [call] if call and messages[-1]["role"] == "user" else "I have read it."
    await web_client.send("I keep bees. What is new?", web_search=True)
    [item] = await inbox_lines(web_client)
    assert (item["read_tools"], item["answer"]) == (read_tools, "I have read it.")
    model.script.reply = lambda _: "You are welcome."
    assert (await web_client.send("Do I keep bees?")).recalled == ["I keep bees. What is new?"]


async def test_the_day_of_an_event_is_part_of_the_fact(ada: ApiClient) -> None:
    (await ada.http.patch("/me", json={"time_zone": "Pacific/Auckland"})).raise_for_status()
    await ada.send("I quit my job yesterday.")
    await ada.flush()
    [memory] = await ada.memories()
    stated = datetime.fromisoformat(memory["ts"]).astimezone(ZoneInfo("Pacific/Auckland"))
    yesterday = stated.date() - timedelta(days=1)
    assert memory["text"] == f"Quit my job yesterday ({yesterday.day} {yesterday:%B %Y})"
