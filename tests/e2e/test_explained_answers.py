"""What shaped an answer, and what the user can do about it, in a real browser."""

import pytest
from playwright.async_api import expect

from e2e.conftest import OpenPage
from support.client import signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


async def test_an_answer_marks_the_sentence_of_a_memory_and_the_memory_can_be_corrected_and_forgotten(
    gateway: RunningGateway, model: ScriptedOpenAI, open_page: OpenPage
) -> None:
    model.script.reply = lambda _: "Hello. Since you **live** in Oslo, take the ferry. Oslo is the capital of Norway."
    keepsake = await open_page(gateway)
    page = keepsake.page
    name = await keepsake.sign_in()
    async with signed_in(gateway.url, name) as client:
        await client.http.post("/memories", json={"kind": "user", "text": "Lives in Oslo"})
    await keepsake.send("How do I get to work?")
    answer = keepsake.latest_answer
    used = answer.get_by_test_id("recalled")
    await expect(answer.get_by_test_id("mark")).to_have_text(["Since you ", "live", " in Oslo, take the ferry."])
    await expect(used.get_by_role("listitem")).to_have_count(0)

    await answer.get_by_role("button", name="From memory: Lives in Oslo").click()
    memory = used.get_by_role("listitem")
    await memory.get_by_role("button", name="Actions").click()
    await page.get_by_role("menuitem", name="This is wrong").click()
    await page.get_by_label("What is right").fill("Lives in York")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(memory).to_contain_text("Lives in York")

    await memory.get_by_role("button", name="Actions").click()
    await page.get_by_role("menuitem", name="Forget").click()
    await expect(used).to_have_count(0)
    toast = page.get_by_test_id("toast").filter(has_text="Forgotten: Lives in York")
    await toast.get_by_role("button", name="Undo").click()
    await expect(used).to_be_visible()
    async with signed_in(gateway.url, name) as client:
        listed = (await client.http.get("/memories")).json()["items"]
    assert [one["text"] for one in listed if one["kind"] == "user"] == ["Lives in York"]
