"""`keepsake token`."""

import click

from agent import AgentSettings, open_agent
from gateway.commands.runner import run
from gateway.server import load_local_sign_in
from gateway.settings import GatewaySettings


@click.command()
@click.argument("user")
def token(user: str) -> None:
    """Print a token for USER that is valid for one day, for use with curl."""
    if GatewaySettings().oidc_issuer:
        raise click.ClickException("KEEPSAKE_OIDC_ISSUER is set: only the issuer issues tokens")
    click.echo(run(_issue(user)))


async def _issue(user: str) -> str:
    async with open_agent(AgentSettings(), start_worker=False) as agent:
        access_token, _ = (await load_local_sign_in(agent)).issue(user)
        return access_token
