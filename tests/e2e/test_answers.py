"""Branches, ratings and models of answers in a real browser."""

import json
from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from conftest import make_settings, model_settings
from e2e.axe import accessibility_violations
from e2e.conftest import OpenPage
from support.client import signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


@pytest.fixture
def gateway_with_models(database: str, model: ScriptedOpenAI) -> Iterator[RunningGateway]:
    """A gateway with two chat models."""
    settings = make_settings(database, **model_settings(model, chat_models=("small", "large")))
    with RunningGateway(settings) as running:
        yield running


async def test_an_edited_message_starts_a_branch_and_the_user_can_return(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    questions = page.get_by_test_id("question")
    picker = page.get_by_test_id("branches")
    await keepsake.sign_in()
    await keepsake.send("I keep bees.")
    await keepsake.send("What do they need in winter?")
    original = page.url
    await questions.last.hover()
    await page.get_by_role("button", name="Edit message").last.click()
    editor = page.get_by_role("textbox", name="Edit message")
    await expect(editor).to_have_value("What do they need in winter?")
    assert await accessibility_violations(page) == []
    await editor.fill("What do they need in spring?")
    await page.get_by_role("button", name="Send").first.click()
    await expect(picker).to_contain_text("2 / 2")
    await keepsake.wait_for_answer()
    await expect(questions).to_have_text(["I keep bees.", "What do they need in spring?"])
    assert page.url != original
    await expect(page.get_by_role("navigation", name="Threads").get_by_role("link")).to_have_count(1)

    await picker.get_by_role("link", name="Previous version").click()
    await expect(questions.last).to_have_text("What do they need in winter?")
    await expect(picker).to_contain_text("1 / 2")
    assert page.url == original
    await expect(page.get_by_role("navigation", name="Threads").get_by_role("link")).to_have_attribute(
        "aria-current", "page"
    )
    await page.reload()
    await expect(picker).to_contain_text("1 / 2")
    assert await accessibility_violations(page) == []
    await picker.get_by_role("link", name="Next version").click()
    await expect(questions.last).to_have_text("What do they need in spring?")
    await expect(keepsake.latest_answer).to_have_attribute("aria-busy", "false")


async def test_a_question_is_answered_again_by_another_model(
    gateway_with_models: RunningGateway, model: ScriptedOpenAI, open_page: OpenPage
) -> None:
    model.script.reply = lambda _: f"Answer {len(model.chat_requests())}"
    keepsake = await open_page(gateway_with_models)
    page = keepsake.page
    await keepsake.sign_in()
    await keepsake.send("Tell me about bees.")
    await expect(keepsake.latest_answer.get_by_test_id("model")).to_have_text("small")
    first = await keepsake.latest_answer.inner_text()
    await page.get_by_role("button", name="Answer again").click()
    assert await accessibility_violations(page) == []
    await page.get_by_role("menuitem", name="Answer again with large").click()
    await expect(page.get_by_test_id("branches")).to_contain_text("2 / 2")
    await keepsake.wait_for_answer()
    assert await keepsake.latest_answer.inner_text() != first
    assert [request.body["model"] for request in model.chat_requests()] == ["small", "large"]
    await expect(keepsake.latest_answer.get_by_test_id("model")).to_have_text("large")
    await page.reload()
    await expect(keepsake.latest_answer.get_by_test_id("model")).to_have_text("large")


async def test_an_answer_is_rated_with_a_reason_and_the_rating_can_be_removed(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    up, down = (page.get_by_role("button", name=f"{name} answer") for name in ("Good", "Bad"))
    name = await keepsake.sign_in()
    await keepsake.send("I keep bees.")
    await up.click()
    await expect(up).to_have_attribute("aria-pressed", "true")
    await down.click()
    await expect(up).to_have_attribute("aria-pressed", "false")
    await page.get_by_label("What was wrong?").fill("Too long")
    assert await accessibility_violations(page) == []
    await page.get_by_role("button", name="Send reason").click()
    await expect(page.get_by_test_id("rating-reason")).to_have_count(0)
    await page.reload()
    await expect(down).to_have_attribute("aria-pressed", "true")

    thread = page.url.rpartition("/")[2]
    async with signed_in(shared_gateway.url, name) as client:
        answer = (await client.http.get(f"/threads/{thread}/messages")).json()["items"][-1]
        assert answer["feedback"] == {"rating": "down", "reason": "Too long"}
        async with page.expect_response("**/feedback"):
            await down.click()
        await expect(down).to_have_attribute("aria-pressed", "false")
        answer = (await client.http.get(f"/threads/{thread}/messages")).json()["items"][-1]
        assert "feedback" not in answer, json.dumps(answer)
