"""Temporary chats and web search in a real browser."""

import re
from collections.abc import Iterator, Sequence

import pytest
from playwright.async_api import expect

from conftest import make_settings, model_settings
from e2e.axe import accessibility_violations
from e2e.conftest import OpenPage
from support.gateway import RunningGateway
from support.model_script import Message
from support.scripted_openai import ScriptedOpenAI, ToolCall
from support.searxng import Searx

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

ABOUT_ME = "For future chats: I live in London, my nickname is RS, and I like concise bullet answers."


@pytest.fixture
def searx() -> Iterator[Searx]:
    with Searx() as running:
        yield running


@pytest.fixture
def gateway_with_search(database: str, model: ScriptedOpenAI, searx: Searx) -> Iterator[RunningGateway]:
    """A gateway with web search."""
    with RunningGateway(make_settings(database, **model_settings(model, searxng_url=searx.url))) as running:
        yield running


async def test_a_temporary_chat_creates_no_thread_and_no_memories(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await page.get_by_role("link", name="Temporary", exact=True).click()
    await expect(page.get_by_test_id("temporary")).to_be_visible()
    await keepsake.send(ABOUT_ME)
    await page.reload()
    await expect(page.get_by_test_id("question")).to_have_text(ABOUT_ME)
    await expect(page.get_by_test_id("temporary")).to_contain_text("No memories are used or saved")
    await expect(page.get_by_text("Your threads will appear here.")).to_be_visible()

    await page.get_by_role("button", name="Delete now").click()
    await expect(page.get_by_test_id("question")).to_have_count(0)
    await expect(page.get_by_test_id("temporary")).to_have_count(0)
    await keepsake.open_memory()
    await keepsake.save_memories()
    await expect(keepsake.memories).to_have_count(0)
    await keepsake.send("Where do I live?")
    await expect(keepsake.latest_answer).not_to_contain_text("London")


async def test_an_answer_shows_its_web_search_query_and_its_sources(
    gateway_with_search: RunningGateway, model: ScriptedOpenAI, searx: Searx, open_page: OpenPage
) -> None:
    def reply(messages: list[Message]) -> str | Sequence[ToolCall]:
        found = messages[-1]["role"] == "tool"
        return "It rains." if found else [ToolCall("web_search", {"query": "<b>rain</b> in Oslo"})]

    model.script.reply = reply
    searx.response = {"results": [{"title": "Weather", "url": "https://www.yr.example/oslo", "content": "Rain."}] * 2}
    keepsake = await open_page(gateway_with_search)
    page = keepsake.page
    toggle = page.get_by_role("button", name="Web search")
    await keepsake.sign_in()
    await toggle.click()
    await expect(toggle).to_have_attribute("aria-pressed", "true")
    steps = keepsake.latest_answer.get_by_test_id("tools")
    with searx.gate.closed():
        await keepsake.submit("Does it rain?")
        await expect(steps).to_contain_text("Searching the web…")
    await keepsake.wait_for_answer()
    await expect(keepsake.latest_answer).to_contain_text("It rains.")
    await expect(steps.get_by_role("listitem")).to_have_count(1)
    await expect(steps).to_contain_text("Searched the web<b>rain</b> in Oslo")
    source = keepsake.latest_answer.get_by_test_id("sources").get_by_role("link")
    await expect(source).to_have_count(1)
    await expect(source).to_have_attribute("href", "https://www.yr.example/oslo")
    await page.reload()
    await expect(source).to_contain_text("Weather")
    await expect(source).to_contain_text("yr.example")
    assert await accessibility_violations(page) == []


async def test_the_page_shows_why_web_search_is_not_available(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    await keepsake.sign_in()
    toggle = keepsake.page.get_by_role("button", name="Web search")
    await expect(toggle).to_have_accessible_description(re.compile("not available: the offline model"))
    await expect(toggle).to_be_disabled()
    await toggle.click(force=True)
    await expect(keepsake.page.get_by_text("Web search is not available")).to_be_visible()
