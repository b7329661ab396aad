"""Whose account a command is about: the operator names somebody, and the command gets the agent and the user."""

import asyncio
import functools
import re
from collections.abc import Awaitable, Callable
from typing import Any

import click

from agent import Agent, AgentSettings, UserId, open_agent
from gateway.auth.local import LOCAL_ISSUER, label
from gateway.server import fastest_loop
from gateway.settings import GatewaySettings

_LABEL = re.compile(r"[a-z2-7]{52}")

Command = Callable[..., Awaitable[None]]
"""Takes the agent, the user, and the command's own options."""


def of_anybody(command: Command) -> Callable[..., None]:
    """Give a command the options that name a user, also one who has no account here."""

    @click.option("--user", help="The name at sign-in, or the id that GET /me tells.")
    @click.option("--subject", help="The same, for a name that looks like such an id.")
    @click.option("--issuer", help="Where they sign in; else KEEPSAKE_OIDC_ISSUER or, without it, Keepsake itself.")
    @functools.wraps(command)
    def run(*, user: str | None, subject: str | None, issuer: str | None, **options: object) -> None:
        who = _who(user, subject, issuer)
        with asyncio.Runner(loop_factory=fastest_loop()) as runner:
            runner.run(_run(command, who, options))

    return run


def of_a_user(command: Command) -> Callable[..., None]:
    """Give a command the options that name a user, who must have signed in before."""

    @functools.wraps(command)
    async def checked(agent: Agent, user: UserId, **options: Any) -> None:  # noqa: ANN401 - the command's own
        if await agent.users.find(user) is None:
            raise click.ClickException("nobody of that name has signed in here")
        await command(agent, user, **options)

    return of_anybody(checked)


def _who(user: str | None, subject: str | None, issuer: str | None) -> UserId:
    name = user or subject
    if name is None or (user and subject):
        raise click.UsageError("say whose it is by --user or, for a name that looks like an id, by --subject")
    if name == user and issuer is None and _LABEL.fullmatch(name):
        return UserId(name)
    return label(issuer or GatewaySettings().oidc_issuer or LOCAL_ISSUER, name)


async def _run(command: Command, user: UserId, options: dict[str, object]) -> None:
    async with open_agent(AgentSettings(), start_worker=False) as agent:
        await command(agent, user, **options)
