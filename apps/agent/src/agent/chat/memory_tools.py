"""The tools for the user's own memory. None takes a user: whose turn it is comes with the run, and so does the store.

What they are described by is sent with every prompt, so it is short.
"""

from typing import Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.tools import BaseTool, ToolException, tool
from langgraph.prebuilt import ToolRuntime
from langgraph.store.base import BaseStore, PutOp

from agent.chat.run_config import user_and_thread
from agent.chat.web_search import WEB_SEARCH, provider_searches
from agent.errors import MemoryNotFoundError
from agent.memory.editing.library import InboxMarker, Library
from agent.memory.editing.remember import remember_text
from agent.memory.recall.recall import MIN_SCORE
from agent.memory.recall.tip import neutralise
from agent.memory.records import batches, namespaces
from agent.timestamps import now
from agent.types import Memory, MemoryId, Source

Runtime = ToolRuntime[None, Any]

MAX_SEARCH_RESULTS = 8
# A memory is meant if it is clearly nearer than the next one; else the model has to choose.
SCORE_MARGIN = 0.05


@tool
async def remember(text: str, quote: str, runtime: Runtime, kind: Literal["user", "procedural"] = "user") -> str:
    """Keep something lasting that the user asks you to remember.

    text: one short sentence about them, without a subject. quote: their words in this message, letter by letter. kind:
    "procedural" for how they want to be helped.
    """
    user, thread = user_and_thread(runtime.config)
    said = _asked(runtime.state["messages"])
    source = Source(thread, said.id or "", quote, now())
    memory = await remember_text(_store(runtime), user, kind, text, source, said=said.text)
    return f"Remembered: {neutralise(memory.text)}"


@tool
async def search_memories(query: str, runtime: Runtime) -> str:
    """Search what is remembered about the user."""
    return _listed(await _found(runtime, query)) or "Nothing like that is remembered."


def memory_tools(transcript: InboxMarker | None) -> list[BaseTool]:
    """Return the tools; what is forgotten is not to be learned again from the transcript, where there is one."""

    @tool
    async def forget(what: str, runtime: Runtime) -> str:
        """Delete one of the user's memories, when they ask for it. what: its id, or words for it."""
        if _has_read_the_web(runtime.state["messages"]):
            raise ToolException("Not in an answer that read the web. The user may ask for it again.")
        user, _ = user_and_thread(runtime.config)
        library = Library(_store(runtime), transcript)
        try:
            memory = await library.get(user, MemoryId(what.strip()))
        except MemoryNotFoundError:
            memory = _meant(await _found(runtime, what))
        await library.forget(user, memory.id)
        # What asks to forget something names it, and is no memory itself.
        said = _asked(runtime.state["messages"])
        await batches.put(_store(runtime), [PutOp(namespaces.inbox(user), said.id or "", None)])
        return f"Forgotten: {neutralise(memory.text)}"

    return [remember, forget, search_memories]


async def _found(runtime: Runtime, query: str) -> list[Memory]:
    user, _ = user_and_thread(runtime.config)
    page = await Library(_store(runtime)).list_memories(user, kind=None, query=query, limit=MAX_SEARCH_RESULTS, cursor=None)
    return [memory for memory in page.items if memory.score is None or memory.score >= MIN_SCORE]


def _meant(found: list[Memory]) -> Memory:
    """Return the one memory that is meant.

    Raises:
        ToolException: there is none, or it could be one of several.
    """
    if not found:
        raise ToolException("Nothing like that is remembered.")
    best, *others = sorted(found, key=lambda memory: -(memory.score or 0.0))
    if others and (best.score or 0.0) - (others[0].score or 0.0) < SCORE_MARGIN:
        raise ToolException(f"Which one? Nothing is forgotten yet. Say its id.\n{_listed(found)}")
    return best


def _listed(found: list[Memory]) -> str:
    return "\n".join(f"{memory.id}: {neutralise(memory.text)} ({memory.ts[:10]})" for memory in found)


def _asked(messages: list[AnyMessage]) -> HumanMessage:
    return next(message for message in reversed(messages) if isinstance(message, HumanMessage))


def _has_read_the_web(messages: list[AnyMessage]) -> bool:
    """Tell whether this turn holds words from the web, which might ask for what the user does not want."""
    turn = messages[messages.index(_asked(messages)) :]
    return any(
        (isinstance(message, ToolMessage) and message.name == WEB_SEARCH)
        or (isinstance(message, AIMessage) and provider_searches(message))
        for message in turn
    )


def _store(runtime: Runtime) -> BaseStore:
    if runtime.store is None:
        raise ToolException("There is no memory here.")
    return runtime.store
