"""Commands for one user's data: the options that select the user, and the agent."""

import functools
import re
from collections.abc import Awaitable, Callable
from typing import Any

import click

from agent import Agent, AgentSettings, UserId, open_agent
from gateway.auth.local import LOCAL_ISSUER
from gateway.auth.principal import user_label
from gateway.commands.runner import run
from gateway.settings import GatewaySettings

_LABEL = re.compile(r"[a-z2-7]{52}")

Command = Callable[..., Awaitable[None]]
"""Takes the agent, the user, and the command's own options."""


class UnknownUserError(click.ClickException):
    """The selected user has no account."""

    def __init__(self) -> None:
        super().__init__("no user with this name has signed in here")


def for_any_user(command: Command) -> Callable[..., None]:
    """Add the options that select a user, who need not have an account."""

    @click.option("--user", help="Name at sign-in, or the id in GET /me.")
    @click.option("--subject", help="Name at sign-in, if it looks like an id.")
    @click.option("--issuer", help="Issuer of the user's tokens; by default KEEPSAKE_OIDC_ISSUER or local sign-in.")
    @functools.wraps(command)
    def invoke(*, user: str | None, subject: str | None, issuer: str | None, **options: object) -> None:
        run(_run_command(command, _resolve(user, subject, issuer), options))

    return invoke


def for_existing_user(command: Command) -> Callable[..., None]:
    """Add the options that select a user, who must have signed in before."""

    @functools.wraps(command)
    async def checked(agent: Agent, user: UserId, **options: Any) -> None:  # noqa: ANN401 - options of the command
        if await agent.users.find(user) is None:
            raise UnknownUserError
        await command(agent, user, **options)

    return for_any_user(checked)


def selected_user() -> str:
    """The name or id that the options of the current command give."""
    options = click.get_current_context().params
    return str(options["user"] or options["subject"])


def _resolve(user: str | None, subject: str | None, issuer: str | None) -> UserId:
    name = user or subject
    if name is None or (user and subject):
        raise click.UsageError("select a user with --user or, for a name that looks like an id, with --subject")
    if name == user and issuer is None and _LABEL.fullmatch(name):
        return UserId(name)
    return user_label(issuer or GatewaySettings().oidc_issuer or LOCAL_ISSUER, name)


async def _run_command(command: Command, user: UserId, options: dict[str, object]) -> None:
    async with open_agent(AgentSettings(), start_worker=False, warm_up=False) as agent:
        await command(agent, user, **options)
