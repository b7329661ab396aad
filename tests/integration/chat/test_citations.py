"""The pages that the provider's own web search cites."""

from collections.abc import AsyncIterator

import pytest

from conftest import make_settings, model_settings
from support.client import ApiClient, signed_in
from support.gateway import RunningGateway
from support.scripted_openai import Citation, ScriptedOpenAI

CITATIONS = (
    Citation("https://met.example/oslo?utm_source=openai", "Rain in Oslo"),
    Citation("https://met.example/oslo?utm_source=openai", "Rain in Oslo"),
    Citation("javascript:alert(1)", "No address"),
)
SOURCE = {"title": "Rain in Oslo", "url": "https://met.example/oslo?utm_source=openai", "text": ""}


@pytest.fixture(params=["/v1/responses", "/v1/chat/completions"])
async def client(
    database: str, model: ScriptedOpenAI, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[ApiClient]:
    """A client of a gateway whose model has a web search of its own; asserts which API the gateway uses."""
    values = model_settings(model)
    if request.param == "/v1/responses":
        values["openai_base_url"] = None
    settings = make_settings(database, **values)
    monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)  # the client's own default address
    with RunningGateway(settings) as running:
        async with signed_in(running.url) as client:
            yield client
    assert {one.path for one in model.chat_requests()} == {request.param}


async def test_the_pages_that_an_answer_cites_are_its_sources(client: ApiClient, model: ScriptedOpenAI) -> None:
    model.script.reply = lambda _: "It rains in Oslo."
    model.script.citations = CITATIONS
    answer = await client.send("Does it rain in Oslo?", web_search=True)
    assert answer.text == "It rains in Oslo."
    assert answer.data("message.completed")["sources"] == [SOURCE]
    thread = answer.data("run.started")["thread_id"]
    _, stored = (await client.http.get(f"/threads/{thread}/messages")).json()["items"]
    assert stored["sources"] == [SOURCE]

    model.script.citations = ()
    answer = await client.send("And in York?", thread=thread, web_search=True)
    assert answer.data("message.completed")["sources"] == []
    sent = str([one.body for one in model.chat_requests()][-1])
    assert "It rains in Oslo." in sent
