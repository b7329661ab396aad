"""Keyboard, search over everything, accessibility and writing direction in a real browser."""

from typing import Literal

import pytest
from playwright.async_api import ViewportSize, expect

from e2e.axe import accessibility_violations
from e2e.conftest import OpenPage
from support.client import signed_in
from support.gateway import RunningGateway

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

PHONE = ViewportSize(width=390, height=844)
WIDE = ViewportSize(width=1440, height=900)


async def test_everything_is_found_and_reached_with_the_keyboard(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await keepsake.send("I keep bees on the roof.")
    await keepsake.open_new_thread()

    await page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Search everything")
    await palette.get_by_role("combobox").fill("bees")
    await palette.get_by_role("option", name="I keep bees").first.click()
    await expect(page.get_by_test_id("question")).to_have_text("I keep bees on the roof.")
    await expect(palette).to_have_count(0)

    await page.keyboard.press("Control+k")
    await palette.get_by_role("combobox").fill("settings")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(f"{shared_gateway.url}/settings")

    await page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    await expect(sheet).to_contain_text("Search everything")
    await page.keyboard.press("Escape")
    await expect(sheet).to_have_count(0)
    await page.keyboard.press("Control+Shift+o")
    await expect(page).to_have_url(f"{shared_gateway.url}/")


async def test_the_palette_names_untitled_threads_and_cuts_long_texts(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    name = await keepsake.sign_in()
    async with signed_in(shared_gateway.url, name) as client:
        await client.send("my pin is 4821")
        await client.http.post("/memories", json={"kind": "user", "text": "Plays the violin " + "very often " * 20})
    await page.reload()
    await expect(page.get_by_role("navigation", name="Threads").get_by_role("link", name="New thread")).to_be_visible()
    await page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Search everything")
    threads = palette.get_by_role("group", name="Threads")
    await expect(threads.get_by_role("option", name="New thread", exact=True)).to_be_visible()
    await palette.get_by_role("combobox").fill("violin")
    memory = palette.get_by_role("option", name="Plays the violin")
    await expect(memory).to_be_visible()
    text_end, padding = await memory.evaluate(
        """item => {
            const { right } = item.querySelector(".palette-text").getBoundingClientRect();
            const gap = item.getBoundingClientRect().right - right;
            return [gap, parseFloat(getComputedStyle(item).paddingInlineEnd)];
        }"""
    )
    assert text_end > padding - 1 > 0


async def test_the_start_page_opens_at_its_top(shared_gateway: RunningGateway, open_page: OpenPage) -> None:
    keepsake = await open_page(shared_gateway, ViewportSize(width=340, height=680))
    page = keepsake.page
    await keepsake.sign_in()
    await expect(page.get_by_role("list", name="Examples").get_by_role("button")).to_have_count(3)
    viewport = page.get_by_role("region", name="Messages", exact=True)
    assert await viewport.evaluate("region => region.scrollHeight > region.clientHeight && region.scrollTop === 0")
    await keepsake.send("I live in Oslo. " * 40)
    await expect(keepsake.latest_answer).to_be_in_viewport()


async def test_the_skip_link_leads_to_the_main_content(shared_gateway: RunningGateway, open_page: OpenPage) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await page.goto(f"{shared_gateway.url}/settings")
    await expect(page.get_by_role("heading", name="Appearance")).to_be_visible()
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Skip to the main content")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("main")).to_be_focused()


async def test_the_focus_stays_in_the_list_when_a_memory_is_deleted(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await keepsake.open_memory()
    for text in ("Plays the violin", "Has two cats"):
        await keepsake.add_memory(text)
    await page.get_by_role("button", name="Delete “Has two cats”").press("Enter")
    await expect(keepsake.memories).to_have_count(1)
    assert await page.evaluate("document.activeElement.closest('[aria-label=Memories]') !== null")


async def test_a_thread_can_be_saved_as_markdown(shared_gateway: RunningGateway, open_page: OpenPage) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await keepsake.send("I keep bees.")
    await page.get_by_role("link", name="I keep bees.").hover()
    async with page.expect_download() as downloaded:
        await keepsake.choose_for_thread("I keep bees.", "Export as Markdown")
    file = await downloaded.value
    assert file.suggested_filename == "I keep bees.md"
    assert (await file.path()).read_text(encoding="utf-8").startswith("# I keep bees.\n\n**You** · ")


async def test_users_are_greeted_by_name_with_questions_in_their_own_words(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    name = await keepsake.sign_in()
    await expect(page.get_by_role("heading", name=f"Hello, {name}.")).to_be_visible()
    await keepsake.send("I live in Oslo.")
    await keepsake.open_memory()
    await keepsake.save_memories()
    await keepsake.open_new_thread()
    suggestions = page.get_by_role("list", name="Examples")
    await expect(suggestions.get_by_role("button", name="I live in Oslo")).to_be_visible()


@pytest.mark.parametrize(
    ("scheme", "size", "direction"), [("light", WIDE, "ltr"), ("dark", PHONE, "ltr"), ("light", PHONE, "rtl")]
)
async def test_every_view_is_accessible_and_fits(
    shared_gateway: RunningGateway,
    open_page: OpenPage,
    scheme: Literal["light", "dark"],
    size: ViewportSize,
    direction: str,
) -> None:
    keepsake = await open_page(shared_gateway, size)
    page = keepsake.page
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await page.goto(shared_gateway.url)
    await expect(page.get_by_label("Your name")).to_be_visible()
    found = {"sign-in": await accessibility_violations(page)}
    await keepsake.sign_in()

    async def check(name: str) -> None:
        await page.evaluate("direction => { document.documentElement.dir = direction }", direction)
        found[name] = await accessibility_violations(page)
        if await keepsake.overflows_horizontally():
            found[name].append("the page is wider than the window")

    await check("home")
    await keepsake.send("I live in Oslo. I am allergic to peanuts.")
    await check("chat")
    await keepsake.open_memory()
    await keepsake.save_memories()
    await check("memory panel")
    for path in ("/memory", "/memory?q=food", "/memory?view=timeline", "/settings"):
        await page.goto(f"{shared_gateway.url}{path}")
        await expect(page.get_by_role("heading", level=2).first).to_be_visible()
        await check(path)
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("option").first).to_be_visible()
    await check("palette")
    await page.keyboard.press("Escape")
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog")).to_be_visible()
    await check("shortcuts")
    assert {name: violations for name, violations in found.items() if violations} == {}
