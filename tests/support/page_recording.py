"""A short recording of the page as an animated picture."""

import asyncio
import io
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image
from playwright.async_api import Page, expect

from support.page_demo import QUESTION

NOTE = "I am learning to play the cello."


@dataclass
class Recording:
    """Frames of a page with their durations, which are those of the picture and not of the test machine."""

    page: Page
    frames: list[Image.Image] = field(default_factory=list)
    durations_ms: list[int] = field(default_factory=list)

    async def show(self, milliseconds: int) -> None:
        """Add the page as it is now; an unchanged page extends the last frame."""
        frame = Image.open(io.BytesIO(await self.page.screenshot())).convert("RGB")
        if self.frames and self.frames[-1].tobytes() == frame.tobytes():
            self.durations_ms[-1] += milliseconds
            return
        self.frames.append(frame)
        self.durations_ms.append(milliseconds)

    async def type(self, text: str) -> None:
        """Write a message, a few characters per frame."""
        field_ = self.page.get_by_label("Message", exact=True)
        for end in range(4, len(text) + 4, 4):
            await field_.fill(text[:end])
            await self.show(80)

    async def follow_answer(self, end: str) -> None:
        """Show an answer while it is written, until it contains its end."""
        answer = self.page.get_by_test_id("answer").last
        while end not in await answer.inner_text():
            await self.show(120)
            await asyncio.sleep(0.1)
        await expect(answer).to_have_attribute("aria-busy", "false")

    def save(self, path: Path) -> None:
        """Write an animated WebP that repeats."""
        first, *others = self.frames
        first.save(path, save_all=True, append_images=others, duration=self.durations_ms, loop=0, quality=62, method=4)


async def record(page: Page, path: Path) -> None:
    """Say something, save it, ask about it in a new thread, and look at what is known."""
    recording = Recording(page)
    await recording.show(800)
    await recording.type(NOTE)
    await page.keyboard.press("Enter")
    await recording.follow_answer("remember that.")
    await recording.show(1_000)
    await page.get_by_role("button", name="Memory", exact=True).click()
    await page.get_by_role("button", name="Save now").click()
    await expect(page.get_by_test_id("toast")).to_be_visible()
    await recording.show(2_500)
    await page.get_by_role("button", name="Close memory").click()
    await page.get_by_role("link", name="New thread").click()
    await recording.type(QUESTION)
    await page.keyboard.press("Enter")
    await recording.follow_answer("God tur!")
    await recording.show(2_500)
    await page.get_by_role("button", name="Memory", exact=True).click()
    await page.get_by_role("link", name="Open page").click()
    await expect(page.get_by_test_id("memory").first).to_be_visible()
    await recording.show(2_000)
    await page.get_by_label("What would come to mind for").fill("music")
    await expect(page.get_by_role("heading", name="Closest first")).to_be_visible()
    await expect(page.get_by_test_id("memory").first).to_contain_text("cello")
    await recording.show(3_000)
    recording.save(path)
