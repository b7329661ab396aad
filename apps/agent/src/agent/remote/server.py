"""The connection to the LangGraph server, and the translation of its errors."""

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import httpx
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import BadRequestError, UnprocessableEntityError

from agent.errors import AgentError, AgentServerUnavailableError, InvalidInputError, RunInterruptedError
from agent.settings import AgentSettings

logger = logging.getLogger(__name__)

MAX_CONNECTIONS = 2_000
"""A run holds one until its memories are formed."""
CONNECT_SECONDS = 5.0
IDLE_SECONDS = 2.0
"""Unused connections are closed before the server closes them, after 5 s by default, while a request may be sent."""
READ_SECONDS = 60.0
"""The server sends a heartbeat several times in this time."""

_INTERRUPTIONS = ("UserInterrupt", "UserRollback", "UserTimeout")


@asynccontextmanager
async def open_agent_server(settings: AgentSettings) -> AsyncIterator[LangGraphClient]:
    """Open a client of the server at `settings.agent_url`."""
    key = settings.agent_api_key
    http = httpx.AsyncClient(
        base_url=settings.agent_url or "",
        headers={"x-api-key": key.get_secret_value()} if key else {},
        limits=httpx.Limits(max_connections=MAX_CONNECTIONS, keepalive_expiry=IDLE_SECONDS),
        timeout=httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS),
        trust_env=False,
    )
    async with LangGraphClient(http) as client:
        yield client


@contextmanager
def translated_server_errors(unavailable: type[AgentError] = AgentServerUnavailableError) -> Iterator[None]:
    """Translate the errors of requests to the server.

    Raises:
        InvalidInputError: the server rejected a value.
        AgentError: `unavailable`, for every other failure of a request.
    """
    try:
        yield
    except (BadRequestError, UnprocessableEntityError) as error:
        # The path names no data of the user; the server's explanation may quote some.
        logger.warning("the agent server rejected %s %s", error.request.method, error.request.url.path)
        logger.debug("its explanation: %s", error.body)
        raise InvalidInputError("the agent server rejected the value") from error
    except (httpx.HTTPError, TimeoutError) as error:
        raise unavailable("the agent server did not answer") from error


def error_of_run(name: str) -> AgentError:
    """Create the error of a run that failed; the server reports only the name of its class."""
    if name in _INTERRUPTIONS:
        return RunInterruptedError("the agent server stopped the answer")
    classes = [AgentError]
    for cls in classes:  # the list grows during the iteration
        if cls.__name__ == name and cls is not AgentError:
            return cls("the log of the agent server contains the cause")
        classes += cls.__subclasses__()
    return AgentError("the answer failed; the log of the agent server contains the cause")
