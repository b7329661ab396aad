"""Pictures of the page: `python -m support.page_pictures` writes `docs/pictures`."""

import asyncio
import io
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.async_api import Browser, FilePayload, Page, ViewportSize, expect

from support.browser import chromium
from support.foreign_exports import CHATGPT
from support.page_demo import QUESTION, answer, demo_gateway, sign_in, tell_about_ada
from support.page_recording import record
from support.scripted_openai import ScriptedOpenAI

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SIZES = {390: 844, 768: 1024, 1440: 900}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

Scene = Callable[[Page, str], Awaitable[object]]


async def _home(page: Page, _: str) -> None:
    await expect(page.get_by_role("button", name="remember about me")).to_be_visible()


async def _chat(page: Page, _: str) -> None:
    await page.get_by_label("Message", exact=True).fill(QUESTION)
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("answer").last).to_contain_text("God tur", timeout=30_000)
    await expect(page.get_by_test_id("answer").last).to_have_attribute("aria-busy", "false")


async def _branches(page: Page, _: str) -> None:
    await page.get_by_role("button", name="Answer again").last.click()
    await expect(page.get_by_test_id("branches")).to_contain_text("2 / 2")
    await expect(page.get_by_test_id("answer").last).to_contain_text("God tur", timeout=30_000)
    await expect(page.get_by_test_id("answer").last).to_have_attribute("aria-busy", "false")
    await page.get_by_role("button", name="Bad answer").last.click()
    await expect(page.get_by_test_id("rating-reason")).to_be_visible()


async def _import(page: Page, url: str) -> None:
    await page.goto(f"{url}/memory")
    await page.get_by_role("button", name="More actions").click()
    await page.get_by_role("menuitem", name="Import").click()
    export = json.dumps(CHATGPT).encode()
    file = FilePayload(name="conversations.json", mimeType="application/json", buffer=export)
    await page.get_by_label("File", exact=True).set_input_files(file)
    await expect(page.get_by_test_id("preview")).to_be_visible()


async def _panel(page: Page, _: str) -> None:
    await page.get_by_role("button", name="Memory", exact=True).click()
    await expect(page.get_by_test_id("memory").first).to_be_visible()


async def _memory(page: Page, url: str) -> None:
    await page.goto(f"{url}/memory")
    await expect(page.get_by_test_id("memory").first).to_be_visible()


async def _search(page: Page, url: str) -> None:
    await page.goto(f"{url}/memory?q=holidays")
    await expect(page.get_by_test_id("memory").first).to_be_visible()


async def _timeline(page: Page, url: str) -> None:
    await page.goto(f"{url}/memory?view=timeline")
    await expect(page.get_by_role("region", name="This week")).to_be_visible()


async def _settings(page: Page, url: str) -> None:
    await page.goto(f"{url}/settings")
    await expect(page.get_by_role("heading", name="Other apps")).to_be_visible()


async def _palette(page: Page, url: str) -> None:
    await page.goto(url)
    await _home(page, url)
    await page.keyboard.press("Control+k")
    await page.get_by_role("combobox").fill("sea")
    await expect(page.get_by_role("option").last).to_be_visible()


SCENES: dict[str, Scene] = {
    "home": _home,
    "chat": _chat,
    "branches": _branches,
    "panel": _panel,
    "memory": _memory,
    "search": _search,
    "timeline": _timeline,
    "import": _import,
    "settings": _settings,
    "palette": _palette,
}


async def _take_pictures(browser: Browser, url: str) -> None:
    for scheme in SCHEMES:
        for width, height in SIZES.items():
            viewport = ViewportSize(width=width, height=height)
            context = await browser.new_context(viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
            page = await sign_in(context, url)
            for name, scene in SCENES.items():
                await scene(page, url)
                await page.evaluate("document.fonts.ready")
                _save(await page.screenshot(), FOLDER / f"{name}-{scheme}-{width}.webp")
            await context.close()


def _save(screenshot: bytes, path: Path) -> None:
    Image.open(io.BytesIO(screenshot)).convert("RGB").save(path, quality=82, method=6)


async def _main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with ScriptedOpenAI() as model, demo_gateway(model) as gateway:
        model.script.reply = answer
        await tell_about_ada(gateway.url)
        async with chromium() as browser:
            await _take_pictures(browser, gateway.url)
            context = await browser.new_context(viewport=ViewportSize(width=1040, height=680), color_scheme="light")
            model.script.token_delay_seconds = 0.03
            await record(await sign_in(context, gateway.url), FOLDER / "keepsake.webp")
            await context.close()


if __name__ == "__main__":
    asyncio.run(_main())
