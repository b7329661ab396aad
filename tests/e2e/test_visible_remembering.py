"""What a message changed in memory, and the state of memory, in a real browser."""

from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from conftest import make_settings, model_settings
from e2e.axe import accessibility_violations
from e2e.conftest import OpenPage
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


@pytest.fixture
def prompt_gateway(database: str, model: ScriptedOpenAI) -> Iterator[RunningGateway]:
    """A gateway that forms memories at once."""
    with RunningGateway(make_settings(database, **model_settings(model, debounce_seconds=0.1))) as running:
        yield running


async def test_a_message_shows_what_was_remembered_and_changed_and_it_can_be_undone(
    prompt_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(prompt_gateway)
    page = keepsake.page
    chips = page.get_by_test_id("chips")
    await keepsake.sign_in()
    await keepsake.send("I live in Oslo.")
    await expect(chips.get_by_text("Remembered: Lives in Oslo")).to_be_visible(timeout=20_000)
    await keepsake.send("I moved to York.")
    changed = chips.get_by_role("listitem").filter(has_text="Changed: ")
    await expect(changed).to_contain_text("Lives in Oslo → Lives in York", timeout=20_000)
    await page.reload()
    await expect(changed).to_contain_text("York")

    await changed.get_by_role("button", name="Undo").click()
    await expect(changed).to_have_count(0)
    await expect(chips.get_by_role("button", name="Undo: Remembered: Lives in Oslo")).to_be_visible()
    await chips.get_by_role("button", name="Undo").click()
    await expect(chips).to_have_count(0)
    await page.reload()
    await expect(page.get_by_test_id("question")).to_have_count(2)
    await expect(chips).to_have_count(0)


async def test_a_message_is_marked_as_not_saved_until_what_it_says_is_remembered(
    prompt_gateway: RunningGateway, model: ScriptedOpenAI, open_page: OpenPage
) -> None:
    keepsake = await open_page(prompt_gateway)
    page = keepsake.page
    pending = page.get_by_test_id("pending-chip")
    await keepsake.sign_in()
    with model.script.structured_gate.closed():
        await keepsake.send("I live in Oslo.")
        await expect(pending).to_contain_text("Not saved yet")
        await page.reload()
        await expect(pending).to_contain_text("Not saved yet")
    await expect(page.get_by_test_id("chips")).to_contain_text("Remembered: Lives in Oslo", timeout=20_000)
    await expect(pending).to_have_count(0)


async def test_a_message_that_is_not_saved_yet_can_be_withdrawn_where_it_stands(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    pending = page.get_by_test_id("pending-chip")
    await keepsake.sign_in()
    await keepsake.send("I keep bees.")
    await keepsake.send("What is the capital of Peru?")  # states nothing that could be saved
    await keepsake.send("I play the cello.")
    await expect(pending.get_by_role("button")).to_have_count(2)
    assert await accessibility_violations(page) == []
    await pending.get_by_role("button", name="Withdraw “I keep bees.”").click()
    await expect(pending).to_have_count(1)
    await expect(page.get_by_test_id("toast")).to_contain_text("The message is not remembered.")
    await keepsake.open_memory()
    await keepsake.save_memories()
    await expect(pending).to_have_count(0)
    await expect(keepsake.memories.filter(has_text="cello").first).to_be_visible()
    await expect(keepsake.memories.filter(has_text="bees")).to_have_count(0)


async def test_memory_can_be_paused_beside_the_composer(shared_gateway: RunningGateway, open_page: OpenPage) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    state = page.get_by_test_id("memory-state")
    await keepsake.sign_in()
    await expect(state).to_have_text("Memory on")
    await state.click()
    await page.get_by_role("menuitem", name="Memory paused").click()
    await expect(state).to_have_text("Memory paused")
    await page.reload()
    await expect(state).to_have_text("Memory paused")
    await state.click()
    await page.get_by_role("menuitem", name="Temporary chat").click()
    await expect(page.get_by_test_id("temporary")).to_be_visible()
    await expect(state).to_have_text("Temporary chat")
    await state.click()
    await page.get_by_role("menuitem", name="Memory on Keepsake").click()
    await expect(page.get_by_test_id("temporary")).to_have_count(0)
    await expect(state).to_have_text("Memory on")


async def test_a_message_that_is_not_saved_yet_is_listed_and_can_be_withdrawn(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await keepsake.send("I keep bees.")
    await keepsake.send("I play the cello.")
    await keepsake.open_memory()
    await page.get_by_role("button", name="2 messages being remembered.").click()
    listed = page.get_by_test_id("pending")
    pending = listed.get_by_role("listitem")
    await expect(pending).to_have_count(2)
    assert await accessibility_violations(page) == []
    await listed.get_by_role("button", name="Withdraw “I keep bees.”").click()
    await expect(pending).to_have_count(1)
    await expect(page.get_by_test_id("toast")).to_contain_text("The message is not remembered.")
    await keepsake.save_memories()
    await expect(keepsake.memories.filter(has_text="cello").first).to_be_visible()
    await expect(keepsake.memories.filter(has_text="bees")).to_have_count(0)


async def test_the_switch_of_the_memory_panel_changes_the_state_beside_the_composer(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    state = page.get_by_test_id("memory-state")
    switch = page.get_by_role("switch")
    await keepsake.sign_in()
    await keepsake.open_memory()
    await switch.click()
    await expect(state).to_have_text("Memory paused")
    await state.click()
    await page.get_by_role("menuitem", name="Memory on Keepsake").click()
    await expect(switch).to_be_checked()
