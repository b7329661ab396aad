"""What the page shows of memory, and the way back, in a real browser."""

import pytest
from playwright.async_api import expect

from e2e.conftest import Visit
from support.gateway import RunningGateway

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


async def test_a_change_is_in_a_memorys_history_and_can_be_undone(shared_gateway: RunningGateway, visit: Visit) -> None:
    visitor = await visit(shared_gateway)
    page = visitor.page
    await visitor.sign_in()
    await visitor.open_memory()
    await visitor.add_memory("Plays the violin")
    memory = visitor.memories.first
    await memory.get_by_role("button", name="History").click()
    await expect(memory).to_contain_text("It has never been anything else.")
    await expect(memory.get_by_role("button", name="Undo")).to_have_count(0)
    await memory.get_by_role("button", name="Close").click()

    await memory.get_by_role("button", name="Edit").click()
    await page.get_by_label("Text of the memory").fill("Plays the cello")
    await page.get_by_role("button", name="Save").click()
    await expect(memory).to_contain_text("Plays the cello")
    await memory.get_by_role("button", name="History").click()
    await expect(memory.get_by_test_id("history")).to_contain_text("Plays the violin")
    await expect(memory.get_by_test_id("history")).to_contain_text("changed by you")

    await memory.get_by_role("button", name="Undo").click()
    await expect(memory.get_by_text("Plays the violin", exact=True)).to_be_visible()
    await page.reload()
    await visitor.open_memory()
    await expect(visitor.memories).to_have_count(1)
    await expect(visitor.memories).to_contain_text("Plays the violin")


async def test_everything_can_be_forgotten_once_it_is_confirmed(shared_gateway: RunningGateway, visit: Visit) -> None:
    visitor = await visit(shared_gateway)
    page = visitor.page
    await visitor.sign_in()
    await visitor.open_memory()
    await visitor.add_memory("Plays the violin")
    await page.get_by_role("button", name="Forget everything").click()
    dialog = page.get_by_role("dialog", name="Forget everything?")
    await dialog.get_by_role("button", name="Keep it").click()
    await expect(visitor.memories).to_have_count(1)

    await page.get_by_role("button", name="Forget everything").click()
    await dialog.get_by_role("button", name="Forget everything").click()
    await expect(page.get_by_text("Everything is forgotten: 1 memory.")).to_be_visible()
    await page.reload()
    await visitor.open_memory()
    await expect(page.get_by_text("Nothing is kept yet.")).to_be_visible()


async def test_a_thread_is_found_by_its_words_and_tells_what_went_with_it(
    shared_gateway: RunningGateway, visit: Visit
) -> None:
    visitor = await visit(shared_gateway)
    page = visitor.page
    await visitor.sign_in()
    await visitor.say("I keep bees.")
    await visitor.open_memory()
    await expect(page.get_by_test_id("formation")).to_contain_text("1 message is not yet distilled.")
    await visitor.distil()
    await expect(page.get_by_test_id("formation")).to_contain_text("All that you said is distilled.")
    await visitor.begin_thread()
    await visitor.say("The weather is fine.")

    threads = page.get_by_test_id("threads").get_by_role("listitem")
    await page.get_by_label("Search threads").fill("keep bees")
    await expect(threads).to_have_count(1)
    await threads.hover()
    await threads.get_by_role("button", name="Delete").click()
    await page.get_by_label("Also forget what it taught").check()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_text("forgotten.")).to_be_visible()
    await expect(page.get_by_text("No thread fits.")).to_be_visible()
    await page.get_by_label("Search threads").fill("")
    await expect(threads).to_have_count(1)
