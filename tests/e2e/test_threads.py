"""Pinned and archived threads in a real browser."""

import pytest
from playwright.async_api import expect

from e2e.axe import accessibility_violations
from e2e.conftest import OpenPage
from support.gateway import RunningGateway

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


async def test_a_pinned_thread_is_listed_first_and_an_archived_one_only_in_the_archive(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    threads = page.get_by_role("navigation", name="Threads")
    await keepsake.sign_in()
    for text in ("I keep bees.", "I play the cello."):
        await keepsake.open_new_thread()
        await keepsake.send(text)
    await keepsake.choose_for_thread("I keep bees.", "Pin")
    await expect(threads.get_by_role("link")).to_have_text(["I keep bees.", "I play the cello."])
    await page.reload()
    await expect(page.get_by_role("region", name="Pinned").get_by_role("link")).to_have_text(["I keep bees."])
    await page.get_by_role("link", name="I keep bees.").hover()
    await page.get_by_role("button", name="Actions for “I keep bees.”").click()
    assert await accessibility_violations(page) == []
    await page.keyboard.press("Escape")

    await keepsake.choose_for_thread("I play the cello.", "Archive")
    await expect(threads.get_by_role("link")).to_have_text(["I keep bees."])
    await page.get_by_role("button", name="Archived", exact=True).click()
    await expect(threads.get_by_role("link")).to_have_text(["I play the cello."])
    assert await accessibility_violations(page) == []
    await keepsake.choose_for_thread("I play the cello.", "Move out of the archive")
    await expect(page.get_by_text("No archived threads.")).to_be_visible()
    await page.get_by_role("button", name="Close the archive").click()
    await expect(threads.get_by_role("link")).to_have_text(["I keep bees.", "I play the cello."])

    await keepsake.choose_for_thread("I play the cello.", "Archive")
    await page.get_by_test_id("toast").filter(has_text="Thread archived.").get_by_role("button", name="Undo").click()
    await expect(threads.get_by_role("link")).to_have_text(["I keep bees.", "I play the cello."])
