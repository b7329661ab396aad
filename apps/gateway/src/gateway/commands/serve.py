"""`keepsake serve` and `keepsake worker`."""

import os
import signal
import socket
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from agent import AgentSettings, configure_logging
from gateway.auth.sign_in_link import load_secret, sign_in_link
from gateway.commands.runner import run_until_stopped
from gateway.lazy_import import import_without_collection
from gateway.process_group import serve_group
from gateway.process_metrics import ProcessMetrics
from gateway.settings import GatewaySettings


@click.command()
@click.option("--host", help="Address to listen on.")
@click.option("--port", type=int, help="Port to listen on; 0 selects a free one.")
@click.option("--worker/--no-worker", default=None, help="Form memories in this process, or leave it to `worker`.")
def serve(**options: object) -> None:
    """Start the gateway, the agent, a worker and, without DATABASE_URL, Postgres; see KEEPSAKE_PROCESSES."""
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    settings = GatewaySettings(**given)
    agent_settings = AgentSettings()
    configure_logging(agent_settings.log_format)
    start = serve_group if settings.process_count > 1 else _server().serve
    run_until_stopped(start(settings, agent_settings, lambda address: _announce(address, settings, agent_settings)))


@click.command(hidden=True)
@click.option("--listener", type=int, required=True, help="File descriptor of the socket.")
@click.option("--number", type=int, required=True)
@click.option("--count", type=int, required=True)
@click.option("--folder", type=Path, required=True, help="Folder of the sockets for metrics.")
@click.option("--database", required=True, help="URI of the embedded Postgres.")
def process(listener: int, number: int, count: int, folder: Path, database: str) -> None:
    """Run one of several gateways on a port; `serve` starts them, and reads a line once they listen."""
    agent_settings = AgentSettings()
    configure_logging(agent_settings.log_format)
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    server = _server()
    membership = server.Membership(socket.socket(fileno=listener), database, ProcessMetrics(folder, number, count))
    run_until_stopped(server.serve(GatewaySettings(), agent_settings, _report, membership))


def _server() -> ModuleType:
    """Import the server, which takes seconds, and which the parent of several processes does not need."""
    return import_without_collection("gateway.server")


def _report(address: str) -> None:
    click.echo(address)
    sys.stdout.flush()


def _stop_with_parent() -> None:
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address for --port.")
@click.option("--port", type=int, help="Serve /healthz, /readyz and /metrics on this port; 0 selects a free one.")
def worker(host: str, port: int | None) -> None:
    """Form memories without a gateway. Any number of workers can share a database."""

    def announce(address: str) -> None:
        health = f", with health and metrics at {address}" if address else ""
        click.echo(f"The worker is running{health}. Press Ctrl-C to stop it.")
        sys.stdout.flush()

    settings = AgentSettings()
    configure_logging(settings.log_format)
    run_until_stopped(_server().serve_worker(settings, announce, host=host, port=port))


def _announce(address: str, settings: GatewaySettings, agent_settings: AgentSettings) -> None:
    address = settings.public_url.rstrip("/") or address
    click.echo(f"\nKeepsake is running at {address}\n")
    if settings.oidc_issuer:
        click.echo(f"  Sign in with {settings.oidc_issuer}.")
    elif settings.local_sign_in == "link":
        click.echo("  Open this link to sign in with any name; keep it secret:")
        click.echo(f"  {sign_in_link(address, load_secret(settings.data_dir))}")
    else:
        click.echo("  Anyone on this machine can sign in with any name (KEEPSAKE_LOCAL_SIGN_IN=open).")
    if not settings.oidc_issuer:
        command = sys.argv[0] if Path(sys.argv[0]).stem == "keepsake" else "keepsake"  # not with `python -m`
        click.echo(f"  For a token to use with curl, run: {command} token --user NAME")
    if agent_settings.offline:
        click.echo("  The offline model answers. For a language model, set OPENAI_API_KEY (and OPENAI_BASE_URL).")
    click.echo("  Press Ctrl-C to stop.\n")
    sys.stdout.flush()
