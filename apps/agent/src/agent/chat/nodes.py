"""The chat graph.

    START ─▶ answer ─▶ remember ─▶ END
             ▲    ▼
             tools

The message is added to the inbox before the model is called, so that other threads can recall it immediately. Recall
is part of `answer`: as a node of its own, it would delay the model by more than the search takes. Memory never delays
or breaks an answer: its errors are logged and reported as `degraded`, and formation catches up later.
A thread's state consists of its window, its summary, its notes, and the parts of the prompt that are repeated.
"""

import asyncio
import logging
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore
from langgraph.types import Command, StreamWriter

from agent.background import started, yield_to_loop
from agent.chat.base_prompt import BasePromptWriter, notices
from agent.chat.client_history import client_calls, without_client_calls
from agent.chat.maintenance import Maintenance
from agent.chat.memory_control import ControlExecution
from agent.chat.memory_requests import RequestExecution
from agent.chat.memory_tools import has_tool_results
from agent.chat.notes import merge_notes
from agent.chat.outcome import Outcome
from agent.chat.remark_execution import RemarkExecution
from agent.chat.reply import PromptContext, ReplyGenerator
from agent.chat.run_config import (
    ChatContext,
    completion,
    follows_remotely,
    is_enqueued,
    is_private,
    saves_messages,
    user_and_thread,
    user_time_zone,
)
from agent.chat.state import ChatInput, ChatState, current_turn, turn_number
from agent.chat.toolbox import calls_tools
from agent.chat.trim import token_counter
from agent.chat.turn import Turn, read_turn, with_privacy
from agent.chat.window import Window
from agent.conversations.commit_gate import wait_until_accepted, wait_until_committed
from agent.deadlines import waiting_timeout
from agent.log_context import bind_user
from agent.memory.recall.nearest import nearest_texts
from agent.memory.recall.recall import Recaller
from agent.memory.recall.tip import NO_TIP, Tip, TipBudget, write_tip
from agent.memory.records import inbox
from agent.memory.records.inbox import InboxItem
from agent.memory.rules import Fact, extract_from_response, extract_from_tool_result
from agent.models.chat import translated_model_errors
from agent.timestamps import to_local
from agent.types import RecallResult

logger = logging.getLogger(__name__)

ANSWER = "answer"
"""The node whose tokens are streamed to the user."""

REQUEST_SECONDS = 10.0
"""Deadline for the requests to remember and forget in a message."""

NextNode = Command[Literal["tools", "remember"]]


@dataclass(frozen=True, slots=True)
class ChatGraph:
    """The nodes of the graph and their dependencies."""

    replies: ReplyGenerator
    window: Window
    recaller: Recaller
    tip_budget: TipBudget
    base_prompts: BasePromptWriter
    maintenance: Maintenance | None = None
    """Maintenance at the end of a turn; None if jobs do it."""

    def build(self) -> StateGraph[ChatState, ChatContext, ChatInput, ChatState]:
        """Build the graph. Compile it with a store and, outside LangGraph Platform, a checkpointer."""
        graph = StateGraph(ChatState, context_schema=ChatContext, input_schema=ChatInput)
        graph.add_node(ANSWER, self.answer)
        graph.add_node("tools", self.use_tools)
        graph.add_node("remember", self.remember)
        graph.add_edge(START, ANSWER)
        graph.add_edge("tools", ANSWER)
        graph.add_edge("remember", END)
        return graph

    async def answer(
        self, state: ChatState, config: RunnableConfig, *, writer: StreamWriter, store: BaseStore
    ) -> NextNode:
        """Add the message to the inbox, recall memories, and call the model with the tip.

        The inbox item is added at the same time, also if the rest fails, and gets its vector during the model call.
        """
        config = with_privacy(config, state)
        if "item" in state:  # after a tool call
            return _route({"messages": await self._reply(state, config, writer)}, config, writer)
        turn = await read_turn(state, config, store)
        outcome = await self._execute_requests(turn, config, store)
        if outcome.has_failed or (turn.requests.requests and not outcome.calls):  # or they mean something else
            item = await inbox.analysed(
                replace(turn.item, text=await turn.requests.unexecuted(has_failed=outcome.has_failed))
            )
            turn = replace(turn, item=item)
        base_prompt = self.base_prompts.write(
            state.get("base_prompt"),
            user_time_zone(config),
            memory=turn.memory_enabled,
            is_private=is_private(config),
            with_minutes=completion(config) is None,
        )
        async with started(self._add_to_inbox(turn, config, writer, store)) as in_inbox:
            tip = await self._recall(turn, config, writer, store)
            for event in outcome.events:
                writer(event)
            if outcome.calls:
                await yield_to_loop()  # these events precede the first token
                await yield_to_loop()
            update: dict[str, Any] = {"tip": tip, "base_prompt": base_prompt, "done": outcome.note}
            if state.get("offered") or outcome.offered:
                update["offered"] = outcome.offered
            if outcome.private is not None:
                update["private"] = outcome.private
            if tip is not NO_TIP:
                update["standing"] = tip.standing
            await wait_until_accepted(config)
            reply, item = await asyncio.gather(
                self._reply(cast("ChatState", state | update), config, writer),
                self._add_vector(turn, store, in_inbox),
            )
        return _route({"messages": reply, "item": item, **update}, config, writer)

    async def use_tools(self, state: ChatState, config: RunnableConfig) -> dict[str, Any]:
        """Run the tools that the model called, and take notes of their results."""
        config = with_privacy(config, state)
        results = await self.replies.tools.use(state["messages"], config, done=state.get("done", ""))
        turn = turn_number(state)
        facts = [fact for result in results for fact in extract_from_tool_result(result.name or "", result.text, turn)]
        return {"messages": results, **_notes_update(state, facts)}

    async def remember(
        self, state: ChatState, config: RunnableConfig, *, writer: StreamWriter, store: BaseStore
    ) -> dict[str, Any] | None:
        """Add the answer to the inbox item, maintain the memory if there are no jobs, and compress the window."""
        user, _ = user_and_thread(config)
        bind_user(user)
        config = with_privacy(config, state)
        answer = state["messages"][-1].text
        if saves_messages(config):
            item = replace(state["item"], read_tools=any(map(has_tool_results, current_turn(state["messages"]))))
            await self._within_deadline("adding the answer", inbox.add_answer(store, user, item, answer))
        if follows_remotely(config):
            writer({"answered": True})
        if self.maintenance is not None:
            await self.maintenance.run(user, state["messages"], config, store)
        if completion(config):
            return None  # the client keeps the messages
        update = _notes_update(state, extract_from_response(answer, turn_number(state)))
        name = self._model_name(config)
        max_tokens = self.replies.max_prompt_tokens(name, self.replies.tools.available(config, ()))
        compressed = await self.window.compress(
            cast("ChatState", state | update), config, store, max_tokens=max_tokens, count=token_counter(name)
        )
        return update | compressed or None

    async def _reply(self, state: ChatState, config: RunnableConfig, writer: StreamWriter) -> list[BaseMessage]:
        notice = notices(current_turn(state["messages"])[0].text)
        context = PromptContext(
            standing=state["tip"].standing["text"],
            base_prompt=state["base_prompt"]["text"],
            recalled="\n\n".join(filter(None, [state["tip"].recalled, notice, state.get("done", "")])),
            summary=state.get("summary", ""),
            notes=state.get("notes", ()),
            dropped_turns=state.get("fallen", 0),
            nearest=state["tip"].nearest,
        )
        with translated_model_errors():
            return await self.replies.reply(self._model_name(config), state["messages"], context, config, writer)

    async def _execute_requests(self, turn: Turn, config: RunnableConfig, store: BaseStore) -> Outcome:
        """Execute the requests that concern memory in the message."""
        is_control = turn.requests.control is not None  # memory that is off can be turned on
        if turn.requests.is_empty or is_enqueued(config) or not (turn.memory_enabled or is_control):
            return Outcome()
        await wait_until_accepted(config)
        await wait_until_committed(config)
        execution = self._execution(turn, config, store)
        try:
            async with asyncio.timeout(REQUEST_SECONDS):
                return await execution.run()
        except Exception as error:  # a memory error of any kind must not break an answer
            logger.warning("a request to remember or to forget failed", exc_info=error)
            return execution.failed()

    def _execution(
        self, turn: Turn, config: RunnableConfig, store: BaseStore
    ) -> RequestExecution | ControlExecution | RemarkExecution:
        tools = self.replies.tools
        library = tools.library(store)
        if turn.requests.remark is not None:
            return RemarkExecution(library, turn.user, turn.requests, turn.requests.remark)
        if turn.requests.control is None:
            return RequestExecution(library, turn.user, turn.requests)
        return ControlExecution(
            library,
            turn.user,
            turn.item.thread,
            turn.message_ids,
            turn.item.message,
            turn.requests.previous,
            control=turn.requests.control,
            memory_enabled=turn.memory_enabled,
            accounts=tools.accounts,
            is_followed=follows_remotely(config),
        )

    async def _add_to_inbox(self, turn: Turn, config: RunnableConfig, writer: StreamWriter, store: BaseStore) -> bool:
        await wait_until_committed(config)
        if is_private(config):
            withheld = self.replies.tools.library(store).withhold(turn.user, {turn.item.message})
            await self._within_deadline("withholding the message", withheld)
        if turn.memory_enabled and (not turn.item.text or is_enqueued(config)):  # nothing remains to be formed
            writer({"in_inbox": True})
            return False
        in_inbox = turn.memory_enabled and await self._within_deadline(
            "adding the message", inbox.add(store, turn.user, turn.item)
        )
        writer({"in_inbox": in_inbox})
        return in_inbox

    async def _add_vector(self, turn: Turn, store: BaseStore, in_inbox: Awaitable[bool]) -> InboxItem:
        """Add the vector to the inbox item; return the item, which is standing if its vector shows it."""
        item = turn.item
        if await in_inbox:
            await yield_to_loop()  # send the model request first
            item = replace(item, standing=item.recallable and await self.recaller.is_standing(turn.user, item.text))
            await self._within_deadline("adding the vector", inbox.add_vector(store, turn.user, item))
        return item

    async def _recall(self, turn: Turn, config: RunnableConfig, writer: StreamWriter, store: BaseStore) -> Tip:
        """Recall memories for the message, and write the tip."""
        recalled, tip = RecallResult(), NO_TIP
        if turn.memory_enabled and turn.text.strip():
            shown = turn.standing["hits"] if turn.standing else ()
            local_now = to_local(turn.item.ts, turn.item.time_zone)
            recalled = await self.recaller.recall(
                store, turn.user, turn.query, context_messages=turn.window_ids, shown=shown, now=local_now
            )
            if not recalled.has_failed:
                previous = None if recalled.has_changed else turn.standing
                if completion(config):  # there is no state, and the prefix of the prompt is to stay the same
                    standing = replace(recalled, hits=())
                    previous = write_tip(standing, self.tip_budget, model=self._model_name(config)).standing
                tip = write_tip(recalled, self.tip_budget, model=self._model_name(config), previous=previous)
                tip = replace(tip, nearest=nearest_texts(recalled.hits, self.recaller.calibrator.current))
        writer({"recalled": tip, "degraded": recalled.degraded, "model": self._model_name(config)})
        return tip

    def _model_name(self, config: RunnableConfig) -> str:
        return self.replies.models.resolve_name(config["configurable"].get("model"))

    async def _within_deadline(self, name: str, operation: Awaitable[None]) -> bool:
        """Await a memory operation within the recall deadline; False if it failed: the answer continues without it."""
        try:
            async with waiting_timeout(self.recaller.deadline_seconds):
                await operation
        except Exception as error:  # a memory error of any kind must not break an answer
            logger.warning("%s to the inbox failed; formation catches up later", name, exc_info=error)
            return False
        return True


def _route(update: dict[str, Any], config: RunnableConfig, writer: StreamWriter) -> NextNode:
    """Continue with the tools or the last node; a conditional edge would take a millisecond longer.

    If the model calls functions of the client, the turn ends with these calls. If it also calls our tools, these are
    used first, and the model then decides again.
    """
    answer = update["messages"][-1]
    if (request := completion(config)) and (calls := client_calls(answer, request)):
        answer = without_client_calls(answer, request)
        update["messages"][-1] = answer
        if not answer.tool_calls:
            writer({"client_calls": calls})
            return Command(update=update, goto="remember")
    return Command(update=update, goto="tools" if calls_tools(answer) else "remember")


def _notes_update(state: ChatState, facts: list[Fact]) -> dict[str, Any]:
    return {"notes": merge_notes(state.get("notes", ()), facts)} if facts else {}
