"""The command line: `keepsake serve | worker | token | reembed | doctor`, and what is done for one user."""

import asyncio
import contextlib
import logging
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from datetime import timedelta
from typing import Any, TypeVar

import click
from pydantic import ValidationError

from agent import AgentError, AgentSettings, Progress, examine, open_agent, reembed_database
from gateway.auth.local import LocalSignIn
from gateway.commands import COMMANDS
from gateway.errors import GatewayError
from gateway.server import fastest_loop, serve_worker
from gateway.server import serve as serve_until_stopped
from gateway.settings import GatewaySettings

STOPPED = 130  # what a shell makes of Ctrl-C
SECONDS_A_LINE = 10.0
COLOURS = {"ok": "green", "warning": "yellow", "problem": "red"}
T = TypeVar("T")


@click.group(commands=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="keepsake-gateway", prog_name="keepsake")
def keepsake() -> None:
    """A chat assistant that remembers each of its users."""


@keepsake.command()
@click.option("--host", help="The address to listen on.")
@click.option("--port", type=int, help="The port; 0 takes a free one.")
@click.option("--worker/--no-worker", default=None, help="Whether to distil here too, or to leave it to `worker`.")
def serve(**options: object) -> None:
    """Start gateway, agent, worker and, without DATABASE_URL, Postgres, in one process."""
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    settings = GatewaySettings(**given)
    agent_settings = AgentSettings()

    def announce(address: str) -> None:
        _announce(address, settings, agent_settings)

    _run_until_stopped(serve_until_stopped(settings, agent_settings, announce))


@keepsake.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address for --port.")
@click.option("--port", type=int, help="Answer /healthz, /readyz and /metrics there; 0 takes a free one.")
def worker(host: str, port: int | None) -> None:
    """Distil what users said, without a gateway; any number may share a database."""

    def announce(address: str) -> None:
        click.echo(f"Keepsake's worker is at it{address and f', and says how it is at {address}'}. Ctrl-C stops it.")
        sys.stdout.flush()

    _run_until_stopped(serve_worker(AgentSettings(), announce, host=host, port=port))


@keepsake.command()
@click.argument("user")
def token(user: str) -> None:
    """Print a token that signs USER in for a day, for use with curl."""
    if GatewaySettings().oidc_issuer:
        raise click.ClickException("with KEEPSAKE_OIDC_ISSUER set, tokens come from there")
    click.echo(asyncio.run(_issue(user)))


@keepsake.command()
def reembed() -> None:
    """Convert the vectors of all memories to the configured model, while Keepsake goes on with the old one."""
    try:
        _run(_reembed(AgentSettings()))
    except KeyboardInterrupt:
        click.echo("\nStopped. What is converted is kept: run `keepsake reembed` again to go on from there.")
        sys.exit(STOPPED)


@keepsake.command()
def doctor() -> None:
    """Check everything, and say what to do; exit with 1 where there is a problem. It changes nothing."""
    if _run(_doctor(AgentSettings())):
        sys.exit(1)


def _run(command: Coroutine[Any, Any, T]) -> T:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a script's background jobs begin by ignoring it
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        return runner.run(command)


def _run_until_stopped(command: Coroutine[Any, Any, None]) -> None:
    """Run what goes on until Ctrl-C or SIGTERM, which have stopped everything by the time this returns."""
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    with contextlib.suppress(KeyboardInterrupt):
        _run(command)


async def _doctor(settings: AgentSettings) -> bool:
    """Print what is found as it is found; return whether there is a problem."""
    problems = 0
    async for finding in examine(settings):
        problems += finding.level == "problem"
        click.echo(
            f"{click.style(f'{finding.level:8}', fg=COLOURS[finding.level])} {finding.subject}: {finding.message}"
        )
    return problems > 0


async def _issue(user: str) -> str:
    async with open_agent(AgentSettings(), start_worker=False) as agent:
        key = await agent.users.installation_value("sign_in_key", LocalSignIn.new_key())
        return LocalSignIn(key).issue(user)[0]


async def _reembed(settings: AgentSettings) -> None:
    model = f"{settings.embedder} ({settings.dims} dimensions)"
    async with contextlib.aclosing(reembed_database(settings)) as conversion:
        first = await anext(conversion, None)
        if first is None:
            click.echo(f"There is nothing to do: the vectors are of {model}.")
            return
        if first.dropped:
            click.echo(f"A half-done conversion to {first.dropped} is dropped; this one starts afresh.")
        elif first.done:
            click.echo(f"{first.done:,} of {first.total:,} texts are converted already.")
        with _shown(first) as show:
            async for progress in conversion:
                show(progress)
    click.echo(f"{first.total:,} texts have vectors of {model}.")
    click.echo("Restart Keepsake with these settings: with the old ones its searches fail from now on.")


@contextlib.contextmanager
def _shown(first: Progress) -> Iterator[Callable[[Progress], None]]:
    """Show how far it is and for how long it will go on: with a bar on a terminal, else by a line now and then."""
    if sys.stdout.isatty():
        with click.progressbar(length=first.total - first.done, label="Converting", show_pos=True) as bar:
            yield lambda progress: bar.update(progress.done - first.done - bar.pos)
        return
    began = told = time.monotonic()

    def tell(progress: Progress) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told < SECONDS_A_LINE and progress.done < progress.total:
            return
        told = now
        seconds_left = (progress.total - progress.done) * (now - began) / max(1, progress.done - first.done)
        left = timedelta(seconds=round(seconds_left))
        click.echo(f"{progress.done:,} of {progress.total:,} texts, {left} left")

    yield tell


def _announce(address: str, settings: GatewaySettings, agent_settings: AgentSettings) -> None:
    click.echo(f"\nKeepsake is at {address}\n")
    if settings.oidc_issuer:
        click.echo(f"  Sign in with {settings.oidc_issuer}.")
    else:
        click.echo("  Sign in with any name: this is your own machine, and nobody else can reach it. With curl:")
        click.echo(f"""  curl -s {address}/dev/token -H 'content-type: application/json' -d '{{"user": "ada"}}'""")
    if agent_settings.offline:
        click.echo("  The offline model answers. For a real one, set OPENAI_API_KEY (and OPENAI_BASE_URL).")
    click.echo("  Ctrl-C stops everything.\n")
    sys.stdout.flush()


def main() -> None:
    """Run a command; what is wrong with the set-up is told in a sentence."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        keepsake()
    except (AgentError, GatewayError, OSError) as error:
        sys.exit(f"keepsake: {error}")
    except ValidationError as error:
        faults = "; ".join(str(fault["msg"]) for fault in error.errors())
        sys.exit(f"keepsake: {faults}")


if __name__ == "__main__":
    main()
