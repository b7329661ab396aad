"""Drafts, messages without network and interrupted streams in a real browser."""

import re

import pytest
from playwright.async_api import expect

from e2e.conftest import OpenPage
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

LIMIT = 32_000


async def test_enter_without_a_text_changes_nothing(
    gateway: RunningGateway, model: ScriptedOpenAI, open_page: OpenPage
) -> None:
    keepsake = await open_page(gateway)
    await keepsake.sign_in()
    height = await keepsake.message_input.evaluate("input => input.offsetHeight")
    with model.script.chat_gate.closed():
        await keepsake.submit("Hello")
        for _ in range(2):
            await keepsake.message_input.press("Enter")
        await expect(keepsake.message_input).to_have_value("")
        assert await keepsake.message_input.evaluate("input => input.offsetHeight") == height
    await keepsake.wait_for_answer()
    await keepsake.message_input.press("Shift+Enter")
    await keepsake.message_input.press("Enter")
    await expect(keepsake.message_input).to_have_value("\n")


async def test_typed_text_survives_a_reload_and_a_change_of_thread(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await keepsake.send("The first thing I say.")
    await keepsake.message_input.fill("Half a sentence")
    await keepsake.open_new_thread()
    await expect(keepsake.message_input).to_have_value("")
    await keepsake.message_input.fill("Another thought")
    await page.reload()
    await expect(keepsake.message_input).to_have_value("Another thought")
    await page.get_by_role("link", name="The first thing").click()
    await expect(keepsake.message_input).to_have_value("Half a sentence")

    await keepsake.message_input.fill("a" * (LIMIT + 1))
    await expect(page.get_by_test_id("length")).to_have_text("32,001 of 32,000 characters")
    await expect(page.get_by_role("button", name="Send")).to_be_disabled()
    await keepsake.message_input.press("Enter")
    await expect(keepsake.message_input).to_have_value("a" * (LIMIT + 1))

    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_label("Your name")).to_be_visible()
    stored = await page.evaluate("JSON.stringify(localStorage)")
    assert "Another thought" not in stored


async def test_a_message_without_network_is_sent_once_when_it_is_back(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = (await open_page(shared_gateway)).expect_lost_connections()
    page = keepsake.page
    waiting = page.get_by_test_id("outgoing")
    await keepsake.sign_in()
    await keepsake.send("Hello.")
    await page.context.set_offline(True)
    for text in ("I play the violin.", "And the cello."):
        await keepsake.message_input.fill(text)
        await keepsake.message_input.press("Enter")
        await expect(keepsake.message_input).to_have_value("")
    await expect(waiting).to_have_count(2)
    await expect(waiting.first).to_contain_text("Waiting for the network")
    await keepsake.open_new_thread()

    await page.context.set_offline(False)
    await page.get_by_role("link", name="Hello.").click()
    await expect(waiting).to_have_count(0)
    await expect(page.get_by_test_id("answer")).to_have_count(3)
    await keepsake.wait_for_answer()
    await page.reload()
    await expect(page.get_by_test_id("question")).to_have_text(["Hello.", "I play the violin.", "And the cello."])


async def test_a_rejected_message_stays_after_a_reload_and_can_be_sent_again(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = (await open_page(shared_gateway)).expect_status(503).expect_status(404)
    page = keepsake.page
    await keepsake.sign_in()
    await page.route(
        "**/messages", lambda route: route.fulfill(status=503, json={"code": "overloaded", "title": "Too busy."})
    )
    await keepsake.message_input.fill("I play the violin.")
    await keepsake.message_input.press("Enter")
    rejected = page.get_by_test_id("outgoing")
    await expect(rejected).to_contain_text("Too busy.")
    await page.unroute("**/messages")
    await page.reload()
    await expect(rejected).to_contain_text("I play the violin.")
    await rejected.get_by_role("button", name="Edit").click()
    await expect(keepsake.message_input).to_have_value("I play the violin.")
    await expect(rejected).to_have_count(0)
    await keepsake.send("I play the viola.")
    await page.reload()
    await expect(page.get_by_test_id("question")).to_have_text(["I play the viola."])


async def test_a_broken_stream_is_rejoined(gateway: RunningGateway, model: ScriptedOpenAI, open_page: OpenPage) -> None:
    keepsake = (await open_page(gateway)).expect_lost_connections()
    await keepsake.sign_in()
    model.script.reply = lambda _: "One two three four."
    model.script.hold_after_tokens = 2
    with model.script.chat_gate.closed():
        await keepsake.submit("Count.")
        await expect(keepsake.latest_answer).to_contain_text("One")
        async with keepsake.page.expect_request(re.compile(r"/stream$")) as rejoined:
            gateway.drop_connections()
    assert "last-event-id" in (await rejoined.value).headers
    await keepsake.wait_for_answer()
    await expect(keepsake.latest_answer.get_by_text("One two three four.", exact=True)).to_be_visible()
