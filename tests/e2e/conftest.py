"""Fixtures for tests in a real browser."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from playwright.async_api import Browser, ViewportSize

from e2e.keepsake_page import KeepsakePage
from support.browser import chromium
from support.gateway import RunningGateway

OpenPage = Callable[..., Awaitable[KeepsakePage]]


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """Chromium with an empty profile."""
    async with chromium() as browser:
        yield browser


@pytest.fixture
async def open_page(browser: Browser) -> AsyncIterator[OpenPage]:
    """Open pages of a gateway, or of a URL; fails the test on console problems or requests to other servers."""
    async with AsyncExitStack() as pages:

        async def open_page(gateway: RunningGateway | str, viewport: ViewportSize | None = None) -> KeepsakePage:
            return await pages.enter_async_context(_checked_page(browser, gateway, viewport))

        yield open_page


@asynccontextmanager
async def _checked_page(
    browser: Browser, gateway: RunningGateway | str, viewport: ViewportSize | None
) -> AsyncIterator[KeepsakePage]:
    context = await browser.new_context(viewport=viewport or ViewportSize(width=1360, height=860))
    keepsake = KeepsakePage(await context.new_page(), gateway if isinstance(gateway, str) else gateway.url)
    yield keepsake
    await context.close()
    assert keepsake.console_problems == []
    assert keepsake.external_requests == []
