"""The tools for the user's own memory.

User and store come from the run, never from the model. Names and descriptions are part of every prompt, so they are
short.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.tools import BaseTool, ToolException, tool
from langgraph.prebuilt import ToolRuntime
from langgraph.store.base import BaseStore

from agent.chat.run_config import user_and_thread
from agent.chat.state import current_turn
from agent.chat.web_search import WEB_SEARCH, provider_searches
from agent.language.authorship.own_words import mask_quoted
from agent.language.requests.statement_matching import adds_nothing, sentence_with
from agent.memory.editing.library import Library
from agent.memory.editing.remember import remember_text
from agent.memory.editing.search import search
from agent.memory.editing.selection import Statement
from agent.memory.records import inbox
from agent.models.request_results import ENGLISH
from agent.prompt_text import neutralise
from agent.text_process import analyse
from agent.timestamps import now
from agent.types import Hit, Memory, MessageId, Source

Runtime = ToolRuntime[None, Any]

MEMORY_TOOLS = frozenset({"remember", "find_memories", "forget"})
"""The names of the tools."""
MAX_SEARCH_RESULTS = 8
MAX_LISTED = 100
MAX_FORGOTTEN = 20
"""Memories per call."""

_SHOWN = re.compile(r"^(?P<id>[\w-]{1,64}): (?P<text>.+) \([^()]*\)$")


@tool
async def remember(text: str, quote: str, runtime: Runtime, kind: Literal["user", "procedural"] = "user") -> str:
    """Keep something lasting that the user asks you to remember.

    text: one short sentence about them, without a subject. quote: their words in this message, letter by letter. kind:
    "procedural" for how they want to be helped.
    """
    if done := runtime.state.get("done"):
        return str(done)
    user, thread = user_and_thread(runtime.config)
    message = _last_user_message(runtime)
    read_tools = any(map(has_tool_results, current_turn(runtime.state["messages"])))
    chars = len(message.text) + len(text) + len(quote)
    own_words, text = await analyse(
        partial(_in_own_words, read_tools=read_tools), message.text, text, quote, chars=chars
    )
    source = Source(thread, message.id or "", quote, now())
    memory = await remember_text(_store(runtime), user, kind, text, source, message_text=own_words)
    return f"{ENGLISH.remembered} {neutralise(memory.text)}"


@tool
async def find_memories(runtime: Runtime, query: str = "") -> str:
    """Search what is remembered about the user; without a query, list what matters most."""
    return _format(await _search(runtime, query)) or ENGLISH.nothing_found


REMEMBER = remember.name


def memory_tools(open_library: Callable[[BaseStore], Library]) -> list[BaseTool]:
    """Create the tools."""

    @tool
    async def forget(ids: list[str], runtime: Runtime) -> str:
        """Forget memories of the user, when they ask for it. ids: as find_memories has shown them in this answer."""
        if done := runtime.state.get("done"):
            return str(done)
        turn = current_turn(runtime.state["messages"])
        if any(map(_has_web_results, turn)):
            raise ToolException("Not in an answer that read the web. The user may ask for it again.")
        shown = _shown_memories(turn)
        if not ids or len(ids) > MAX_FORGOTTEN or not shown.keys() >= set(ids):
            raise ToolException(f"Call find_memories first, and use up to {MAX_FORGOTTEN} of the ids that it shows.")
        user, _ = user_and_thread(runtime.config)
        statements = [Statement(memory, shown[memory], "") for memory in dict.fromkeys(ids)]
        texts = await open_library(_store(runtime)).withdraw(user, statements)
        # The request repeats what it asks to forget, so it must not become a memory itself.
        await inbox.remove(_store(runtime), user, [MessageId(_last_user_message(runtime).id or "")])
        return f"{ENGLISH.forgotten} {'; '.join(map(neutralise, texts))}" if texts else ENGLISH.nothing_found

    return [remember, forget, find_memories]


def _in_own_words(message: str, text: str, quote: str, *, read_tools: bool) -> tuple[str, str]:
    """The message without quoted text, and the memory: the user's sentence if the model's text says more."""
    own_words = mask_quoted(message)
    if read_tools or not adds_nothing(text, own_words):
        text = sentence_with(quote, own_words)
    return own_words, text


async def _search(runtime: Runtime, query: str) -> Sequence[Memory | Hit]:
    user, _ = user_and_thread(runtime.config)
    library = Library(_store(runtime))
    if not query.strip():
        page = await library.list_memories(user, kind=None, query=None, limit=MAX_LISTED, cursor=None)
        by_weight = sorted(
            page.items, key=lambda memory: (memory.pinned, memory.standing, memory.confirmed), reverse=True
        )
        return by_weight[:MAX_SEARCH_RESULTS]
    found = await search(library.store, user, query, limit=MAX_SEARCH_RESULTS)
    asking = _last_user_message(runtime).id
    return [one for one in found if one.id != asking]


def _shown_memories(turn: Sequence[AnyMessage]) -> dict[str, str]:
    """The ids and texts that `find_memories` has shown in a turn."""
    results = [one for one in turn if isinstance(one, ToolMessage) and one.name == "find_memories"]
    matches = [match for one in results for line in one.text.splitlines() if (match := _SHOWN.fullmatch(line))]
    return {match["id"]: match["text"] for match in matches}


def _format(memories: Sequence[Memory | Hit]) -> str:
    return "\n".join(f"{memory.id}: {neutralise(memory.text)} ({_origin(memory)})" for memory in memories)


def _origin(memory: Memory | Hit) -> str:
    reported = f", reported by {memory.reported_by}, not confirmed by the user" if memory.reported_by else ""
    return memory.ts[:10] + reported


def _last_user_message(runtime: Runtime) -> HumanMessage:
    return next(message for message in reversed(runtime.state["messages"]) if isinstance(message, HumanMessage))


def has_tool_results(message: AnyMessage) -> bool:
    """Check whether a message contains what a tool other than the memory tools returned: text of third parties."""
    if isinstance(message, ToolMessage):
        return message.name not in MEMORY_TOOLS
    return bool(provider_searches(message))


def _has_web_results(message: AnyMessage) -> bool:
    if isinstance(message, AIMessage):
        return bool(provider_searches(message))
    return isinstance(message, ToolMessage) and message.name == WEB_SEARCH


def _store(runtime: Runtime) -> BaseStore:
    if runtime.store is None:
        raise ToolException("Memory is not available.")
    return runtime.store
