"""Measure the weight and speed of the page in Chromium; see README.md.

The gateway, the model and the browser share the machine's cores. Frame times and long tasks therefore also contain what
the other processes take; repeat on an idle machine.
"""

import asyncio
import gzip
import json
import statistics
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, CDPSession, Page, expect

from support.browser import chromium
from support.client import signed_in
from support.page_demo import NAME, add_memories, demo_gateway, sign_in
from support.scripted_openai import ScriptedOpenAI

DIST = Path(__file__).parents[1] / "apps" / "web" / "dist"
MEMORIES = 5_000
TOKENS = 2_000
TOKENS_PER_SECOND = 200
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
"""Slow 4G as in Lighthouse: 1.6 Mbit/s, 150 ms round trip."""
ROUNDS = 5

PAINT = """() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"""
OBSERVE_TASKS = """() => {
    window.longTasks = [];
    new PerformanceObserver(list => window.longTasks.push(...list.getEntries().map(({duration}) => duration)))
      .observe({entryTypes: ['longtask']});
}"""
SCROLL = """async () => {
    const list = document.querySelector('.memories-scroll, .memory-page');
    const frames = [];
    let last = performance.now();
    for (let frame = 0; frame < 240; frame++) {
        list.scrollBy(0, 90);
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        frames.push(now - last);
        last = now;
    }
    return {frames, items: document.querySelectorAll('[data-testid=memory]').length};
}"""


def _gzipped_bytes(path: str) -> int:
    return len(gzip.compress((DIST / path.lstrip("/")).read_bytes(), 9))


async def _measure_weight(browser: Browser, url: str) -> dict[str, float]:
    """Sizes in kB of what the browser requests until the empty chat is shown."""
    context = await browser.new_context()
    page = await sign_in(context, url)
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url.removeprefix(url)))
    await page.reload()
    await expect(page.get_by_label("Message", exact=True)).to_be_visible()
    await expect(page.get_by_role("button", name="remember about me")).to_be_visible()
    await context.close()
    code = {path for path in requested if path.endswith((".js", ".css"))}
    fonts = {path for path in requested if path.endswith(".woff2")}
    return {
        "scripts_and_styles_gzip_kb": round((sum(map(_gzipped_bytes, code)) + _gzipped_bytes("index.html")) / 1e3, 1),
        "fonts_kb": round(sum((DIST / path.lstrip("/")).stat().st_size for path in fonts) / 1e3, 1),
    }


async def _throttle(page: Page) -> CDPSession:
    session = await page.context.new_cdp_session(page)
    await session.send("Network.enable")
    await session.send("Network.emulateNetworkConditions", NETWORK)
    return session


async def _measure_paint(browser: Browser, url: str) -> dict[str, Any]:
    """First contentful paint in seconds with an empty cache and a slow network."""
    paints = []
    for _ in range(ROUNDS):
        context = await browser.new_context()
        page = await context.new_page()
        await _throttle(page)
        await page.goto(url)
        await expect(page.get_by_label("Your name")).to_be_visible(timeout=60_000)
        paints.append(round(await page.evaluate(PAINT) / 1e3, 2))
        await context.close()
    return {"first_contentful_paint_s": statistics.median(paints), "rounds_s": paints}


async def _measure_streaming(browser: Browser, url: str) -> dict[str, Any]:
    """Tasks of 50 ms or more on the main thread while an answer streams."""
    context = await browser.new_context()
    page = await sign_in(context, url)
    await page.evaluate(OBSERVE_TASKS)
    await page.get_by_label("Message", exact=True).fill("Tell me a long story.")
    await page.keyboard.press("Enter")
    await expect(page.get_by_test_id("answer").last).to_contain_text("The end.", timeout=120_000)
    tasks = [round(task) for task in await page.evaluate("window.longTasks")]
    await context.close()
    return {"tokens": TOKENS, "tokens_per_second": TOKENS_PER_SECOND, "long_tasks_ms": tasks}


async def _measure_scrolling(browser: Browser, url: str) -> dict[str, Any]:
    """Frame times while the memory page with 5,000 memories is scrolled and loads more of them."""
    async with signed_in(url, NAME) as ada:
        await add_memories(ada, MEMORIES)
    context = await browser.new_context()
    page = await sign_in(context, url, "/memory")
    await expect(page.get_by_test_id("memory").first).to_be_visible(timeout=60_000)
    result = await page.evaluate(SCROLL)
    await context.close()
    frames = sorted(result["frames"])
    return {
        "memories": MEMORIES,
        "loaded": result["items"],
        "frame_p50_ms": round(statistics.median(frames), 1),
        "frame_p95_ms": round(frames[int(len(frames) * 0.95)], 1),
    }


async def main() -> None:
    """Print the figures as JSON."""
    with ScriptedOpenAI() as model, demo_gateway(model) as gateway:
        model.script.reply = lambda _: (
            " ".join(["Once upon a time there was a tide pool."] * (TOKENS // 9)) + " The end."
        )
        model.script.token_delay_seconds = 1 / TOKENS_PER_SECOND
        async with chromium() as browser:
            figures = await _measure_weight(browser, gateway.url)
            figures |= await _measure_paint(browser, gateway.url)
            figures |= await _measure_streaming(browser, gateway.url)
            figures |= await _measure_scrolling(browser, gateway.url)
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    asyncio.run(main())
