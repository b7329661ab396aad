"""The tools: recall, remember, forget and list memories of the calling user."""

from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Annotated, Any, ParamSpec, TypeVar

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

import agent
from agent import AgentError, Kind
from gateway.protocols.mcp.caller import Caller, application_of, current_caller
from gateway.protocols.mcp.schemas import MAX_QUERY_CHARS, Forgotten, Recalled, RecallResult
from gateway.schemas.memories import Memory, MemoryPage

MAX_FORGOTTEN = 20
PAGE_SIZE = 50
PAUSED = "The user has paused memory: nothing is recalled and nothing is saved."

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
DELETES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)

P = ParamSpec("P")
T = TypeVar("T")


def add_tools(server: MCPServer) -> None:
    """Register the tools."""
    for function, annotations in ((recall, READS), (list_memories, READS), (remember, ADDS), (forget, DELETES)):
        server.tool(annotations=annotations)(_with_tool_errors(function))


async def recall(
    query: Annotated[str, Field(min_length=1, max_length=MAX_QUERY_CHARS)],
    limit: Annotated[int, Field(ge=1, le=50)] = 8,
) -> RecallResult:
    """Search what is known about the user, by meaning and words. Use it before answering anything personal."""
    caller = _with_memory()
    hits = await caller.agent.memories.search(caller.user.id, query, limit=limit)
    return RecallResult(memories=[Recalled.of(hit) for hit in hits])


async def list_memories(
    kind: Annotated[Kind | None, Field(description="Facts, episodes, or how the user wants to be helped.")] = None,
    cursor: Annotated[str | None, Field(description="`next_cursor` of the previous page.")] = None,
) -> MemoryPage:
    """List the user's memories, the latest first."""
    caller = _with_memory()
    page = await caller.agent.memories.list_memories(
        caller.user.id, kind=kind, query=None, limit=PAGE_SIZE, cursor=cursor
    )
    return MemoryPage(items=[Memory.of(memory) for memory in page.items], next_cursor=page.next_cursor)


async def remember(
    text: Annotated[
        str, Field(min_length=1, max_length=agent.MAX_MEMORY_CHARS, description="One sentence about the user.")
    ],
    context: Context,
) -> Memory:
    """Keep a lasting fact about the user. It is marked as reported by this application until the user confirms it."""
    caller = _with_memory()
    return Memory.of(await caller.agent.memories.report(caller.user.id, text, application_of(context)))


async def forget(
    ids: Annotated[list[str], Field(min_length=1, max_length=MAX_FORGOTTEN, description="Ids of memories.")],
) -> Forgotten:
    """Forget memories, with everything that comes from the same words. Only if the user asks for it."""
    caller = current_caller()
    user, memories = caller.user.id, caller.agent.memories
    statements = await memories.find_by_ids(user, [agent.parse_uuid(one) for one in dict.fromkeys(ids)])
    return Forgotten(forgotten=await memories.withdraw(user, statements))


def _with_memory() -> Caller:
    caller = current_caller()
    if not caller.user.memory_enabled:
        raise ToolError(PAUSED)
    return caller


def _with_tool_errors(function: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Translate the errors of the agent, whose text clients may read."""

    @wraps(function)
    async def translated(*arguments: P.args, **options: P.kwargs) -> T:
        try:
            return await function(*arguments, **options)
        except AgentError as error:
            raise ToolError(f"{error.title} {error} ({error.code})") from error

    return translated
