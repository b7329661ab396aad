"""Memory history, undo and deletion in a real browser."""

import pytest
from playwright.async_api import expect

from e2e.conftest import OpenPage
from support.gateway import RunningGateway

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


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
    await expect(page.get_by_text("All memories deleted (1).")).to_be_visible()
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
    await expect(page.get_by_test_id("formation")).to_contain_text("1 message is not yet saved to memory.")
    await keepsake.save_memories()
    await expect(page.get_by_test_id("formation")).to_contain_text("Everything is saved.")
    await keepsake.open_new_thread()
    await keepsake.send("The weather is fine.")

    threads = page.get_by_test_id("threads").get_by_role("listitem")
    await page.get_by_label("Search threads").fill("keep bees")
    await expect(threads).to_have_count(1)
    await threads.hover()
    await threads.get_by_role("button", name="Delete").click()
    await page.get_by_label("Also delete what Keepsake learned").check()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_text("Thread deleted, with")).to_be_visible()
    await expect(page.get_by_text("No matching threads.")).to_be_visible()
    await page.get_by_label("Search threads").fill("")
    await expect(threads).to_have_count(1)
