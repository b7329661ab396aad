"""The settings in a real browser: language, colours, keys for other apps, sign-out and erasure."""

import json
from http import HTTPStatus

import httpx
import pytest
from playwright.async_api import Page, expect

from e2e.axe import accessibility_violations
from e2e.conftest import OpenPage
from e2e.keepsake_page import KeepsakePage
from support.gateway import RunningGateway

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

CLIENTS = [
    "Claude Code",
    "Cursor",
    "VS Code",
    "Codex",
    "OpenAI SDK",
    "Open WebUI",
    "LibreChat",
    "Continue",
    "LangGraph",
    "curl",
]


async def _open_settings(keepsake: KeepsakePage) -> None:
    await keepsake.page.get_by_role("link", name="Settings").click()
    await expect(keepsake.page.get_by_role("heading", name="Settings")).to_be_visible()


async def _clipboard(page: Page) -> str:
    return str(await page.evaluate("navigator.clipboard.readText()"))


async def test_a_key_for_another_app_is_shown_once_works_and_can_be_revoked(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await keepsake.sign_in()
    await keepsake.open_memory()
    await keepsake.add_memory("Plays the violin")
    await _open_settings(keepsake)
    await expect(page.get_by_text("No keys yet.")).to_be_visible()
    await page.get_by_label("Name of the app").fill("Notebook")
    await page.get_by_role("button", name="Create a key").click()
    created = page.get_by_test_id("new-key")
    await expect(created).to_contain_text("ks_")
    await created.get_by_role("button", name="Copy").click()
    await expect(created.get_by_role("button", name="Copied")).to_be_visible()
    key = await _clipboard(page)
    async with httpx.AsyncClient(base_url=shared_gateway.url, headers={"Authorization": f"Bearer {key}"}) as app:
        memories = (await app.get("/memories")).raise_for_status().json()["items"]
        assert [memory["text"] for memory in memories] == ["Plays the violin"]

        await page.reload()
        await expect(page.get_by_role("listitem").filter(has_text="Notebook")).to_contain_text("last used")
        await expect(created).to_have_count(0)
        assert key not in await page.content()
        await page.get_by_role("button", name="Remove the key “Notebook”").click()
        await expect(page.get_by_text("No keys yet.")).to_be_visible()
        assert (await app.get("/memories")).status_code == HTTPStatus.UNAUTHORIZED


async def test_the_setup_of_each_app_names_this_server_and_can_be_copied(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await keepsake.sign_in()
    await _open_settings(keepsake)
    tabs = page.get_by_role("tab")
    await expect(tabs).to_have_text(CLIENTS)
    await tabs.first.focus()
    copied = {}
    for client in CLIENTS:
        await expect(page.get_by_role("tab", name=client, exact=True, selected=True)).to_be_focused()
        await page.get_by_role("tabpanel").get_by_role("button", name="Copy").click()
        copied[client] = await _clipboard(page)
        assert shared_gateway.url in copied[client]
        assert "KEY" in copied[client]
        await page.get_by_role("tab", name=client, exact=True).focus()
        await page.keyboard.press("ArrowRight")
    assert len(set(copied.values())) == len(CLIENTS)
    cursor = json.loads(copied["Cursor"])["mcpServers"]["keepsake"]
    assert cursor == {"url": f"{shared_gateway.url}/mcp", "headers": {"Authorization": "Bearer KEY"}}
    assert await accessibility_violations(page) == []


async def test_the_page_speaks_the_chosen_language_and_has_the_chosen_colours(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await _open_settings(keepsake)
    await page.get_by_label("Language").select_option("Deutsch")
    await expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
    await expect(page.locator("html")).to_have_attribute("lang", "de")
    await page.get_by_text("Dunkel", exact=True).click()
    await page.reload()
    await expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
    background = "getComputedStyle(document.documentElement).backgroundColor"
    assert await page.evaluate(background) == "rgb(25, 24, 22)"
    assert await accessibility_violations(page) == []

    await page.get_by_text("Wie das System", exact=True).click()
    assert await page.evaluate(background) != "rgb(25, 24, 22)"
    await page.get_by_label("Sprache").select_option("")
    await expect(page.get_by_role("heading", name="Settings")).to_be_visible()


async def test_signing_out_ends_the_session_in_all_tabs(shared_gateway: RunningGateway, open_page: OpenPage) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await keepsake.message_input.fill("Half a sentence")
    other = await page.context.new_page()
    await other.goto(shared_gateway.url)
    await expect(other.get_by_label("Message", exact=True)).to_be_visible()
    await _open_settings(keepsake)
    [session] = await page.context.cookies()
    await page.get_by_role("main").get_by_role("button", name="Sign out").click()
    for tab in (page, other):
        await expect(tab.get_by_label("Your name")).to_be_visible()
    assert await page.context.cookies() == []
    assert "Half a sentence" not in await page.evaluate("JSON.stringify(localStorage)")
    async with httpx.AsyncClient(base_url=shared_gateway.url) as stolen:
        cookie = {"Cookie": f"{session['name']}={session['value']}"}
        assert (await stolen.get("/memories", headers=cookie)).status_code == HTTPStatus.UNAUTHORIZED
    await page.reload()
    await expect(page.get_by_label("Your name")).to_be_visible()


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
