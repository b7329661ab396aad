"""Pinned and always included memories, history, undo and deletion in a real browser."""

import re

import psycopg
import pytest
from playwright.async_api import Route, expect
from psycopg.types.json import Jsonb

from e2e.conftest import OpenPage
from support.client import signed_in
from support.gateway import RunningGateway

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


async def test_a_memory_can_be_pinned_and_unpinned(shared_gateway: RunningGateway, open_page: OpenPage) -> None:
    keepsake = await open_page(shared_gateway)
    await keepsake.sign_in()
    await keepsake.open_memory()
    await keepsake.add_memory("Plays the violin")
    memory = keepsake.memories.first
    pin = memory.get_by_role("button", name="Pin “Plays the violin”", exact=True)
    unpin = memory.get_by_role("button", name="Unpin “Plays the violin”")
    await expect(memory).not_to_contain_text("Always included")
    await pin.click()
    await expect(unpin).to_have_attribute("aria-pressed", "true")
    await expect(memory).to_contain_text("Always included")
    await expect(unpin).to_have_accessible_description("Always include")
    await keepsake.send("What is the capital of Norway?")
    await keepsake.latest_answer.get_by_text("1 memory included").click()
    await expect(keepsake.latest_answer.get_by_role("listitem")).to_contain_text("Plays the violin")

    await keepsake.page.reload()
    await keepsake.open_memory()
    await unpin.click()
    await expect(pin).to_have_attribute("aria-pressed", "false")
    await expect(memory).not_to_contain_text("Always included")


async def test_a_pin_that_fails_is_reverted_and_reported(shared_gateway: RunningGateway, open_page: OpenPage) -> None:
    keepsake = (await open_page(shared_gateway)).expect_status(503)
    await keepsake.sign_in()
    await keepsake.open_memory()
    await keepsake.add_memory("Plays the violin")

    async def refuse_changes(route: Route) -> None:
        if route.request.method == "PATCH":
            await route.fulfill(status=503, json={"title": "The store is unavailable", "code": "store_unavailable"})
        else:
            await route.continue_()

    await keepsake.page.route("**/memories/*", refuse_changes)
    pin = keepsake.page.get_by_role("button", name="Pin “Plays the violin”", exact=True)
    await pin.click()
    await expect(keepsake.page.get_by_role("alert")).to_be_visible()
    await expect(pin).to_have_attribute("aria-pressed", "false")


async def test_what_is_deleted_elsewhere_disappears(shared_gateway: RunningGateway, open_page: OpenPage) -> None:
    keepsake = await open_page(shared_gateway)
    name = await keepsake.sign_in()
    await keepsake.open_memory()
    await keepsake.add_memory("Plays the violin")
    async with signed_in(shared_gateway.url, name) as other_device:
        await other_device.http.delete("/memories")
    await expect(keepsake.memories).to_have_count(0)


async def test_an_answer_lists_always_included_memories_apart_from_recalled_ones(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    def hit(number: str, kind: str, text: str, why: str) -> dict[str, object]:
        ts = "2026-11-20T10:00:00+00:00"
        return {"id": number, "kind": kind, "text": text, "score": 0.5, "source_thread": "", "ts": ts, "why": why}

    recalled = hit("1", "user", "Has two cats", "recalled")
    standing = [
        hit("2", "user", "Is allergic to peanuts", "standing"),
        hit("3", "profile", "Works as a nurse.", "standing"),
    ]
    keepsake = (await open_page(shared_gateway)).expect_status(422)  # the ids below are no memories
    await keepsake.sign_in()
    await keepsake.send("Hello")
    thread = keepsake.page.url.rpartition("/")[2]

    async def show(*memories: dict[str, object]) -> None:
        async with await psycopg.AsyncConnection.connect(shared_gateway.database) as connection:
            await connection.execute(
                "UPDATE messages SET memories = %s WHERE thread_id = %s AND role = 'assistant'",
                (Jsonb(list(memories)), thread),
            )
        await keepsake.page.reload()

    used = keepsake.latest_answer.get_by_test_id("recalled")
    await show(standing[0], recalled, standing[1])
    await expect(used.get_by_role("listitem")).to_have_count(0)
    await used.get_by_text("1 memory used").click()
    await expect(used.get_by_role("listitem")).to_have_text([re.compile("Has two cats")])
    await used.get_by_text("Always included").click()
    await expect(used.get_by_test_id("standing").get_by_role("listitem")).to_have_text(
        [re.compile("Is allergic to peanuts"), re.compile("Works as a nurse.*About you")]
    )

    await show(*standing)
    await used.get_by_text("2 memories included").click()
    await expect(used.get_by_role("listitem")).to_have_count(2)


async def test_the_page_stores_the_time_zone_of_the_browser(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    async with page.expect_response(lambda response: response.request.method == "PATCH") as stored:
        await keepsake.sign_in()
    time_zone = await page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert (await (await stored.value).json())["time_zone"] == time_zone


async def test_an_edit_is_in_the_history_and_can_be_undone(shared_gateway: RunningGateway, open_page: OpenPage) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await keepsake.open_memory()
    await keepsake.add_memory("Plays the violin")
    memory = keepsake.memories.first
    await memory.get_by_role("button", name="History").click()
    await expect(memory).to_contain_text("No earlier versions.")
    await expect(memory.get_by_role("button", name="Undo")).to_have_count(0)
    await memory.get_by_role("button", name="Close").click()

    await memory.get_by_role("button", name="Edit").click()
    await page.get_by_label("Memory text").fill("Plays the cello")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(memory).to_contain_text("Plays the cello")
    await memory.get_by_role("button", name="History").click()
    await expect(memory.get_by_test_id("history")).to_contain_text("Plays the violin")
    await expect(memory.get_by_test_id("history")).to_contain_text("edited by you")

    await memory.get_by_role("button", name="Undo").click()
    await expect(memory.get_by_text("Plays the violin", exact=True)).to_be_visible()
    await page.reload()
    await keepsake.open_memory()
    await expect(keepsake.memories).to_have_count(1)
    await expect(keepsake.memories).to_contain_text("Plays the violin")


async def test_all_memories_can_be_deleted_after_confirmation(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await keepsake.open_memory()
    await keepsake.add_memory("Plays the violin")
    await page.get_by_role("button", name="Delete all memories").click()
    dialog = page.get_by_role("dialog", name="Delete all memories?")
    await dialog.get_by_role("button", name="Cancel").click()
    await expect(keepsake.memories).to_have_count(1)

    await page.get_by_role("button", name="Delete all memories").click()
    await dialog.get_by_role("button", name="Delete all").click()
    await expect(page.get_by_test_id("toast").get_by_text("All memories deleted (1).")).to_be_visible()
    await page.reload()
    await keepsake.open_memory()
    await expect(page.get_by_text("No memories yet.")).to_be_visible()


async def test_a_thread_can_be_searched_and_deleted_with_its_memories(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await keepsake.send("I keep bees.")
    await keepsake.open_memory()
    await expect(page.get_by_test_id("formation")).to_contain_text("1 message being remembered.")
    await keepsake.save_memories()
    await expect(page.get_by_test_id("formation")).to_contain_text("Everything is saved.")
    await keepsake.open_new_thread()
    await keepsake.send("The weather is fine.")

    threads = page.get_by_test_id("threads").get_by_role("listitem")
    await page.get_by_label("Search threads").fill("keep bees")
    await expect(threads).to_have_count(1)
    await keepsake.choose_for_thread("I keep bees.", "Delete")
    await page.get_by_label("Also delete what Keepsake learned").check()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_test_id("toast").get_by_text("Thread deleted, with")).to_be_visible()
    await expect(page.get_by_text("No matching threads.")).to_be_visible()
    await page.get_by_label("Search threads").fill("")
    await expect(threads).to_have_count(1)
