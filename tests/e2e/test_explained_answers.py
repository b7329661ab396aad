"""What shaped an answer, and what the user can do about it, in a real browser."""

import pytest
from playwright.async_api import expect

from e2e.axe import accessibility_violations
from e2e.conftest import OpenPage
from support.client import new_thread, signed_in
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
    await page.get_by_role("menuitem", name="Correct").click()
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


async def test_an_answer_counts_and_marks_all_memories_that_it_quotes(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    name = await keepsake.sign_in()
    messages = (
        "My flight leaves at 9 a.m. on Tuesday.",
        "Sorry, I meant Thursday.",
        "I live in Oslo.",
        "I am allergic to peanuts.",
        "I don't drink alcohol.",
        "Because my dad drank.",
    )
    async with signed_in(shared_gateway.url, name) as client:
        thread = new_thread()
        for message in messages:
            await client.send(message, thread=thread)
        await client.flush()
        await keepsake.send("What do you know about me?")
        answer = keepsake.latest_answer
        items = answer.locator(".markdown").get_by_role("listitem")
        await expect(items.filter(has_text="leaves at 9 a.m. on Thursday")).to_have_count(1)
        await expect(items.filter(has_text="…")).to_have_count(1)
        count = await items.count()
        await expect(items.filter(has=keepsake.page.get_by_test_id("mark"))).to_have_count(count)
        used = answer.get_by_test_id("recalled")
        await expect(used.locator("summary").first).to_have_text(f"{count} memories used")
        await used.locator("summary").first.click()
        await expect(used.get_by_role("listitem")).to_have_count(count)


async def test_a_memory_of_an_answer_is_not_relevant_or_wrong_with_undo(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    name = await keepsake.sign_in()
    async with signed_in(shared_gateway.url, name) as client:
        for text in ("Plays the cello", "Plays chess on Sundays"):
            await client.http.post("/memories", json={"kind": "user", "text": text})
        await keepsake.send("What do I play?")
        used = keepsake.latest_answer.get_by_test_id("recalled")
        await used.locator("summary").click()
        cello, chess = (used.get_by_role("listitem").filter(has_text=text) for text in ("cello", "chess"))
        async with page.expect_response("**/feedback") as response:
            await chess.get_by_role("button", name="Not relevant here").click()
        assert (await response.value).status == 200
        await expect(chess).to_contain_text("Marked as not relevant")
        assert await accessibility_violations(page) == []

        await cello.get_by_role("button", name="Wrong: “Plays the cello”").click()
        toast = page.get_by_test_id("toast").filter(has_text="No longer used: Plays the cello")
        await expect(cello).to_have_count(0)
        assert [one["text"] for one in await client.memories(kind="user")] == ["Plays chess on Sundays"]
        await toast.get_by_role("button", name="Undo").click()
        await expect(cello).to_be_visible()
        assert len(await client.memories(kind="user")) == 2
