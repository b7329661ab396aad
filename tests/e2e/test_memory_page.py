"""The memory page in a real browser."""

import re

import pytest
from playwright.async_api import expect

from e2e.conftest import OpenPage
from support.gateway import RunningGateway

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


async def test_the_memory_page_searches_as_recall_does_and_has_an_address(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await keepsake.send("I keep bees on the roof. I am allergic to peanuts.")
    await keepsake.open_memory()
    await keepsake.save_memories()
    await page.get_by_role("link", name="Open page").click()
    await expect(page).to_have_url(f"{shared_gateway.url}/memory")

    content = page.get_by_test_id("memory-page")
    await content.get_by_label("What would come to mind for").fill("nuts")
    await expect(content.get_by_role("heading", name="Closest first")).to_be_visible()
    await expect(content.get_by_test_id("memory").first).to_contain_text("peanuts")
    await expect(content.get_by_label(re.compile("^Relevance"))).not_to_have_count(0)
    await content.get_by_text("Facts", exact=True).click()
    await expect(page).to_have_url(f"{shared_gateway.url}/memory?q=nuts&kind=user")

    await page.reload()
    await expect(content.get_by_label("What would come to mind for")).to_have_value("nuts")
    await content.get_by_role("tab", name="Timeline").click()
    await expect(page.get_by_test_id("timeline")).to_contain_text("Learned")
    await expect(page.get_by_role("region", name="This week")).to_contain_text("peanuts")


async def test_a_deleted_memory_can_be_restored_until_its_message_disappears(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await keepsake.open_memory()
    await keepsake.add_memory("Plays the violin")
    delete = page.get_by_role("button", name="Delete “Plays the violin”")
    await delete.click()
    await expect(keepsake.memories).to_have_count(0)
    await page.get_by_test_id("toast").get_by_role("button", name="Undo").click()
    await expect(keepsake.memories).to_have_count(1)

    await delete.click()
    await expect(keepsake.memories).to_have_count(0)
    await page.get_by_test_id("toast").last.get_by_role("button", name="Dismiss").click()
    await page.reload()
    await keepsake.open_memory()
    await expect(page.get_by_text("No memories yet.")).to_be_visible()


async def test_memories_can_be_exported_and_imported(shared_gateway: RunningGateway, open_page: OpenPage) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await keepsake.open_memory()
    await keepsake.add_memory("Plays the violin")
    await page.goto(f"{shared_gateway.url}/memory")
    await page.get_by_role("button", name="More actions").click()
    async with page.expect_download() as downloaded:
        await page.get_by_role("menuitem", name="Export").click()
    exported = await (await downloaded.value).path()
    await expect(page.get_by_test_id("toast").get_by_text("downloaded file")).to_be_visible()

    await page.get_by_role("button", name="More actions").click()
    await page.get_by_role("menuitem", name="Delete all memories").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete all").click()
    await expect(keepsake.memories).to_have_count(0)

    await page.get_by_role("button", name="More actions").click()
    await page.get_by_role("menuitem", name="Import").click()
    await page.get_by_label("File", exact=True).set_input_files(exported)
    await page.get_by_role("dialog").get_by_role("button", name="Import").click()
    await expect(keepsake.memories).to_contain_text(["Plays the violin"])
