"""The chat graph.

    START ─▶ answer ─▶ remember ─▶ END

What the user said is noted before the model is asked, and can be recalled from their other threads at once. Recall is
how an answer begins, and no node of its own: a step of the graph would keep the model waiting for longer than the
search does. Memory never delays or breaks an answer: what fails around it is logged, told, and made good by formation.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, TypedDict

from langchain_core.messages import AnyMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.channels import UntrackedValue
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.store.base import BaseStore
from langgraph.types import StreamWriter

from agent.memory import inbox
from agent.memory.documents import now
from agent.memory.inbox import InboxItem
from agent.memory.namespaces import checked_user_id
from agent.memory.recall import Recaller
from agent.memory.tip import write_tip
from agent.models.chat import ChatModels, translated_model_errors
from agent.types import MessageId, Recalled, ThreadId, UserId

logger = logging.getLogger(__name__)

ANSWER = "answer"
"""The node whose tokens are the answer's."""

Drain = Callable[[BaseStore, UserId], Awaitable[object]]


class ChatState(TypedDict):
    """A thread's messages, and what lives for one turn only and is never saved."""

    messages: Annotated[list[AnyMessage], add_messages]
    item: NotRequired[Annotated[InboxItem, UntrackedValue]]


@dataclass(frozen=True, slots=True)
class ChatGraph:
    """The nodes of the graph, and what they need."""

    models: ChatModels
    recaller: Recaller
    tip_max_chars: int
    drain: Drain | None = None
    """Distils the inbox at the end of a turn, where no queue of ours does."""

    def build(self) -> StateGraph[ChatState]:
        """Return the graph, to be compiled with a store and, outside the platform, a checkpointer."""
        graph = StateGraph(ChatState)
        graph.add_node(ANSWER, self.answer)
        graph.add_node("remember", self.remember)
        graph.add_edge(START, ANSWER)
        graph.add_edge(ANSWER, "remember")
        graph.add_edge("remember", END)
        return graph

    async def answer(
        self, state: ChatState, config: RunnableConfig, *, writer: StreamWriter, store: BaseStore
    ) -> dict[str, Any]:
        """Keep the message in the inbox, ask memory what it has to say to it, and let the model answer.

        The tip goes before the thread's messages, and is not one of them. The message gets its vector while the model
        is awaited.
        """
        turn = _turn(state, config)
        noted, tip = await asyncio.gather(self._note(turn, writer, store), self._ask(turn, writer, store))
        prompt = [SystemMessage(tip), *state["messages"]] if tip else state["messages"]
        model = self.models.get(config["configurable"].get("model"))
        with translated_model_errors():
            reply, _ = await asyncio.gather(model.ainvoke(prompt, config), self._index(turn, store, noted=noted))
        return {"messages": [reply], "item": turn.item}

    async def remember(self, state: ChatState, config: RunnableConfig, *, store: BaseStore) -> None:
        """Add the answer to the inbox item, and distil where nobody else will."""
        if not _remembers(config):
            return
        user, _ = _whose(config)
        await self._in_time("remembering", inbox.answered(store, user, state["item"], state["messages"][-1].text))
        if self.drain is not None:
            await self.drain(store, user)

    async def _note(self, turn: "_Turn", writer: StreamWriter, store: BaseStore) -> bool:
        """Put the message into the inbox, and tell by the event `noted` whether that worked."""
        noted = turn.remembers and await self._in_time("noting", inbox.note(store, turn.user, turn.item))
        writer({"noted": noted})
        return noted

    async def _index(self, turn: "_Turn", store: BaseStore, *, noted: bool) -> None:
        if noted:
            await self._in_time("indexing", inbox.index(store, turn.user, turn.item))

    async def _ask(self, turn: "_Turn", writer: StreamWriter, store: BaseStore) -> str:
        """Recall, say what was recalled, and return the tip."""
        recalled = Recalled()
        if turn.remembers and turn.item.text.strip():
            recalled = await self.recaller.recall(store, turn.user, turn.item.text, present=turn.present)
        tip = write_tip(recalled.hits, max_chars=self.tip_max_chars)
        writer({"recalled": recalled, "tip_chars": len(tip)})
        return tip

    async def _in_time(self, doing: str, work: Awaitable[None]) -> bool:
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
    user, thread = _whose(config)
    last = state["messages"][-1]
    item = InboxItem(MessageId(last.id or ""), thread, last.text, now())
    return _Turn(user, item, frozenset(message.id or "" for message in state["messages"]), _remembers(config))


def _whose(config: RunnableConfig) -> tuple[UserId, ThreadId]:
    """Return the user and thread of a turn; our checkpoint key is `<user>/<thread>`, the platform's the thread's UUID.

    Raises:
        InvalidIdError: there is no user id that could be one.
    """
    configurable = config["configurable"]
    user = checked_user_id(configurable.get("user_id"))
    return user, ThreadId(str(configurable.get("thread_id", "")).rpartition("/")[2])


def _remembers(config: RunnableConfig) -> bool:
    return bool(config["configurable"].get("memory", True))
