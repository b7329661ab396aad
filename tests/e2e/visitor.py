"""Somebody in front of the page."""

import re
import uuid
from typing import Self

from playwright.async_api import ConsoleMessage, Locator, Page, Request, expect

# Chromium also writes a violated content security policy to the console, as an error.
COMPLAINTS = {"error", "warning"}
REFUSED = re.compile(r"the server responded with a status of (\d+)")


class Visitor:
    """A user with a browser window, who notices whatever the page should not do."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._expected: set[int] = set()
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._watch)

    def expect_status(self, status: int) -> Self:
        """Let the browser report that the gateway refused something with this status."""
        self._expected.add(status)
        return self

    @property
    def strangers(self) -> list[str]:
        """What was requested from anybody but the gateway."""
        return [url for url in self.requests if not url.startswith(f"{self.url}/")]

    @property
    def message(self) -> Locator:
        return self.page.get_by_label("Message", exact=True)

    @property
    def answer(self) -> Locator:
        """The latest answer."""
        return self.page.get_by_test_id("answer").last

    @property
    def memories(self) -> Locator:
        return self.page.get_by_test_id("memory")

    async def sign_in(self, name: str | None = None) -> str:
        """Sign in, as somebody new unless told; returns the name."""
        name = name or f"user-{uuid.uuid4()}"
        await self.page.goto(self.url)
        await self.page.get_by_label("Your name").fill(name)
        await self.page.get_by_role("button", name="Sign in").click()
        await expect(self.message).to_be_visible()
        return name

    async def send(self, text: str) -> None:
        await self.message.fill(text)
        await self.message.press("Enter")
        await expect(self.page.get_by_test_id("question").last).to_have_text(text)

    async def say(self, text: str) -> None:
        """Send a message, and wait for the end of its answer."""
        await self.send(text)
        await self.hear_out()

    async def hear_out(self) -> None:
        await expect(self.page.get_by_role("button", name="Send")).to_be_visible(timeout=20_000)
        await expect(self.answer).to_have_attribute("aria-busy", "false")

    async def begin_thread(self) -> None:
        await self.page.get_by_role("link", name="New thread").click()
        await expect(self.page.get_by_test_id("answer")).to_have_count(0)

    async def open_memory(self) -> None:
        await self.page.get_by_role("button", name="Memory", exact=True).click()
        await expect(self.page.get_by_test_id("memory-panel")).to_be_visible()

    async def add_memory(self, text: str) -> None:
        await self.page.get_by_role("button", name="Add a memory").click()
        await self.page.get_by_label("New memory").fill(text)
        await self.page.get_by_role("button", name="Add", exact=True).click()
        await expect(self.memories.first).to_contain_text(text)

    async def distil(self) -> None:
        await self.page.get_by_role("button", name="Distil now").click()
        await expect(self.page.get_by_role("status").filter(has_text="istil")).to_be_visible()

    async def scrolls_sideways(self) -> bool:
        return bool(
            await self.page.evaluate("document.scrollingElement.scrollWidth > document.documentElement.clientWidth")
        )

    def _listen(self, message: ConsoleMessage) -> None:
        refused = REFUSED.search(message.text)
        if message.type in COMPLAINTS and not (refused and int(refused[1]) in self._expected):
            self.complaints.append(message.text)

    def _watch(self, request: Request) -> None:
        if not request.url.startswith(("data:", "blob:")):
            self.requests.append(request.url)
