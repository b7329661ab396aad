"""WCAG 2.2 AA of the page's states, in light and dark colours and in both directions."""

import json
from typing import Literal

import pytest
from playwright.async_api import FilePayload, Page, expect

from e2e.axe import accessibility_violations
from e2e.conftest import OpenPage
from e2e.keepsake_page import KeepsakePage
from support.foreign_exports import CHATGPT
from support.gateway import RunningGateway

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


@pytest.mark.parametrize(("scheme", "direction"), [("light", "rtl"), ("dark", "ltr"), ("dark", "rtl")])
async def test_the_states_of_the_page_are_accessible(
    shared_gateway: RunningGateway, open_page: OpenPage, scheme: Literal["light", "dark"], direction: str
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await keepsake.sign_in()
    await _set_direction(page, direction)
    await keepsake.send("I live in Oslo and I keep bees.")
    await keepsake.send("Where do I live?")
    await page.get_by_role("button", name="Answer again").last.click()
    await expect(page.get_by_test_id("branches")).to_contain_text("2 / 2")
    await keepsake.wait_for_answer()
    await page.get_by_role("button", name="Bad answer").last.click()
    await keepsake.open_memory()
    await page.get_by_role("button", name="being remembered").click()
    await expect(page.get_by_test_id("pending").get_by_role("listitem").first).to_be_visible()
    assert await accessibility_violations(page) == []

    await keepsake.save_memories()
    await page.get_by_role("button", name="Archived", exact=True).click()
    await expect(page.get_by_text("No archived threads.")).to_be_visible()
    assert await accessibility_violations(page) == []

    await page.goto(f"{shared_gateway.url}/memory?view=map")
    await _set_direction(page, direction)
    await expect(page.get_by_role("tabpanel", name="Map")).not_to_be_empty()
    assert await accessibility_violations(page) == []
    await _preview_import(keepsake)
    assert await accessibility_violations(page) == []
    assert not await keepsake.overflows_horizontally()


async def _set_direction(page: Page, direction: str) -> None:
    await page.evaluate("direction => { document.documentElement.dir = direction; }", direction)


async def _preview_import(keepsake: KeepsakePage) -> None:
    page = keepsake.page
    await page.get_by_role("button", name="More actions").click()
    await page.get_by_role("menuitem", name="Import").click()
    file = FilePayload(name="conversations.json", mimeType="application/json", buffer=json.dumps(CHATGPT).encode())
    await page.get_by_label("File", exact=True).set_input_files(file)
    await expect(page.get_by_test_id("preview")).to_be_visible()
