"""Chat, memory panel and thread list in a real browser."""

import pytest
from playwright.async_api import ViewportSize, expect

from e2e.conftest import OpenPage
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

ABOUT_ME = "For future chats: I live in London, my nickname is RS, and I like concise bullet answers."
QUESTION = "Where do I live and what's my nickname?"
PHONE = ViewportSize(width=360, height=780)


async def test_a_fact_is_recalled_in_the_next_thread_and_after_a_reload(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    name = await keepsake.sign_in()
    await keepsake.send(ABOUT_ME)

    await keepsake.open_new_thread()
    await keepsake.send(QUESTION)
    await expect(keepsake.latest_answer).to_contain_text("London")
    await expect(keepsake.latest_answer).to_contain_text("RS")
    await keepsake.latest_answer.get_by_text("1 memory used").click()
    await expect(keepsake.latest_answer.get_by_test_id("recalled").get_by_role("listitem").first).to_contain_text(
        "London"
    )

    await page.reload()
    await expect(page.get_by_test_id("user")).to_have_text(name)
    await expect(page.get_by_test_id("question")).to_have_text(QUESTION)
    await expect(keepsake.latest_answer).to_contain_text("London")
    await expect(keepsake.latest_answer.get_by_test_id("recalled")).to_be_visible()
    await page.get_by_role("link", name=ABOUT_ME[:20]).click()
    await expect(page.get_by_test_id("question")).to_have_text(ABOUT_ME)


async def test_a_memory_shows_its_quote_and_can_be_deleted(shared_gateway: RunningGateway, open_page: OpenPage) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await keepsake.send(ABOUT_ME)
    await keepsake.open_memory()
    await keepsake.save_memories()
    london = keepsake.memories.filter(has_text="London").first
    await expect(london.get_by_role("blockquote")).to_contain_text("I live in London")

    count = await keepsake.memories.count()
    await london.get_by_role("button", name="Delete").click()
    await expect(keepsake.memories).not_to_have_count(count)
    await page.reload()
    await keepsake.open_memory()
    await expect(keepsake.memories.filter(has_text="RS").first).to_be_visible()
    await expect(keepsake.memories.filter(has_text="I live in London")).to_have_count(0)


async def test_a_memory_can_be_added_edited_and_searched(shared_gateway: RunningGateway, open_page: OpenPage) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await keepsake.open_memory()
    for text in ("Plays the violin", "Is allergic to peanuts"):
        await keepsake.add_memory(text)

    await page.get_by_role("button", name="Edit “Plays the violin”").click()
    await page.get_by_label("Memory text").fill("Plays the cello")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(keepsake.memories.filter(has_text="Plays the cello")).to_have_count(1)
    await expect(keepsake.memories.filter(has_text="Plays the violin")).to_have_count(0)

    await page.get_by_label("Search memories").fill("peanuts")
    await expect(keepsake.memories.first).to_contain_text("peanuts")
    await page.get_by_label("Search memories").fill("")
    await page.get_by_text("Instructions", exact=True).click()
    await expect(page.get_by_text("No matching memories.")).to_be_visible()


async def test_a_thread_can_be_renamed_and_deleted(shared_gateway: RunningGateway, open_page: OpenPage) -> None:
    keepsake = await open_page(shared_gateway)
    page = keepsake.page
    await keepsake.sign_in()
    await keepsake.send("The first thing I say.")
    await keepsake.choose_for_thread("The first thing", "Rename")
    await page.get_by_label("Thread title").fill("Beginnings")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Beginnings")).to_be_visible()

    await page.reload()
    await keepsake.choose_for_thread("Beginnings", "Delete")
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_role("link", name="Beginnings")).to_have_count(0)
    await expect(page.get_by_test_id("question")).to_have_count(0)


async def test_the_page_fits_a_phone_screen(shared_gateway: RunningGateway, open_page: OpenPage) -> None:
    keepsake = await open_page(shared_gateway, PHONE)
    page = keepsake.page
    await page.goto(shared_gateway.url)
    await expect(page.get_by_label("Your name")).to_be_visible()
    assert not await keepsake.overflows_horizontally()

    await keepsake.sign_in()
    await keepsake.send(ABOUT_ME)
    assert not await keepsake.overflows_horizontally()

    await page.get_by_role("button", name="Threads").click()
    await expect(page.get_by_role("dialog", name="Threads")).to_be_visible()
    assert not await keepsake.overflows_horizontally()
    await page.get_by_role("link", name="New thread").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)

    await keepsake.open_memory()
    assert not await keepsake.overflows_horizontally()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_an_image_in_an_answer_is_shown_as_text_and_not_loaded(
    gateway: RunningGateway, model: ScriptedOpenAI, open_page: OpenPage
) -> None:
    model.script.reply = lambda _: (
        "Look: ![what I know](https://evil.example/pixel.png?about=you) <img src='https://evil.example/raw.png'> "
        "and [a link](https://elsewhere.example/) or [a trap](javascript:alert(1))."
    )
    keepsake = await open_page(gateway)
    await keepsake.sign_in()
    await keepsake.send("Show me.")
    await expect(keepsake.latest_answer).to_contain_text("what I know · https://evil.example/pixel.png?about=you")
    await expect(keepsake.latest_answer.locator("img")).to_have_count(0)
    links = keepsake.latest_answer.get_by_role("link")
    await expect(links).to_have_count(1)
    await expect(links).to_have_attribute("rel", "noopener noreferrer")
    await expect(links).to_have_attribute("target", "_blank")


async def test_an_answer_can_be_stopped_and_another_message_sent(
    gateway: RunningGateway, model: ScriptedOpenAI, open_page: OpenPage
) -> None:
    keepsake = await open_page(gateway)
    await keepsake.sign_in()
    model.script.reply = lambda _: "One two three four."
    model.script.hold_after_tokens = 2
    with model.script.chat_gate.closed():
        await keepsake.submit("Count.")
        await expect(keepsake.latest_answer).to_contain_text("One")
        await keepsake.page.get_by_role("button", name="Stop").click()
        await expect(keepsake.page.get_by_text("You stopped this answer.")).to_be_visible()
    await keepsake.send("Count again.")
    await expect(keepsake.latest_answer).to_contain_text("One two three four.")


async def test_a_failed_answer_can_be_retried(
    gateway: RunningGateway, model: ScriptedOpenAI, open_page: OpenPage
) -> None:
    keepsake = await open_page(gateway)
    page = keepsake.page
    await keepsake.sign_in()
    model.script.chat_status = 400
    await keepsake.submit("Hello?")
    await expect(page.get_by_role("alert")).to_be_visible(timeout=20_000)

    model.script.chat_status = 200
    model.script.reply = lambda _: "Here I am."
    await page.get_by_role("button", name="Try again").click()
    await keepsake.wait_for_answer()
    await expect(keepsake.latest_answer).to_contain_text("Here I am.")
    await expect(page.get_by_test_id("question")).to_have_count(1)
    await expect(page.get_by_role("alert")).to_have_count(0)


async def test_a_reload_during_an_answer_shows_the_complete_answer(
    gateway: RunningGateway, model: ScriptedOpenAI, open_page: OpenPage
) -> None:
    keepsake = await open_page(gateway)
    await keepsake.sign_in()
    model.script.reply = lambda _: "One two three four."
    model.script.hold_after_tokens = 2
    with model.script.chat_gate.closed():
        await keepsake.submit("Count.")
        await expect(keepsake.latest_answer).to_contain_text("One")
        await keepsake.page.reload()
        await expect(keepsake.page.get_by_test_id("question")).to_have_text("Count.")
        await expect(keepsake.latest_answer).to_contain_text("One")
    await keepsake.wait_for_answer()
    await expect(keepsake.latest_answer).to_contain_text("One two three four.")
    await expect(keepsake.page.get_by_test_id("answer")).to_have_count(1)


async def test_a_session_that_has_ended_returns_to_the_sign_in_form(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = (await open_page(shared_gateway)).expect_status(401)
    page = keepsake.page
    await keepsake.sign_in()
    await page.goto(f"{shared_gateway.url}/docs")  # the chat would notice the end of the session at once
    await page.context.clear_cookies()
    await page.goto(shared_gateway.url)
    await expect(page.get_by_test_id("sign-in-reason")).to_contain_text("sign in again")
    await expect(page.get_by_label("Your name")).to_be_visible()


async def test_the_reference_of_the_interface_works_without_another_host(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    page = (await open_page(shared_gateway)).page
    await page.goto(f"{shared_gateway.url}/docs")
    send_message = page.locator("#operations-chat-send_message")
    await send_message.locator(".opblock-summary-control").click()
    await expect(send_message.get_by_text("thread_busy").first).to_be_attached()
    await expect(send_message.get_by_role("button", name="Try it out")).to_be_visible()
