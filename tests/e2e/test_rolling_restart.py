"""A gateway that is replaced while its page shows an answer, in a real browser."""

import re
import signal
import uuid
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from playwright.async_api import expect

from e2e.conftest import OpenPage
from support.client import ApiClient, StreamedReply, new_thread, signed_in
from support.installation import Installation, address_of, terminate
from support.scripted_openai import ScriptedOpenAI

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

ANSWER = "One two three four."


async def _start_answer(client: ApiClient, thread: str) -> None:
    """Send a message and leave when the answer has begun."""
    async for event in client.stream(StreamedReply(), "Count.", thread=thread):
        if event == "token":
            break


async def _wait_until_refused(url: str) -> None:
    """Wait until a gateway accepts no connections any more."""
    with suppress(httpx.ConnectError):
        while True:
            async with httpx.AsyncClient() as client:
                await client.get(f"{url}/healthz")


async def test_an_answer_of_another_gateway_continues_when_that_of_the_page_is_replaced(
    work_dir: Path, database: str, model: ScriptedOpenAI, open_page: OpenPage
) -> None:
    installation, user, thread = Installation(work_dir, database, model), f"user-{uuid.uuid4()}", new_thread()
    model.script.reply = lambda _: ANSWER
    model.script.hold_after_tokens = 2
    with installation.serve() as running, model.script.chat_gate.closed():
        async with signed_in(address_of(running), user) as client:
            await _start_answer(client, thread)
        with installation.serve() as replaced:
            url = address_of(replaced)
            keepsake = (await open_page(url)).expect_lost_connections()
            page = keepsake.page
            await keepsake.sign_in(user)
            await page.get_by_role("link", name="Count.").click()
            await expect(keepsake.latest_answer).to_contain_text("One")
            assert await terminate(replaced) == 0
        with installation.serve(port=int(url.rpartition(":")[2])) as replacement:
            async with page.expect_response(re.compile(rf"{thread}/stream$")) as rejoined:
                address_of(replacement)
            assert "last-event-id" in await (await rejoined.value).request.all_headers()
            model.script.chat_gate.open()
            await keepsake.wait_for_answer()
            for _ in ("live", "after a reload"):
                await expect(page.get_by_test_id("answer")).to_have_count(1)
                await expect(keepsake.latest_answer.get_by_text(ANSWER, exact=True)).to_be_visible()
                await expect(page.get_by_role("alert")).to_have_count(0)
                await page.reload()


async def test_an_answer_ends_at_the_gateway_that_stops(
    work_dir: Path, database: str, model: ScriptedOpenAI, open_page: OpenPage
) -> None:
    installation = Installation(work_dir, database, model)
    model.script.reply = lambda _: ANSWER
    model.script.hold_after_tokens = 2
    with installation.serve() as server, model.script.chat_gate.closed():
        keepsake = (await open_page(address_of(server))).expect_lost_connections()
        await keepsake.sign_in()
        await keepsake.submit("Count.")
        await expect(keepsake.latest_answer).to_contain_text("One")
        server.process.send_signal(signal.SIGTERM)
        await _wait_until_refused(keepsake.url)
        model.script.chat_gate.open()
        await keepsake.wait_for_answer()
        await expect(keepsake.latest_answer.get_by_text(ANSWER, exact=True)).to_be_visible()
        await expect(keepsake.page.get_by_test_id("answer")).to_have_count(1)
