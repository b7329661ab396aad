"""Sign-in with the link that `keepsake serve` prints."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from conftest import Databases, make_settings
from e2e.conftest import OpenPage
from gateway.auth.sign_in_link import load_secret, sign_in_link
from gateway.settings import GatewaySettings
from support.gateway import RunningGateway

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


@pytest.fixture
def gateway(databases: Databases, tmp_path: Path) -> Iterator[RunningGateway]:
    settings = GatewaySettings(_env_file=None, data_dir=tmp_path)
    with RunningGateway(make_settings(databases.create("minilm")), settings) as gateway:
        yield gateway


async def test_the_link_signs_the_page_in_and_later_visits_need_no_link(
    gateway: RunningGateway, open_page: OpenPage, tmp_path: Path
) -> None:
    # A request of the first tab may be on its way when the second one signs out.
    keepsake = (await open_page(gateway)).expect_status(401)
    page = keepsake.page
    await page.goto(gateway.url)
    await expect(page.get_by_text("Open the sign-in link")).to_be_visible()
    await expect(page.get_by_label("Your name")).to_have_count(0)

    second = await page.context.new_page()
    await second.goto(sign_in_link(gateway.url, load_secret(tmp_path)))
    await second.get_by_label("Your name").fill("ada")
    assert "secret" not in second.url
    await second.get_by_role("button", name="Sign in").click()
    await expect(second.get_by_test_id("user")).to_have_text("ada")

    await expect(page.get_by_test_id("user")).to_have_text("ada")
    await second.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_label("Your name")).to_be_visible()
    await keepsake.sign_in("bob")
    await expect(second.get_by_test_id("user")).to_have_text("bob")


async def test_a_new_tab_is_signed_in_and_scripts_cannot_read_the_cookie(
    gateway: RunningGateway, open_page: OpenPage, tmp_path: Path
) -> None:
    keepsake = (await open_page(gateway)).expect_status(401)
    page = keepsake.page
    await page.goto(sign_in_link(gateway.url, load_secret(tmp_path)))
    await page.get_by_label("Your name").fill("ada")
    await page.get_by_role("button", name="Sign in").click()
    await keepsake.send("I keep bees.")
    second = await page.context.new_page()
    await second.goto(gateway.url)
    await second.get_by_role("link", name="I keep bees.").click()
    await expect(second.get_by_test_id("question")).to_have_text("I keep bees.")
    assert await second.evaluate("document.cookie") == ""
    stored = await second.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")
    assert "eyJ" not in stored

    cookies = await page.context.cookies()
    assert [(cookie["httpOnly"], cookie["sameSite"]) for cookie in cookies] == [(True, "Strict")]
    await page.get_by_role("button", name="Sign out").click()
    await expect(second.get_by_label("Your name")).to_be_visible()
    assert await page.context.cookies() == []
    [cookie] = cookies
    await page.context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": gateway.url}])
    status = await page.evaluate("fetch('/me').then(({status}) => status)")
    assert status == 401


async def test_a_link_is_pasted_into_an_open_tab(gateway: RunningGateway, open_page: OpenPage, tmp_path: Path) -> None:
    page = (await open_page(gateway)).page
    await page.goto(gateway.url)
    await expect(page.get_by_text("Open the sign-in link")).to_be_visible()
    await page.goto(sign_in_link(gateway.url, load_secret(tmp_path)))
    await page.get_by_label("Your name").fill("ada")
    assert "secret" not in page.url
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_test_id("user")).to_have_text("ada")


async def test_an_old_link_is_reported(gateway: RunningGateway, open_page: OpenPage) -> None:
    keepsake = (await open_page(gateway)).expect_status(403)
    page = keepsake.page
    await page.goto(sign_in_link(gateway.url, "old"))
    await page.get_by_label("Your name").fill("ada")
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("alert")).to_contain_text("sign-in link")
    await expect(page.get_by_label("Your name")).to_have_count(0)
