"""Requests about memory as a whole, which are executed before the reply; see `language.requests.control_requests`."""

import time
from collections.abc import Set
from dataclasses import dataclass
from typing import Protocol

from agent.chat.outcome import Call, Outcome, restored_call
from agent.language.requests.control_requests import Control
from agent.memory.editing.library import Library
from agent.memory.editing.selection import load_statements
from agent.memory.records import inbox
from agent.models.request_results import ENGLISH
from agent.prompt_text import neutralise
from agent.types import MessageId, ThreadId, UserId


class Accounts(Protocol):
    """The accounts of users."""

    async def update(self, user: UserId, *, memory_enabled: bool) -> object:
        """Turn the memory of a user on or off, for future messages."""


PAUSE = "pause_memory"
RESUME = "resume_memory"
CONVERSATION = "conversation"
"""The part of the id of a request to forget the conversation."""
_SETTINGS = "memory_settings"


@dataclass(frozen=True, slots=True)
class ControlExecution:
    """Executes the request of one message."""

    library: Library
    user: UserId
    thread: ThreadId
    messages: Set[MessageId]
    """The user's messages in the window of the thread."""
    message: MessageId
    """The message of the request."""
    previous: MessageId | None
    """The user's message before it."""
    control: Control
    memory_enabled: bool
    """Whether the turn may read and write memory."""
    accounts: Accounts | None
    """None: the gateway that follows the run changes the account."""
    is_followed: bool
    """Whether a gateway follows the run."""

    async def run(self) -> Outcome:
        """Execute the request."""
        started_at = time.perf_counter()
        private: bool | None = None
        match self.control:
            case "pause":
                calls = await self._switch(PAUSE, ENGLISH.paused, enabled=False)
            case "resume":
                calls, private = await self._switch(RESUME, ENGLISH.resumed, enabled=True), False
            case "private":
                calls, private = await self._forget_conversation(ENGLISH.private), True
            case "incognito":
                calls, private = (Call(_SETTINGS, {}, ENGLISH.incognito),), True
            case "public":
                calls, private = await self._restore(), False
            case "conversation":
                calls = await self._forget_conversation(ENGLISH.conversation)
            case "status":
                calls = (Call(_SETTINGS, {}, ENGLISH.is_on if self.memory_enabled else ENGLISH.is_off),)
            case "transfer" | "account" | "view":
                calls = (Call(_SETTINGS, {}, getattr(ENGLISH, self.control)),)
        return Outcome(calls, elapsed_ms=round((time.perf_counter() - started_at) * 1000, 2), private=private)

    def failed(self) -> Outcome:
        """The outcome of a request that failed."""
        return Outcome((Call(_SETTINGS, {}, ENGLISH.failed, "failed"),), has_failed=True)

    async def _switch(self, name: str, result: str, *, enabled: bool) -> tuple[Call, ...]:
        if self.accounts is not None:
            await self.accounts.update(self.user, memory_enabled=enabled)
        elif not self.is_followed:
            return (Call(_SETTINGS, {}, ENGLISH.not_switched, "failed"),)
        return (Call(name, {}, result),)

    async def _restore(self) -> tuple[Call, ...]:
        """Restore what the message before this one has asked to forget."""
        restored = await self.library.restore(self.user, [f"{self.previous} {CONVERSATION}"])
        return (*([restored_call(restored)] if restored else []), Call(_SETTINGS, {}, ENGLISH.public))

    async def _forget_conversation(self, result: str) -> tuple[Call, ...]:
        """Withdraw what comes only from the thread; its messages that are not processed yet form no memories."""
        if not self.memory_enabled:
            return (Call(_SETTINGS, {}, ENGLISH.is_off),)
        statements = await load_statements(self.library.store, self.user)
        learned = [one for one in statements if one.threads == {self.thread}]
        texts = await self.library.withdraw(self.user, learned, request=f"{self.message} {CONVERSATION}")
        await self.library.withhold(self.user, self.messages)
        await inbox.remove(self.library.store, self.user, list(self.messages))
        switched = Call(_SETTINGS, {}, result)
        if not texts:
            return (switched,)
        forgotten = f"{ENGLISH.forgotten} {'; '.join(map(neutralise, texts))}"
        return Call("forget", {"ids": [one.id for one in learned]}, forgotten), switched
