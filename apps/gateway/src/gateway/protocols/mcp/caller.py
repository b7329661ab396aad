"""The caller of an MCP request: a user, through an application."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent import Agent, User

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context  # takes half a second to import

_PRODUCT = re.compile(r"[^\s/()]+")


@dataclass(frozen=True, slots=True)
class Caller:
    """The authenticated user of a request, and what identifies the application if it does not send its name."""

    agent: Agent
    user: User
    key_name: str
    """The name of the personal key; empty for other credentials."""
    user_agent: str


_caller: ContextVar[Caller] = ContextVar("caller of an MCP request")


@contextmanager
def calling(caller: Caller) -> Iterator[None]:
    """Handle a request in the block for a caller. The tasks that it starts inherit it."""
    token = _caller.set(caller)
    try:
        yield
    finally:
        _caller.reset(token)


def current_caller() -> Caller:
    """The caller of the request that a tool, a resource or a prompt handles."""
    return _caller.get()


def application_of(context: "Context") -> str:
    """The name of the calling application.

    Clients send it with each request since revision 2026-07-28 of the protocol. Before, only `initialize` contained it,
    of which a stateless server knows nothing later; the name of the key or the product in `User-Agent` replaces it.
    """
    parameters = context.request_context.session.client_params
    if parameters is not None and (name := parameters.client_info.title or parameters.client_info.name):
        return name
    caller = current_caller()
    product = _PRODUCT.match(caller.user_agent)
    return caller.key_name or (product[0] if product else "")
