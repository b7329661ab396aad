"""The requests that concern memory in a message, and what remains of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from langchain_core.messages import AnyMessage, HumanMessage

from agent.chat.offers import Offered
from agent.language.authorship.private_messages import announces_private_message
from agent.language.authorship.word_tasks import awaits_text, is_text_of_task
from agent.language.facts.extraction import own_statements
from agent.language.message_analysis import MessageAnalysis
from agent.language.requests.control_requests import Control, control_request
from agent.language.requests.memory_remarks import RemarkKind
from agent.language.requests.memory_requests import (
    UNCERTAIN,
    MemoryRequest,
    refers_to_own_message,
    without_forget_requests,
)
from agent.language.requests.questions import is_other_task
from agent.language.requests.statement_matching import mentions
from agent.language.requests.undo_requests import asks_to_revert, asks_to_undo, control_to_undo
from agent.memory.editing.selection import Statement
from agent.memory.records import inbox
from agent.memory.records.inbox import InboxItem
from agent.text_process import analyse
from agent.types import MessageId

RemarkAction = RemarkKind | Literal["forget", "correct"]
"""The kind of a remark; `forget`: it also asks to forget what is wrong, `correct`: it says what is right."""


@dataclass(frozen=True, slots=True)
class RemarkPlan:
    """A remark about memories; see `remark_plan`."""

    action: RemarkAction
    statements: tuple[Statement, ...]
    """What it means; empty only for a topic that is not to be mentioned."""
    right: str = ""
    """What is right instead, or the preference not to mention something."""


@dataclass(frozen=True, slots=True)
class RequestPlan:
    """The requests of a message, and what remains of it."""

    item: InboxItem
    """The message without its requests; its text is empty if nothing remains."""
    message: str
    requests: Sequence[MemoryRequest] = ()
    chosen: Sequence[Offered] | None = None
    """What the message chooses from the list of the previous turn."""
    previous: MessageId | None = None
    """The user's message before this one, in the window."""
    previous_text: str = ""
    is_private: bool = False
    """Whether the user's message before this one asks that this one is not saved."""
    reverts: bool = False
    """Whether the message asks to undo what the one before it has stated."""
    control: Control | None = None
    """What the message asks for that concerns memory as a whole."""

    remark: RemarkPlan | None = None
    """What the message says about memories."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return not self.requests and self.chosen is None and self.control is None and self.remark is None

    @property
    def remembered(self) -> list[str]:
        """What the message asks to remember."""
        return [request.text for request in self.requests if request.action == "remember" and request.text]

    def in_order_of_execution(self) -> list[tuple[int, MemoryRequest]]:
        """The requests with their numbers: those that name what to forget first, unless one means what precedes it."""
        numbered = list(enumerate(self.requests))
        if any(request.scope == "previous" for request in self.requests):
            return numbered
        return sorted(numbered, key=lambda one: one[1].action == "remember")

    async def unexecuted(self, *, has_failed: bool) -> str:
        """The message as formation has to read it if its requests failed, or mean something else than memory."""
        if self.remark is not None or any(request.action == "restore" for request in self.requests):
            return self.item.text if self.remark else ""
        if not has_failed and all(request.scope in UNCERTAIN for request in self.requests):
            return self.message
        return await analyse(without_forget_requests, self.message, chars=len(self.message))

    async def statements_before(self, request: MemoryRequest) -> list[str]:
        """What the user states in the message before one of its requests."""
        text = self.message[: request.span[0]]
        return await analyse(own_statements, text, chars=len(text))

    async def is_about_itself(self, request: MemoryRequest) -> bool:
        """Whether a request means what precedes it in the message."""
        text = self.message[: request.span[1]]
        return self.is_private or await analyse(refers_to_own_message, text, request, chars=len(text))

    async def follows_task(self, request: MemoryRequest, statements: Sequence[Statement]) -> bool:
        """Whether a request may concern what the message before this one asks for, or what it mentions in passing."""
        if await analyse(is_other_task, self.previous_text, chars=len(self.previous_text)):
            return True
        said = [one for one in statements if self.previous in one.messages]
        return mentions(self.previous_text, request.text) and not any(mentions(one.text, request.text) for one in said)


async def plan_requests(item: InboxItem, messages: Sequence[AnyMessage], offered: Sequence[Offered]) -> RequestPlan:
    """Analyse the last message of a thread, and find its requests."""
    earlier = [message for message in messages[:-1] if isinstance(message, HumanMessage)]
    previous = MessageId(earlier[-1].id or "") if earlier else None
    previous_text = earlier[-1].text if earlier else ""
    empty = inbox.without_text(item)
    if announces_private_message(previous_text):
        request = MemoryRequest("forget", "previous", "", (0, len(item.text)))
        return RequestPlan(empty, item.text, (request,), None, previous, previous_text, is_private=True)
    if control := await analyse(control_request, item.text, chars=len(item.text)):
        remaining = await inbox.analysed(replace(item, text=control.rest))
        return RequestPlan(remaining, control.rest, (), None, previous, previous_text, control=control.control)
    if undone := await analyse(control_to_undo, item.text, previous_text, chars=len(previous_text)):
        return RequestPlan(empty, "", (), None, previous, previous_text, control=undone)
    reverts = await analyse(asks_to_revert, item.text, previous_text, chars=len(previous_text))
    if reverts or await analyse(asks_to_undo, item.text, previous_text, chars=len(previous_text)):
        request = MemoryRequest("restore", "previous", "", (0, len(item.text)))
        return RequestPlan(empty, item.text, (request,), None, previous, previous_text, reverts=reverts)
    is_material = awaits_text(previous_text, is_first=len(earlier) == 1)
    if is_material and await analyse(is_text_of_task, item.text, chars=len(item.text)):
        return RequestPlan(empty, item.text, (), None, previous, previous_text)
    texts = [one["text"] for one in offered]
    found = await analyse(MessageAnalysis.of, item.text, texts, chars=len(item.text))
    chosen = None if found.chosen is None else [offered[number - 1] for number in found.chosen]
    remaining = replace(item, text=found.rest, content=found.content)
    return RequestPlan(remaining, item.text, found.requests, chosen, previous, previous_text)
