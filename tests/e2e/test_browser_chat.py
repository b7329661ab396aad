"""What an answer does besides talking, and chats of which nothing lasts, in a real browser."""

import re
from collections.abc import Iterator, Sequence

import pytest
from playwright.async_api import expect

from conftest import make_settings, model_settings
from e2e.conftest import Visit
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
def searching(database: str, model: ScriptedOpenAI, searx: Searx) -> Iterator[RunningGateway]:
    """A gateway with a web to search."""
    with RunningGateway(make_settings(database, **model_settings(model, searxng_url=searx.url))) as running:
        yield running


async def test_a_temporary_chat_leaves_no_thread_and_teaches_nothing(
    shared_gateway: RunningGateway, visit: Visit
) -> None:
    visitor = await visit(shared_gateway)
    page = visitor.page
    await visitor.sign_in()
    await page.get_by_role("link", name="Temporary chat").click()
    await expect(page.get_by_test_id("temporary")).to_be_visible()
    await visitor.say(ABOUT_ME)
    await page.reload()
    await expect(page.get_by_test_id("question")).to_have_text(ABOUT_ME)
    await expect(page.get_by_test_id("temporary")).to_contain_text("Nothing is remembered")
    await expect(page.get_by_text("Your threads will be listed here.")).to_be_visible()

    await page.get_by_role("button", name="End it now").click()
    await expect(page.get_by_test_id("question")).to_have_count(0)
    await expect(page.get_by_test_id("temporary")).to_have_count(0)
    await visitor.open_memory()
    await visitor.distil()
    await expect(visitor.memories).to_have_count(0)
    await visitor.say("Where do I live?")
    await expect(visitor.answer).not_to_contain_text("London")


async def test_an_answer_shows_what_it_searches_the_web_for_when_it_may(
    searching: RunningGateway, model: ScriptedOpenAI, searx: Searx, visit: Visit
) -> None:
    def reply(messages: list[Message]) -> str | Sequence[ToolCall]:
        found = messages[-1]["role"] == "tool"
        return "It rains." if found else [ToolCall("web_search", {"query": "<b>rain</b> in Oslo"})]

    model.script.reply = reply
    visitor = await visit(searching)
    toggle = visitor.page.get_by_role("button", name="Web search")
    await visitor.sign_in()
    await toggle.click()
    await expect(toggle).to_have_attribute("aria-pressed", "true")
    steps = visitor.answer.get_by_test_id("tools")
    with searx.gate.closed():
        await visitor.send("Does it rain?")
        await expect(steps).to_contain_text("Searching the web…")
    await visitor.hear_out()
    await expect(visitor.answer).to_contain_text("It rains.")
    await expect(steps.get_by_role("listitem")).to_have_count(1)
    await expect(steps).to_contain_text("Searched the web<b>rain</b> in Oslo")


async def test_where_nothing_searches_the_web_the_page_says_why(shared_gateway: RunningGateway, visit: Visit) -> None:
    visitor = await visit(shared_gateway)
    await visitor.sign_in()
    toggle = visitor.page.get_by_role("button", name="Web search")
    await expect(toggle).to_have_accessible_description(re.compile("not available: the offline model"))
    await expect(toggle).to_be_disabled()
    await toggle.click(force=True)
    await expect(visitor.page.get_by_text("Web search is not available")).to_be_visible()
