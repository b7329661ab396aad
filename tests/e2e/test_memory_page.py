"""The memory page and the settings in a real browser."""

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


async def test_a_key_for_another_app_is_shown_once_and_can_be_removed(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await page.get_by_role("link", name="Settings").click()
    await page.get_by_label("Name of the app").fill("Notebook")
    await page.get_by_role("button", name="Create a key").click()
    await expect(page.get_by_test_id("new-key")).to_contain_text("ks_")
    await page.reload()
    await expect(page.get_by_test_id("new-key")).to_have_count(0)
    await page.get_by_role("button", name="Remove the key “Notebook”").click()
    await expect(page.get_by_text("No keys yet.")).to_be_visible()


async def test_the_page_speaks_the_chosen_language_and_has_the_chosen_colours(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await page.get_by_role("link", name="Settings").click()
    await page.get_by_label("Language").select_option("Deutsch")
    await expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
    await expect(page.locator("html")).to_have_attribute("lang", "de")
    await page.get_by_text("Dunkel", exact=True).click()
    await page.reload()
    await expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
    background = await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert background == "rgb(25, 24, 22)"


async def test_the_account_can_be_erased_with_a_receipt(shared_gateway: RunningGateway, open_page: OpenPage) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    name = await keepsake.sign_in()
    await keepsake.send("I keep bees.")
    await page.get_by_role("link", name="Settings").click()
    await page.get_by_role("button", name="Erase account").click()
    erase = page.get_by_role("button", name="Erase everything")
    await expect(erase).to_be_disabled()
    await page.get_by_label("Type “erase” to confirm").fill("erase")
    await erase.click()
    receipt = page.get_by_test_id("receipt").locator("div").filter(has_text="Messages")
    await expect(receipt.get_by_role("definition")).to_have_text("2")
    await page.get_by_role("button", name="Done").click()
    await keepsake.sign_in(name)
    await expect(page.get_by_text("Your threads will appear here.")).to_be_visible()
