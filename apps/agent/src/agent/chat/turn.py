"""The current turn of a thread, as read from its state."""

from dataclasses import dataclass

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.store.base import BaseStore

from agent.chat.follow_ups import with_antecedent
from agent.chat.remark_plan import RemarkReader
from agent.chat.request_plan import RequestPlan, plan_requests
from agent.chat.run_config import (
    completion,
    is_private,
    memory_enabled,
    user_and_thread,
    user_time_zone,
    without_saving,
)
from agent.chat.state import ChatState, current_turn
from agent.language.requests.control_requests import Control, control_request
from agent.language.requests.question_context import complete_question
from agent.log_context import bind_user
from agent.memory.recall.tip import StandingPart
from agent.memory.records import inbox
from agent.memory.records.inbox import InboxItem
from agent.models.exchanges import exchanges
from agent.timestamps import now
from agent.types import MessageId, UserId

_SWITCHES = frozenset[Control]({"private", "incognito", "public", "resume"})
MAX_EARLIER_MESSAGES = 100
"""Messages of a client's conversation that are searched for a request to save nothing of it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn begins with."""

    user: UserId
    text: str
    """The message."""
    query: str
    """The message, with what a question leaves to the context."""
    item: InboxItem
    """The message without the requests that are executed before the reply; empty if it must not be saved."""
    requests: RequestPlan
    window_ids: frozenset[str]
    message_ids: frozenset[MessageId]
    """The user's messages in the window."""
    memory_enabled: bool
    standing: StandingPart | None
    """The standing part of the thread's earlier turns."""


async def read_turn(state: ChatState, config: RunnableConfig, store: BaseStore) -> Turn:
    """Read the turn of the last message of the user; `config` is that of `with_privacy`."""
    user, thread = user_and_thread(config)
    bind_user(user)  # on a LangGraph server, no request has done so
    [message, *_] = current_turn(state["messages"])
    item = InboxItem(MessageId(message.id or ""), thread, message.text, now(), time_zone=user_time_zone(config) or "")
    ids = frozenset(message.id or "" for message in state["messages"])
    own = frozenset(MessageId(one.id) for one in state["messages"] if isinstance(one, HumanMessage) and one.id)
    thread_messages = state["messages"][: state["messages"].index(message) + 1]
    offered, enabled = state.get("offered", ()), memory_enabled(config)
    reader = RemarkReader(store, user, item, thread_messages, offered, is_saved=not is_private(config))
    remark = await reader.read() if enabled else None
    choices = [one for one in offered if not one.get("withdrawn")]
    requests = remark or await plan_requests(item, thread_messages, choices)
    remaining = requests.item
    if is_private(config):
        remaining = inbox.without_text(remaining)
    elif enabled and requests.is_empty and remaining.text:
        remaining = await with_antecedent(remaining, thread_messages[:-1], store, user)
    query = complete_question(message.text, exchanges(thread_messages[:-1]))
    return Turn(user, item.text, query, remaining, requests, ids, own, enabled, state.get("standing"))


def with_privacy(config: RunnableConfig, state: ChatState) -> RunnableConfig:
    """The config of a run; it saves nothing in a thread whose user has asked for that in an earlier message.

    The conversations of clients have no state, so their earlier messages are searched for the request.
    """
    if not completion(config):
        return without_saving(config) if state.get("private") else config
    earlier = [one.text for one in state["messages"][:-1] if isinstance(one, HumanMessage)][-MAX_EARLIER_MESSAGES:]
    controls = [found.control for text in earlier if (found := control_request(text))]
    switches = [control for control in controls if control in _SWITCHES]
    return without_saving(config) if switches and switches[-1] in {"private", "incognito"} else config
