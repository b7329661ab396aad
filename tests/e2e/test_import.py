"""Import of exports of other applications in a real browser."""

import json

import pytest
from playwright.async_api import FilePayload, expect

from e2e.axe import accessibility_violations
from e2e.conftest import OpenPage
from support.client import signed_in
from support.foreign_exports import CHATGPT
from support.gateway import RunningGateway

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


async def test_an_export_of_chatgpt_is_shown_before_it_is_imported(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    name = await keepsake.sign_in()
    await page.goto(f"{shared_gateway.url}/memory")
    await page.get_by_role("button", name="More actions").click()
    await page.get_by_role("menuitem", name="Import").click()
    file = FilePayload(name="conversations.json", mimeType="application/json", buffer=json.dumps(CHATGPT).encode())
    await page.get_by_label("File", exact=True).set_input_files(file)
    preview = page.get_by_test_id("preview")
    await expect(preview).to_contain_text("Recognised: ChatGPT")
    await expect(preview).to_contain_text("1 contains credentials and is left out.")
    await expect(preview.get_by_role("list", name="What would be imported")).to_contain_text("I live in Oslo.")
    assert await accessibility_violations(page) == []
    async with signed_in(shared_gateway.url, name) as client:
        assert (await client.http.get("/memories/inbox")).json()["items"] == []

    await page.get_by_role("dialog").get_by_role("button", name="Import").click()
    await expect(page.get_by_test_id("toast")).to_contain_text("imported")
    await keepsake.save_memories()
    oslo = keepsake.memories.filter(has_text="Lives in Oslo")
    await expect(oslo).to_contain_text("ChatGPT")
    await expect(oslo.get_by_role("link")).to_have_count(0)


async def test_a_memory_that_an_application_reported_can_be_confirmed(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    name = await keepsake.sign_in()
    line = json.dumps({"kind": "user", "text": "Has two cats", "reported_by": "Notebook"})
    async with signed_in(shared_gateway.url, name) as client:
        (await client.http.post("/memories/import", content=line)).raise_for_status()
        await keepsake.open_memory()
        await expect(keepsake.memories).to_contain_text("Reported by Notebook")
        assert await accessibility_violations(page) == []
        await page.get_by_role("button", name="Confirm “Has two cats”").click()
        await expect(keepsake.memories).not_to_contain_text("Notebook")
        assert [one["reported_by"] for one in await client.memories(kind="user")] == [None]


async def test_a_file_that_is_no_export_is_reported(shared_gateway: RunningGateway, open_page: OpenPage) -> None:
    keepsake = (await open_page(shared_gateway)).expect_status(422).expect_status(400)
    page = keepsake.page
    await keepsake.sign_in()
    await page.goto(f"{shared_gateway.url}/memory")
    await page.get_by_role("button", name="More actions").click()
    await page.get_by_role("menuitem", name="Import").click()
    file = FilePayload(name="notes.json", mimeType="application/json", buffer=b"Hello")
    await page.get_by_label("File", exact=True).set_input_files(file)
    await expect(page.get_by_role("dialog").get_by_role("alert")).to_be_visible()
    await expect(page.get_by_role("dialog").get_by_role("button", name="Import")).to_be_disabled()
