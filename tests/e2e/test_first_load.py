"""The weight of the page's first load."""

import gzip
from pathlib import Path

import pytest
from playwright.async_api import expect

from e2e.conftest import OpenPage
from support.gateway import RunningGateway

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

DIST = Path(__file__).parents[2] / "apps" / "web" / "dist"
MAX_BYTES = 200_000


async def test_the_empty_chat_loads_at_most_200_kilobytes_of_code(
    shared_gateway: RunningGateway, open_page: OpenPage
) -> None:
    keepsake = await open_page(shared_gateway)
    await keepsake.sign_in()
    keepsake.requests.clear()
    await keepsake.page.reload()
    await expect(keepsake.page.get_by_role("button", name="remember about me")).to_be_visible()
    files = {url.removeprefix(f"{keepsake.url}/") for url in keepsake.requests if url.endswith((".js", ".css"))}
    sizes = {name: len(gzip.compress((DIST / name).read_bytes(), 9)) for name in (*files, "index.html")}
    assert len(sizes) > 3
    assert sum(sizes.values()) <= MAX_BYTES, "\n".join(f"{size:7} {name}" for name, size in sorted(sizes.items()))
