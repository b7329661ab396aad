"""A real browser."""

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from playwright.async_api import Browser, ViewportSize, async_playwright

from e2e.visitor import Visitor
from support.gateway import RunningGateway

ARGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

Visit = Callable[..., Awaitable[Visitor]]


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """Chromium with an empty profile."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGS)
        yield browser
        await browser.close()


@pytest.fixture
async def visit(browser: Browser) -> AsyncIterator[Visit]:
    """Opens a window on a gateway; at the end the page must have kept to itself, and complained of nothing."""
    async with AsyncExitStack() as windows:

        async def open_window(gateway: RunningGateway, viewport: ViewportSize | None = None) -> Visitor:
            return await windows.enter_async_context(_window(browser, gateway, viewport))

        yield open_window


@asynccontextmanager
async def _window(browser: Browser, gateway: RunningGateway, viewport: ViewportSize | None) -> AsyncIterator[Visitor]:
    size = viewport or ViewportSize(width=1360, height=860)
    context = await browser.new_context(viewport=size)
    visitor = Visitor(await context.new_page(), gateway.url)
    yield visitor
    await context.close()
    assert visitor.complaints == []
    assert visitor.strangers == []
