"""Sign-in of the page with a real OpenID provider, whose token endpoint is on another host."""

import re
from collections.abc import Iterator

import pytest
from jose import jwt
from playwright.async_api import Browser, ConsoleMessage, Page, expect

from conftest import Databases, make_settings
from gateway.settings import GatewaySettings
from support.gateway import RunningGateway
from support.oidc_provider import Provider, running_provider

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

API = "https://keepsake.example/ES256"


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture
def gateway(provider: Provider, databases: Databases) -> Iterator[RunningGateway]:
    settings = GatewaySettings(
        _env_file=None,
        oidc_issuer=provider.issuer,
        oidc_audience=API,
        oidc_client_id="page",
        oidc_clients=("page",),
    )
    with RunningGateway(make_settings(databases.create("minilm")), settings) as gateway:
        yield gateway


async def test_the_page_exchanges_an_access_token_for_the_api_for_a_session(
    gateway: RunningGateway, browser: Browser
) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    problems: list[str] = []

    def record(message: ConsoleMessage) -> None:
        if message.type == "error" and page.url.startswith(gateway.url):
            problems.append(message.text)

    page.on("console", record)
    # The provider's own pages load fonts from another host.
    await page.route(re.compile(r"^https:"), lambda route: route.abort())
    await page.goto(gateway.url)
    await _sign_in(page, "ada")
    async with page.expect_request(lambda request: request.url == f"{gateway.url}/session") as to_api:
        await page.locator("[type=submit]").click()

    token = (await to_api.value).headers["authorization"].removeprefix("Bearer ")
    assert jwt.get_unverified_header(token)["typ"] == "at+jwt"
    claims = jwt.get_unverified_claims(token)
    assert (claims["aud"], claims["client_id"], claims["sub"]) == (API, "page", "ada")
    await expect(page.get_by_label("Message", exact=True)).to_be_visible()
    second = await context.new_page()
    async with second.expect_request(f"{gateway.url}/me") as with_cookie:
        await second.goto(gateway.url)
    assert "authorization" not in (await with_cookie.value).headers
    await expect(second.get_by_label("Message", exact=True)).to_be_visible()
    assert problems == []
    await context.close()


async def test_a_namesake_gets_neither_the_draft_nor_the_waiting_message_of_an_expired_session(
    gateway: RunningGateway, browser: Browser
) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    message = page.get_by_label("Message", exact=True)
    waiting = page.get_by_test_id("outgoing")
    await page.route(re.compile(r"^https:"), lambda route: route.abort())
    await page.goto(gateway.url)
    await _sign_in(page, "ada")
    await page.locator("[type=submit]").click()
    await expect(message).to_be_visible()
    await context.set_offline(True)
    await message.fill("I play the violin.")
    await message.press("Enter")
    await expect(waiting).to_be_visible()
    await message.fill("Half a sentence")
    thread = page.url
    await context.clear_cookies()
    await context.set_offline(False)

    await _sign_in(page, "ben")
    await page.locator("[type=submit]").click()
    await expect(message).to_be_visible()
    await expect(page.get_by_test_id("user")).to_have_text("Ada")
    await page.goto(thread)
    await expect(message).to_have_value("")
    await expect(waiting).to_have_count(0)
    await expect(page.get_by_test_id("question")).to_have_count(0)
    await context.close()


async def _sign_in(page: Page, user: str) -> None:
    """Sign in at the provider, up to its question for consent."""
    await page.get_by_role("button", name="Sign in").click()
    await page.locator("[name=login]").fill(user)
    await page.locator("[name=password]").fill("x")
    await page.locator("[type=submit]").click()
