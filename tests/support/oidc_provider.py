"""A real OpenID provider (npm's oidc-provider), run by Node."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

import httpx

from support.node import NODE, install

Form = Mapping[str, str]

OIDC = Path(__file__).parents[1] / "contract" / "oidc"


class Provider(NamedTuple):
    issuer: str
    stdin: IO[str]
    stdout: IO[str]

    def rotate_keys(self) -> None:
        self.stdin.write("change keys\n")
        self.stdin.flush()
        wait_for_line(self.stdout, "rotated")


def wait_for_line(lines: IO[str], word: str) -> str:
    for line in lines:
        if line.startswith(word):
            return line.removeprefix(word).strip()
    raise AssertionError(f"the provider ended before it printed {word}")


async def authorize(http: httpx.AsyncClient, address: httpx.URL | str, user: str, *, callback: str) -> httpx.URL:
    """Sign in and consent as a browser does; returns the redirect to the client, which starts with `callback`."""

    async def follow(response: httpx.Response) -> httpx.Response:
        while response.next_request and not response.headers["location"].startswith(callback):
            response = await http.send(response.next_request)
        return response

    page = await follow(await http.get(address))
    forms: tuple[Form, ...] = ({"prompt": "login", "login": user}, {"prompt": "consent"})
    for form in forms:
        page = await follow(await http.post(page.url, data=form))
    return httpx.URL(page.headers["location"])


@contextmanager
def running_provider() -> Iterator[Provider]:
    """Run the provider for the duration of the block."""
    install(OIDC)
    command = [str(NODE), "provider.mjs"]
    with subprocess.Popen(command, cwd=OIDC, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdin
            assert process.stdout
            yield Provider(wait_for_line(process.stdout, "ready"), process.stdin, process.stdout)
        finally:
            process.terminate()
