"""LangGraph's JavaScript clients: in Node, and `useStream` in a page."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.async_api import Browser, Page, Route, expect

from contract.langgraph_api.conftest import WORDS
from support.browser import chromium
from support.client import ApiClient
from support.node import install, run_script
from support.scripted_openai import ScriptedOpenAI

JAVASCRIPT = Path(__file__).parents[1] / "langgraph_js"
HTML = '<!doctype html><body><div id="root"></div><script type="module" src="page.js"></script></body>'

OpenChat = Callable[[str], Awaitable[Page]]


@pytest.mark.timeout(180)
async def test_the_javascript_client_uses_threads_runs_and_store(
    api_url: str, user: ApiClient, scripted: ScriptedOpenAI
) -> None:
    install(JAVASCRIPT)
    scripted.script.reply = lambda _: WORDS
    printed = await asyncio.to_thread(run_script, JAVASCRIPT, "client.mjs", API_URL=api_url, API_KEY=user.token)
    result: dict[str, Any] = json.loads(printed)
    assert result["events"][:2] == ["metadata", "values"]
    assert result["events"][-4:] == ["messages", "values", "custom", "end"]
    assert result == {
        "assistants": ["chat"],
        "events": result["events"],
        "text": WORDS,
        "rejoined": ["end"],
        "waited": ["I live in Oslo.", WORDS, "Where do I live?", WORDS],
        "history": [4, 3, 2, 1],
        "state": ["I live in Oslo.", WORDS, "Where do I live?", WORDS, "Anything else?"],
        "runs": ["success"] * 3,
        "found": [True],
        "items": ["Bees"],
        "namespaces": [["notes"]],
        "copied": 501,
        "missing": 404,
        "deleted": None,
    }


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> str:
    install(JAVASCRIPT)
    path = tmp_path_factory.mktemp("page") / "page.js"
    run_script(JAVASCRIPT, "build.mjs", str(path))
    return path.read_text()


@pytest.fixture
def open_chat(browser: Browser, bundle: str, api_url: str, user: ApiClient, scripted: ScriptedOpenAI) -> OpenChat:
    """Open the page of the tests as if the gateway served it."""
    assert scripted

    async def answer(route: Route) -> None:
        is_script = route.request.url.endswith("page.js")
        await route.fulfill(
            body=bundle if is_script else HTML, content_type="text/javascript" if is_script else "text/html"
        )

    async def open_chat(mode: str) -> Page:
        page = await browser.new_page()
        await page.route(re.compile(r"/test-page/"), answer)
        query = urlencode({"api": api_url, "key": user.token, "mode": mode})
        await page.goto(f"{api_url.removesuffix('/langgraph')}/test-page/index.html?{query}")
        return page

    return open_chat


async def _send(page: Page, text: str) -> None:
    await page.get_by_label("message").fill(text)
    await page.get_by_label("message").press("Enter")


async def _texts(page: Page, *texts: str) -> None:
    await expect(page.locator("ol li")).to_have_text(list(texts))


@pytest.mark.browser
@pytest.mark.timeout(180)
@pytest.mark.parametrize("mode", ["messages", "values"])
async def test_a_page_with_use_stream_shows_a_conversation_and_continues_it_after_a_reload(
    open_chat: OpenChat, user: ApiClient, mode: str
) -> None:
    page = await open_chat(mode)
    await _send(page, "Count.")
    await _texts(page, "Count.", WORDS)
    await expect(page.locator("output")).to_have_text("ready")
    await _send(page, "Again.")
    await _texts(page, "Count.", WORDS, "Again.", WORDS)
    await expect(page.locator("output")).to_have_text("ready")
    await page.reload()
    await _texts(page, "Count.", WORDS, "Again.", WORDS)
    await expect(page.get_by_role("alert")).to_be_empty()
    [thread] = (await user.http.get("/threads")).json()["items"]
    assert page.url.endswith(f"#{thread['thread_id']}")


@pytest.mark.browser
@pytest.mark.timeout(180)
async def test_a_page_rejoins_an_answer_after_a_reload(open_chat: OpenChat, scripted: ScriptedOpenAI) -> None:
    page = await open_chat("messages")
    scripted.script.hold_after_tokens = 2
    with scripted.script.chat_gate.closed():
        await _send(page, "Count.")
        await _texts(page, "Count.", "one two ")
        await page.reload()
        await _texts(page, "Count.", "one two ")
        await expect(page.locator("output")).to_have_text("answering")
    await _texts(page, "Count.", WORDS)
    await expect(page.locator("output")).to_have_text("ready")


@pytest.mark.browser
@pytest.mark.timeout(180)
async def test_a_page_stops_an_answer_after_it_has_shown_what_was_recalled(
    open_chat: OpenChat, user: ApiClient, scripted: ScriptedOpenAI
) -> None:
    await user.http.post("/memories", json={"text": "Keeps bees", "pinned": True})
    page = await open_chat("messages")
    scripted.script.hold_after_tokens = 2
    with scripted.script.chat_gate.closed():
        await _send(page, "Count.")
        await expect(page.get_by_label("recalled")).to_have_text("Keeps bees")
        await _texts(page, "Count.", "one two ")
        await page.get_by_role("button", name="Stop").click()
        await scripted.wait_for_disconnect()
    await expect(page.locator("output")).to_have_text("ready")
    await _send(page, "Again.")
    await _texts(page, "Count.", "one two", "Again.", WORDS)


@pytest.mark.browser
@pytest.mark.timeout(180)
async def test_a_page_shows_why_a_run_failed(open_chat: OpenChat, scripted: ScriptedOpenAI) -> None:
    page = await open_chat("values")
    scripted.script.chat_status = 401
    await _send(page, "Count.")
    await expect(page.get_by_role("alert")).to_contain_text("The model's server refused the API key.")
