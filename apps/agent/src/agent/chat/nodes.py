"""The chat graph.

    START ─▶ answer ─▶ remember ─▶ END
             ▲    ▼
             tools

What the user said is noted before the model is asked, and can be recalled from their other threads at once. Recall is
how an answer begins, and no node of its own: a step of the graph would keep the model waiting for longer than the
search does. Memory never delays or breaks an answer: what fails around it is logged, told, and made good by formation.
A thread's state is its window, its summary and its notes: what falls out of the window is summed up after an answer.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, cast

from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore
from langgraph.types import Command, StreamWriter

from agent.background import yield_to_loop
from agent.chat.notes import merge_notes
from agent.chat.reply import PromptContext, ReplyGenerator
from agent.chat.run_config import memory_enabled, user_and_thread
from agent.chat.state import ChatState, turn_number
from agent.chat.toolbox import calls_tools
from agent.chat.trim import token_counter
from agent.chat.window import Window
from agent.language.facts import Fact, extract_from_response, extract_from_tool_result
from agent.memory.recall.recall import Recaller
from agent.memory.recall.tip import TipBudget, write_tip
from agent.memory.records import inbox
from agent.memory.records.inbox import InboxItem
from agent.models.chat import translated_model_errors
from agent.timestamps import now
from agent.types import MessageId, RecallResult, UserId

logger = logging.getLogger(__name__)

ANSWER = "answer"
"""The node whose tokens are the answer's."""

Next = Command[Literal["tools", "remember"]]
ProcessInbox = Callable[[BaseStore, UserId], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class ChatGraph:
    """The nodes of the graph, and what they need."""

    replies: ReplyGenerator
    window: Window
    recaller: Recaller
    tip_budget: TipBudget
    process_inbox: ProcessInbox | None = None
    """Distils the inbox at the end of a turn, where no queue of ours does."""

    def build(self) -> StateGraph[ChatState]:
        """Return the graph, to be compiled with a store and, outside the platform, a checkpointer."""
        graph = StateGraph(ChatState)
        graph.add_node(ANSWER, self.answer)
        graph.add_node("tools", self.use_tools)
        graph.add_node("remember", self.remember)
        graph.add_edge(START, ANSWER)
        graph.add_edge("tools", ANSWER)
        graph.add_edge("remember", END)
        return graph

    async def answer(self, state: ChatState, config: RunnableConfig, *, writer: StreamWriter, store: BaseStore) -> Next:
        """Keep the message in the inbox, ask memory what it has to say to it, and let the model answer.

        The tip goes before the thread's messages, and is not one of them. The message gets its vector while the model
        is awaited.
        """
        if "item" in state:  # the tools have been used; what memory has to say is known
            return _route({"messages": await self._reply(state, state["tip"], config, writer)})
        turn = _turn(state, config)
        noted, tip = await asyncio.gather(self._add_to_inbox(turn, writer, store), self._recall(turn, config, writer, store))
        reply, _ = await asyncio.gather(self._reply(state, tip, config, writer), self._add_vector(turn, store, noted=noted))
        return _route({"messages": reply, "item": turn.item, "tip": tip})

    async def use_tools(self, state: ChatState, config: RunnableConfig) -> dict[str, Any]:
        """Run the tools that the model called, and note what they brought to light."""
        results = await self.replies.tools.use(state["messages"], config)
        turn = turn_number(state)
        facts = [fact for one in results for fact in extract_from_tool_result(one.name or "", one.text, turn)]
        return {"messages": results, **_notes_update(state, facts)}

    async def remember(self, state: ChatState, config: RunnableConfig, *, store: BaseStore) -> dict[str, Any] | None:
        """Add the answer to the inbox item, distil where nobody else will, and keep the window small."""
        user, _ = user_and_thread(config)
        answer = state["messages"][-1].text
        if memory_enabled(config):
            await self._within_deadline("remembering", inbox.add_answer(store, user, state["item"], answer))
            if self.process_inbox is not None:
                await self.process_inbox(store, user)
        update = _notes_update(state, extract_from_response(answer, turn_number(state)))
        name = self.replies.models.name(config["configurable"].get("model"))
        room = self.replies.max_prompt_tokens(name, self.replies.tools.available(config, ()))
        shrunk = await self.window.compress(
            cast("ChatState", state | update), config, store, max_tokens=room, count=token_counter(name)
        )
        return update | shrunk or None

    async def _reply(
        self, state: ChatState, tip: str, config: RunnableConfig, writer: StreamWriter
    ) -> list[BaseMessage]:
        name = self.replies.models.name(config["configurable"].get("model"))
        briefing = PromptContext(tip, state.get("summary", ""), state.get("notes", ()), state.get("fallen", 0))
        with translated_model_errors():
            return await self.replies.reply(name, state["messages"], briefing, config, writer)

    async def _add_to_inbox(self, turn: "_Turn", writer: StreamWriter, store: BaseStore) -> bool:
        """Put the message into the inbox, and tell by the event `noted` whether that worked."""
        noted = turn.remembers and await self._within_deadline("noting", inbox.add(store, turn.user, turn.item))
        writer({"noted": noted})
        return noted

    async def _add_vector(self, turn: "_Turn", store: BaseStore, *, noted: bool) -> None:
        if noted:
            await yield_to_loop()  # nothing shall hold up the model's request
            await self._within_deadline("indexing", inbox.add_vector(store, turn.user, turn.item))

    async def _recall(self, turn: "_Turn", config: RunnableConfig, writer: StreamWriter, store: BaseStore) -> str:
        """Recall, say what was recalled, and return the tip."""
        recalled = RecallResult()
        if turn.remembers and turn.item.text.strip():
            recalled = await self.recaller.recall(store, turn.user, turn.item.text, context_messages=turn.present)
        model = self.replies.models.name(config["configurable"].get("model"))
        tip = write_tip(recalled, self.tip_budget, model=model)
        writer({"recalled": recalled, "tip_chars": len(tip)})
        return tip

    async def _within_deadline(self, doing: str, work: Awaitable[None]) -> bool:
        """Do something for memory within the deadline; say whether it worked, and let the answer go on."""
        try:
            async with asyncio.timeout(self.recaller.deadline_seconds):
                await work
        except Exception as error:  # whatever is wrong with memory, it must not break an answer
            logger.warning("%s failed; formation will make it good", doing, exc_info=error)
            return False
        return True


@dataclass(frozen=True, slots=True)
class _Turn:
    """What a turn is about: whose it is, the message, and the messages that stand in the thread."""

    user: UserId
    item: InboxItem
    present: frozenset[str]
    remembers: bool


def _turn(state: ChatState, config: RunnableConfig) -> _Turn:
    user, thread = user_and_thread(config)
    last = state["messages"][-1]
    item = InboxItem(MessageId(last.id or ""), thread, last.text, now())
    return _Turn(user, item, frozenset(message.id or "" for message in state["messages"]), memory_enabled(config))


def _route(update: dict[str, Any]) -> Next:
    """Go to the tools that the model calls, or to the end; a conditional edge would take a millisecond longer."""
    return Command(update=update, goto="tools" if calls_tools(update["messages"][-1]) else "remember")


def _notes_update(state: ChatState, facts: list[Fact]) -> dict[str, Any]:
    return {"notes": merge_notes(state.get("notes", ()), facts)} if facts else {}
