"""The command line: `keepsake serve | token | reembed`."""

import asyncio
import contextlib
import logging
import sys
from typing import Any

import click
from pydantic import ValidationError

from agent import AgentError, AgentSettings, open_agent, reembed_database
from gateway.auth import LocalSignIn
from gateway.errors import GatewayError
from gateway.serve import fastest_loop
from gateway.serve import serve as serve_until_stopped
from gateway.settings import GatewaySettings


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="keepsake-gateway", prog_name="keepsake")
def keepsake() -> None:
    """A chat assistant that remembers each of its users."""


@keepsake.command()
@click.option("--host", help="The address to listen on.")
@click.option("--port", type=int, help="The port; 0 takes a free one.")
def serve(host: str | None, port: int | None) -> None:
    """Start gateway, agent, worker and, without DATABASE_URL, Postgres, in one process."""
    given: dict[str, Any] = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    settings = GatewaySettings(**given)
    agent_settings = AgentSettings()

    def announce(address: str) -> None:
        _announce(address, settings, agent_settings)

    stopped = contextlib.suppress(KeyboardInterrupt)  # Ctrl-C has stopped everything by the time it gets here
    with stopped, asyncio.Runner(loop_factory=fastest_loop()) as runner:
        runner.run(serve_until_stopped(settings, agent_settings, announce))


@keepsake.command()
@click.argument("user")
def token(user: str) -> None:
    """Print a token that signs USER in for a day, for use with curl."""
    if GatewaySettings().oidc_issuer:
        raise click.ClickException("with KEEPSAKE_OIDC_ISSUER set, tokens come from there")
    click.echo(asyncio.run(_issue(user)))


@keepsake.command()
def reembed() -> None:
    """Convert the vectors of all memories to the configured model; stop Keepsake before."""
    asyncio.run(_reembed(AgentSettings()))


async def _issue(user: str) -> str:
    async with open_agent(AgentSettings(), works=False) as agent:
        key = await agent.users.kept("sign_in_key", LocalSignIn.new_key())
        return LocalSignIn(key).issue(user)[0]


async def _reembed(settings: AgentSettings) -> None:
    done = 0
    async for done, everything in reembed_database(settings):
        click.echo(f"\r{done} of {everything}", nl=False)
    click.echo(f"\r{done} memories now have vectors of {settings.embedder}.")


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
