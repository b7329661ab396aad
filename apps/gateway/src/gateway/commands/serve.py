"""`keepsake serve` and `keepsake worker`."""

import sys
from typing import Any

import click

from agent import AgentSettings
from gateway.commands.runner import run_until_stopped
from gateway.server import serve as serve_gateway
from gateway.server import serve_worker
from gateway.settings import GatewaySettings


@click.command()
@click.option("--host", help="Address to listen on.")
@click.option("--port", type=int, help="Port to listen on; 0 selects a free one.")
@click.option("--worker/--no-worker", default=None, help="Form memories in this process, or leave it to `worker`.")
def serve(**options: object) -> None:
    """Start the gateway, the agent, a worker and, without DATABASE_URL, Postgres in one process."""
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    settings = GatewaySettings(**given)
    agent_settings = AgentSettings()
    run_until_stopped(
        serve_gateway(settings, agent_settings, lambda address: _announce(address, settings, agent_settings))
    )


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address for --port.")
@click.option("--port", type=int, help="Serve /healthz, /readyz and /metrics on this port; 0 selects a free one.")
def worker(host: str, port: int | None) -> None:
    """Form memories without a gateway. Any number of workers can share a database."""

    def announce(address: str) -> None:
        health = f", with health and metrics at {address}" if address else ""
        click.echo(f"The worker is running{health}. Press Ctrl-C to stop it.")
        sys.stdout.flush()

    run_until_stopped(serve_worker(AgentSettings(), announce, host=host, port=port))


def _announce(address: str, settings: GatewaySettings, agent_settings: AgentSettings) -> None:
    click.echo(f"\nKeepsake is running at {address}\n")
    if settings.oidc_issuer:
        click.echo(f"  Sign in with {settings.oidc_issuer}.")
    else:
        click.echo("  Sign in with any name: only this machine can connect. To get a token with curl:")
        click.echo(f"""  curl -s {address}/dev/token -H 'content-type: application/json' -d '{{"user": "ada"}}'""")
    if agent_settings.offline:
        click.echo("  The offline model answers. For a language model, set OPENAI_API_KEY (and OPENAI_BASE_URL).")
    click.echo("  Press Ctrl-C to stop.\n")
    sys.stdout.flush()
