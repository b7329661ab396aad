"""The tools for the user's own memory.

User and store come from the run, never from the model. Names and descriptions are part of every prompt, so they are
short.
"""

from typing import Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.tools import BaseTool, ToolException, tool
from langgraph.prebuilt import ToolRuntime
from langgraph.store.base import BaseStore

from agent.chat.run_config import user_and_thread
from agent.chat.state import current_turn
from agent.chat.web_search import WEB_SEARCH, provider_searches
from agent.errors import MemoryNotFoundError
from agent.memory.editing.library import Library, MessageWithholder
from agent.memory.editing.remember import remember_text
from agent.memory.recall.tip import neutralise
from agent.memory.records import inbox
from agent.timestamps import now
from agent.types import Memory, MemoryId, MessageId, Source

Runtime = ToolRuntime[None, Any]

MEMORY_TOOLS = frozenset({"remember", "find_memories", "forget"})
"""The names of the tools."""
MAX_SEARCH_RESULTS = 8
MAX_LISTED = 100
MIN_SCORE = 0.15
# Minimum distance between the best and the second-best score; below it, the model has to choose by id.
SCORE_MARGIN = 0.05


@tool
async def remember(text: str, quote: str, runtime: Runtime, kind: Literal["user", "procedural"] = "user") -> str:
    """Keep something lasting that the user asks you to remember.

    text: one short sentence about them, without a subject. quote: their words in this message, letter by letter. kind:
    "procedural" for how they want to be helped.
    """
    user, thread = user_and_thread(runtime.config)
    message = _last_user_message(runtime)
    source = Source(thread, message.id or "", quote, now())
    memory = await remember_text(_store(runtime), user, kind, text, source, message_text=message.text)
    return f"Remembered: {neutralise(memory.text)}"


@tool
async def find_memories(runtime: Runtime, query: str = "") -> str:
    """Search what is remembered about the user; without a query, list what matters most."""
    return _format(await _search(runtime, query)) or "Nothing like that is remembered."


def memory_tools(transcript: MessageWithholder | None) -> list[BaseTool]:
    """Create the tools; `transcript` marks forgotten messages, so that they are not added to the inbox again."""

    @tool
    async def forget(what: str, runtime: Runtime) -> str:
        """Delete one of the user's memories, when they ask for it. what: its id, or words for it."""
        if any(map(_has_web_results, current_turn(runtime.state["messages"]))):
            raise ToolException("Not in an answer that read the web. The user may ask for it again.")
        user, _ = user_and_thread(runtime.config)
        library = Library(_store(runtime), transcript)
        try:
            memory = await library.get(user, MemoryId(what.strip()))
        except MemoryNotFoundError:
            memory = _unambiguous(await _search(runtime, what))
        await library.forget(user, memory.id)
        # The request repeats what it asks to forget, so it must not become a memory itself.
        await inbox.remove(_store(runtime), user, [MessageId(_last_user_message(runtime).id or "")])
        return f"Forgotten: {neutralise(memory.text)}"

    return [remember, forget, find_memories]


async def _search(runtime: Runtime, query: str) -> list[Memory]:
    user, _ = user_and_thread(runtime.config)
    library = Library(_store(runtime))
    if not query.strip():
        page = await library.list_memories(user, kind=None, query=None, limit=MAX_LISTED, cursor=None)
        by_weight = sorted(
            page.items, key=lambda memory: (memory.pinned, memory.standing, memory.confirmed), reverse=True
        )
        return by_weight[:MAX_SEARCH_RESULTS]
    page = await library.list_memories(user, kind=None, query=query, limit=MAX_SEARCH_RESULTS, cursor=None)
    return [memory for memory in page.items if memory.score is None or memory.score >= MIN_SCORE]


def _unambiguous(memories: list[Memory]) -> Memory:
    if not memories:
        raise ToolException("Nothing like that is remembered.")
    best, *others = sorted(memories, key=lambda memory: -(memory.score or 0.0))
    if others and (best.score or 0.0) - (others[0].score or 0.0) < SCORE_MARGIN:
        raise ToolException(f"Which one? Nothing is forgotten yet. Say its id.\n{_format(memories)}")
    return best


def _format(memories: list[Memory]) -> str:
    return "\n".join(f"{memory.id}: {neutralise(memory.text)} ({memory.ts[:10]})" for memory in memories)


def _last_user_message(runtime: Runtime) -> HumanMessage:
    return next(message for message in reversed(runtime.state["messages"]) if isinstance(message, HumanMessage))


def _has_web_results(message: AnyMessage) -> bool:
    if isinstance(message, AIMessage):
        return bool(provider_searches(message))
    return isinstance(message, ToolMessage) and message.name == WEB_SEARCH


def _store(runtime: Runtime) -> BaseStore:
    if runtime.store is None:
        raise ToolException("Memory is not available.")
    return runtime.store
