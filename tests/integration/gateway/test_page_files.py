"""The files of the page: variants, caching and addresses of the page."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from conftest import Databases, make_settings
from gateway.settings import GatewaySettings
from support.gateway import RunningGateway

FILES = {
    "index.html": b"<!doctype html>",
    "index.html.br": b"page in brotli",
    "index.html.gz": b"page in gzip",
    "assets/app-1a2b.js": b"script",
    "assets/app-1a2b.js.br": b"script in brotli",
    "assets/logo-3c4d.png": b"picture",
    "favicon.svg": b"<svg/>",
}


@pytest.fixture(scope="module")
def url(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    web_dir = tmp_path_factory.mktemp("dist")
    for name, content in FILES.items():
        path = Path(web_dir, name)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    settings = GatewaySettings(_env_file=None, local_sign_in="open", web_dir=web_dir)
    with RunningGateway(make_settings(databases.create("minilm")), settings) as gateway:
        yield gateway.url


def get(url: str, path: str, accepted: str = "identity", **headers: str) -> tuple[bytes, httpx.Response]:
    headers |= {"accept-encoding": accepted}
    with httpx.Client(base_url=url) as client, client.stream("GET", path, headers=headers) as response:
        return b"".join(response.iter_raw()), response


@pytest.mark.parametrize(
    ("accepted", "encoding", "content"),
    [
        ("gzip, deflate, br", "br", b"page in brotli"),
        ("gzip", "gzip", b"page in gzip"),
        ("br;q=0, gzip;q=0.5", "gzip", b"page in gzip"),
        ("BR;Q=0.9", "br", b"page in brotli"),
        ("br; q=0.000, gzip;q=0", None, b"<!doctype html>"),
        ("identity", None, b"<!doctype html>"),
    ],
)
@pytest.mark.parametrize("path", ["/", "/memory", "/memory/timeline"])
def test_the_page_is_sent_in_the_best_variant_that_is_accepted(
    url: str, path: str, accepted: str, encoding: str | None, content: bytes
) -> None:
    body, response = get(url, path, accepted)
    assert (response.status_code, body) == (200, content)
    assert response.headers.get("content-encoding") == encoding
    assert response.headers["content-type"].startswith("text/html")
    assert (response.headers["vary"], response.headers["cache-control"]) == ("Accept-Encoding", "no-cache")


def test_hashed_files_are_immutable_and_others_are_revalidated(url: str) -> None:
    body, script = get(url, "/assets/app-1a2b.js", "br")
    assert (body, script.headers["content-type"].partition(";")[0]) == (b"script in brotli", "text/javascript")
    _, picture = get(url, "/assets/logo-3c4d.png", "br")
    assert "vary" not in picture.headers
    for response in (script, picture):
        assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert get(url, "/favicon.svg")[1].headers["cache-control"] == "no-cache"


def test_each_variant_has_its_own_tag_and_is_not_sent_again(url: str) -> None:
    tags = {}
    for accepted in ("br", "gzip", "identity"):
        tags[accepted] = get(url, "/", accepted)[1].headers["etag"]
        body, response = get(url, "/", accepted, **{"if-none-match": tags[accepted]})
        assert (response.status_code, body) == (304, b"")
        assert response.headers["vary"] == "Accept-Encoding"
    assert len(set(tags.values())) == 3


@pytest.mark.parametrize("path", ["/assets/missing-1a2b.js", "/../secret", "/%2e%2e/secret", "/missing"])
def test_missing_files_are_problems_that_no_cache_keeps(url: str, path: str) -> None:
    _, response = get(url, path, "br")
    assert (response.status_code, response.headers["content-type"]) == (404, "application/problem+json")
    assert response.headers["cache-control"] == "no-store"


def test_routes_of_the_interface_precede_the_page(url: str) -> None:
    assert get(url, "/memories")[1].status_code == 401
    assert get(url, "/memories/map")[1].status_code == 401
