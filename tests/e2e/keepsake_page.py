"""Page object for the web page."""

import re
import uuid
from typing import Self

from playwright.async_api import ConsoleMessage, Locator, Page, Request, expect

# Chromium also reports violations of the content security policy as console errors.
PROBLEM_LEVELS = {"error", "warning"}
FAILED_REQUEST = re.compile(r"the server responded with a status of (\d+)")


class KeepsakePage:
    """A browser page; records console problems and all requests."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.console_problems: list[str] = []
        self.requests: list[str] = []
        self._expected_statuses: set[int] = set()
        self._connections_may_fail = False
        page.on("console", self._record_console)
        page.on("pageerror", lambda error: self.console_problems.append(str(error)))
        page.on("request", self._record_request)

    def expect_status(self, status: int) -> Self:
        """Ignore console errors about responses with this status."""
        self._expected_statuses.add(status)
        return self

    def expect_lost_connections(self) -> Self:
        """Ignore console errors about requests without a response."""
        self._connections_may_fail = True
        return self

    @property
    def external_requests(self) -> list[str]:
        """URLs outside the gateway that the page requested."""
        return [url for url in self.requests if not url.startswith(f"{self.url}/")]

    @property
    def message_input(self) -> Locator:
        return self.page.get_by_label("Message", exact=True)

    @property
    def latest_answer(self) -> Locator:
        return self.page.get_by_test_id("answer").last

    @property
    def memories(self) -> Locator:
        return self.page.get_by_test_id("memory")

    async def sign_in(self, name: str | None = None) -> str:
        """Sign in and return the name; by default as a new user."""
        name = name or f"user-{uuid.uuid4()}"
        await self.page.goto(self.url)
        await self.page.get_by_label("Your name").fill(name)
        await self.page.get_by_role("button", name="Sign in").click()
        await expect(self.message_input).to_be_visible()
        return name

    async def submit(self, text: str) -> None:
        """Send a message without waiting for the answer."""
        await self.message_input.fill(text)
        await self.message_input.press("Enter")
        await expect(self.page.get_by_test_id("question").last).to_have_text(text)

    async def send(self, text: str) -> None:
        """Send a message and wait until the answer is complete."""
        await self.submit(text)
        await self.wait_for_answer()

    async def wait_for_answer(self) -> None:
        await expect(self.page.get_by_role("button", name="Send")).to_be_visible(timeout=20_000)
        await expect(self.latest_answer).to_have_attribute("aria-busy", "false")

    async def open_new_thread(self) -> None:
        await self.page.get_by_role("link", name="New thread").click()
        await expect(self.page.get_by_test_id("answer")).to_have_count(0)

    async def open_memory(self) -> None:
        await self.page.get_by_role("button", name="Memory", exact=True).click()
        await expect(self.page.get_by_test_id("memory-panel")).to_be_visible()

    async def choose_for_thread(self, title: str, action: str) -> None:
        """Choose an action in the menu of a listed thread."""
        await self.page.get_by_role("link", name=title).hover()
        await self.page.get_by_role("button", name=f"Actions for “{title}").click()
        await self.page.get_by_role("menuitem", name=action, exact=True).click()

    async def add_memory(self, text: str) -> None:
        await self.page.get_by_role("button", name="Add a memory").click()
        await self.page.get_by_label("New memory").fill(text)
        await self.page.get_by_role("button", name="Add", exact=True).click()
        await expect(self.memories.first).to_contain_text(text)

    async def save_memories(self) -> None:
        """Form memories from the pending messages and wait for the result."""
        await self.page.get_by_role("button", name="Save now").click()
        result = re.compile(r"^(Saved: |Nothing new to save)")
        await expect(self.page.get_by_test_id("toast").filter(has_text=result)).to_be_visible()

    async def overflows_horizontally(self) -> bool:
        return bool(
            await self.page.evaluate("document.scrollingElement.scrollWidth > document.documentElement.clientWidth")
        )

    def _record_console(self, message: ConsoleMessage) -> None:
        if self._connections_may_fail and "net::ERR_" in message.text:
            return
        failed = FAILED_REQUEST.search(message.text)
        if message.type in PROBLEM_LEVELS and not (failed and int(failed[1]) in self._expected_statuses):
            self.console_problems.append(message.text)

    def _record_request(self, request: Request) -> None:
        if not request.url.startswith(("data:", "blob:")):
            self.requests.append(request.url)
