"""The output of a completion, read from the events of its run."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from fastapi import Request
from starlette.requests import ClientDisconnect

import agent as api
from agent import (
    Agent,
    AnswerStarted,
    CompletionRequest,
    LoggedEvent,
    MessageCompleted,
    Token,
    ToolCall,
    ToolCallsRequested,
)
from gateway.auth.principal import Principal
from gateway.dependencies import current_account

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class End:
    """The end of a completion."""

    usage: dict[str, int] = field(default_factory=dict)
    """`input_tokens` and `output_tokens` of all calls of the model; empty if its server does not report them."""
    finish_reason: str = "stop"


Output = str | tuple[ToolCall, ...] | End
"""A part of the text, the calls of the client's functions, or the end.

An empty part of the text comes first, as soon as the model's server has accepted the request.
"""
Outputs = AsyncGenerator[Output, None]


async def start(principal: Principal, agent: Agent, request: CompletionRequest) -> Outputs:
    """Start to continue a conversation; closing the outputs cancels the run."""
    with agent.completions.admit(principal.user):
        await agent.completions.prefetch(principal.user, request)  # embeds while the account is loaded
        account = await current_account(principal, agent)
        return _outputs(await agent.completions.complete(account, request))


async def first_output(request: Request, outputs: Outputs) -> Outputs:
    """Wait for the first output, so that an error before it has its own status; return all outputs that are not empty.

    Raises:
        AgentError: the run failed.
        ClientDisconnect: the client has disconnected, and the run is cancelled.
    """
    first = await unless_disconnected(request, anext(outputs))
    return _preceded(first, outputs) if first else outputs


async def unless_disconnected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine; cancel it if the client disconnects.

    Raises:
        ClientDisconnect: the client has disconnected.
    """
    task, watcher = asyncio.ensure_future(work), asyncio.create_task(_wait_for_disconnect(request))
    try:
        await asyncio.wait((task, watcher), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnect
        return task.result()
    finally:
        for one in (task, watcher):
            if not one.done():
                one.cancel()
                with suppress(asyncio.CancelledError):
                    await one


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _preceded(first: Output, outputs: Outputs) -> Outputs:
    async with aclosing(outputs):
        yield first
        async for output in outputs:
            yield output


async def _outputs(events: AsyncIterator[LoggedEvent]) -> Outputs:
    end, has_calls = End(), False
    async with aclosing(events):  # type: ignore[type-var]  # an asynchronous generator
        async for logged in events:
            match logged.event:
                case AnswerStarted():
                    yield ""
                case Token(text):
                    yield text
                case ToolCallsRequested(calls):
                    has_calls = True
                    yield tuple(calls)
                case MessageCompleted(usage=usage, finish_reason=reason):
                    end = End(usage, "tool_calls" if has_calls else reason)
                case api.RunFinished():
                    yield end
                case api.RunFailed(error):
                    raise error
                case _:
                    pass
