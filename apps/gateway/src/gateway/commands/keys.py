"""`keepsake keys`: create, list and revoke the personal keys of a user."""

import click

from agent import Agent, KeyId, UserId, parse_uuid
from gateway.commands.user_command import for_existing_user


@click.group()
def keys() -> None:
    """Create, list and revoke the personal keys of a user."""


@keys.command()
@click.argument("name")
@for_existing_user
async def create(agent: Agent, user: UserId, *, name: str) -> None:
    """Create a key and print it. NAME says what it is for."""
    _, secret = await agent.keys.create(user, name=name)
    click.echo(secret)


@keys.command("list")
@for_existing_user
async def list_(agent: Agent, user: UserId) -> None:
    """List keys, the latest first: id, creation, last use and name."""
    for key in await agent.keys.list_keys(user):
        used = "never" if key.last_used_at is None else f"{key.last_used_at:%Y-%m-%d %H:%M}"
        click.echo(f"{key.id}  {key.created_at:%Y-%m-%d %H:%M}  {used:16}  {key.name}")


@keys.command()
@click.argument("key", metavar="ID", callback=lambda _, __, value: KeyId(parse_uuid(value)))
@for_existing_user
async def revoke(agent: Agent, user: UserId, *, key: KeyId) -> None:
    """Revoke a key at once."""
    await agent.keys.revoke(user, key)
