"""The state of a thread in the chat graph."""

from collections.abc import Sequence
from typing import Annotated, NotRequired

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.channels import UntrackedValue
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict  # pydantic requires it below Python 3.12 for the schemas of a LangGraph server

from agent.chat.base_prompt import BasePrompt
from agent.chat.notes import Note
from agent.chat.offers import Offered
from agent.chat.web_search import provider_searches
from agent.memory.formation.batch import MAX_CONTEXT_MESSAGES, ContextMessage, ContextReader
from agent.memory.recall.tip import StandingPart, Tip
from agent.memory.records.inbox import InboxItem
from agent.types import UserId


class ChatInput(TypedDict):
    """The input of a run."""

    messages: Annotated[list[AnyMessage], add_messages]
    """The user's message."""


class ChatState(TypedDict):
    """The state that a checkpoint saves, and untracked values that exist for one turn only."""

    messages: Annotated[list[AnyMessage], add_messages]
    """The window."""
    summary: NotRequired[str]
    """The summary of all messages that have left the window."""
    notes: NotRequired[list[Note]]
    fallen: NotRequired[int]
    """How many of the user's messages have left the window."""
    standing: NotRequired[StandingPart]
    """The standing part of the tip."""
    base_prompt: NotRequired[BasePrompt]
    private: NotRequired[bool]
    """Whether nothing of the thread may be saved in the user's memory."""
    offered: NotRequired[Sequence[Offered]]
    """The list that the last turn offered to choose from; empty if it offered none."""
    done: NotRequired[Annotated[str, UntrackedValue]]
    """What was done for the user's message before the reply; see `Outcome.note`."""
    item: NotRequired[Annotated[InboxItem, UntrackedValue]]
    tip: NotRequired[Annotated[Tip, UntrackedValue]]


def turn_number(state: ChatState) -> int:
    """The number of the current turn in the thread, from 1."""
    return state.get("fallen", 0) + user_message_count(state["messages"])


def current_turn(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """The user's last message and everything after it."""
    start = max((n for n, message in enumerate(messages) if isinstance(message, HumanMessage)), default=0)
    return list(messages[start:])


def context_reader(messages: Sequence[AnyMessage]) -> ContextReader:
    """Make a reader of the context in the messages of one thread; items of other threads have none."""

    async def read_context(user: UserId, item: InboxItem) -> Sequence[ContextMessage]:
        del user
        ids = [message.id for message in messages]
        earlier = messages[: ids.index(item.message)] if item.message in ids else ()
        context = []
        read_tools = False
        for message in earlier:
            if isinstance(message, HumanMessage):
                read_tools = False
                context.append(ContextMessage("user", message.text))
            elif isinstance(message, AIMessage):
                context.append(ContextMessage("assistant", message.text, read_tools))
            read_tools |= isinstance(message, ToolMessage) or bool(provider_searches(message))
        return [message for message in context if message.text][-MAX_CONTEXT_MESSAGES:]

    return read_context


def user_message_count(messages: Sequence[AnyMessage]) -> int:
    """Count the user's messages."""
    return sum(isinstance(message, HumanMessage) for message in messages)
