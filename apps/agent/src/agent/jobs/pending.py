"""The messages that formation has not processed, as their user sees them."""

from dataclasses import dataclass
from datetime import datetime

from langgraph.store.base import BaseStore

from agent.conversations.transcript import Transcript
from agent.errors import MessageNotFoundError
from agent.memory.records import inbox
from agent.types import MessageId, ThreadId, UserId


@dataclass(frozen=True, slots=True)
class PendingMessage:
    """A message that formation has not processed."""

    message: MessageId
    thread: ThreadId
    text: str
    ts: str
    recallable: bool
    """Whether it states something; other threads recall that already."""
    is_set_aside: bool
    """True if processing it has failed too often."""


@dataclass(frozen=True, slots=True)
class PendingMessages:
    """The inboxes, with the messages that are still to be added to them.

    Raises:
        StoreUnavailableError: from each method, if the database does not answer.
    """

    store: BaseStore
    transcript: Transcript

    async def list_messages(self, user: UserId) -> list[PendingMessage]:
        """List the messages, the oldest first."""
        items = {item.message: item for item in await self.transcript.missing_from_inbox(user) if item.text}
        items |= {item.message: item for item in await inbox.list_items(self.store, user)}
        return [
            PendingMessage(
                one.message, one.thread, one.text, one.ts, recallable=one.recallable, is_set_aside=one.retries_exhausted
            )
            for one in sorted(items.values(), key=lambda one: datetime.fromisoformat(one.ts))
        ]

    async def withdraw(self, user: UserId, message: MessageId) -> None:
        """Keep a message from formation, also from one that is processing it now.

        Raises:
            MessageNotFoundError: the message is not pending.
        """
        if message not in {one.message for one in await self.list_messages(user)}:
            raise MessageNotFoundError("no such message is pending")
        # In this order: otherwise, it could be added to the inbox again in between.
        await self.transcript.withhold(user, [message])
        await inbox.remove(self.store, user, [message])
        await inbox.remove_antecedent(self.store, user, message)
