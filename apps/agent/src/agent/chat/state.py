"""What a thread is between two turns, and what a turn adds to it while it lasts."""

from collections.abc import Sequence
from typing import Annotated, NotRequired, TypedDict

from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.channels import UntrackedValue
from langgraph.graph.message import add_messages

from agent.chat.notes import Note
from agent.memory.records.inbox import InboxItem


class ChatState(TypedDict):
    """A thread's window, what has become of the rest, and what lives for one turn only and is never saved."""

    messages: Annotated[list[AnyMessage], add_messages]
    summary: NotRequired[str]
    notes: NotRequired[list[Note]]
    fallen: NotRequired[int]
    """How many of the user's messages are no longer in the window."""
    item: NotRequired[Annotated[InboxItem, UntrackedValue]]
    tip: NotRequired[Annotated[str, UntrackedValue]]


def turn_number(state: ChatState) -> int:
    """Return which of the thread's turns this is, from 1."""
    return state.get("fallen", 0) + user_message_count(state["messages"])


def user_message_count(messages: Sequence[AnyMessage]) -> int:
    """Return how many of the messages are the user's."""
    return sum(isinstance(message, HumanMessage) for message in messages)
