"""The transcript: the messages of all threads, as users read them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import LiteralString

from agent.completions import MAX_RECENT_MESSAGES, ClientMessage
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import MessageNotFoundError
from agent.language.requests.memory_requests import without_forget_requests
from agent.language.requests.value_requests import with_statements
from agent.memory.formation.batch import MAX_CONTEXT_MESSAGES, ContextMessage
from agent.memory.records.inbox import InboxItem
from agent.text_process import analyse
from agent.types import MessageId, ThreadId, UserId


class SQL(Statements, file="transcript.sql"):
    """Statements of `transcript.sql`."""

    has_thread: LiteralString
    mark_in_inbox: LiteralString
    withhold: LiteralString
    withhold_all: LiteralString
    context: LiteralString
    find_question: LiteralString
    recent_messages: LiteralString
    user_message_ids: LiteralString
    busy_threads: LiteralString
    missing_from_inbox: LiteralString


RUN_LEASE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Transcript:
    """The messages of all threads."""

    database: ScopedPool

    async def has_thread(self, user: UserId, thread: ThreadId) -> bool:
        """Check whether a thread exists."""
        return await self.database.fetch_one(user, SQL.has_thread, {"user": user, "thread": thread}) is not None

    async def busy_threads(self, user: UserId) -> frozenset[ThreadId]:
        """The user's threads with a run in progress."""
        rows = await self.database.fetch_all(user, SQL.busy_threads, {"user": user})
        return frozenset(ThreadId(str(row["id"])) for row in rows)

    async def missing_from_inbox(self, user: UserId) -> list[InboxItem]:
        """The user's messages that were never added to the inbox, except those that a run is answering.

        Requests to forget are removed from their texts, which may then be empty, and requests to change a value are
        the statements that they make.
        """
        rows = await self.database.fetch_all(user, SQL.missing_from_inbox, {"user": user})
        return [
            InboxItem(
                message=MessageId(str(row["id"])),
                thread=ThreadId(str(row["thread_id"])),
                text=await analyse(_own_statements, row["text"], chars=len(row["text"])),
                ts=row["ts"].isoformat(),
                answer=row["answer"],
                time_zone=row["time_zone"],
                read_tools=bool(row["answer"]),  # unknown
            )
            for row in rows
        ]

    async def mark_in_inbox(self, user: UserId, messages: Sequence[MessageId]) -> frozenset[MessageId]:
        """Record that messages have been in the inbox; return those for which this was not recorded before."""
        rows = await self.database.fetch_all(user, SQL.mark_in_inbox, {"user": user, "messages": list(messages)})
        return frozenset(MessageId(str(row["id"])) for row in rows)

    async def find_question(self, user: UserId, message: MessageId) -> tuple[MessageId, str]:
        """The id and text of a message of the user, or of the one that a message answers.

        Raises:
            MessageNotFoundError: the user has no such message.
        """
        row = await self.database.fetch_one(user, SQL.find_question, {"user": user, "message": message})
        if row is None:
            raise MessageNotFoundError("the user has no such message")
        return MessageId(str(row["id"])), str(row["text"])

    async def withhold(self, user: UserId, messages: Sequence[MessageId]) -> None:
        """Keep messages from formation: it neither adds them to the inbox again nor reads them as context."""
        await self.database.execute(user, SQL.withhold, {"user": user, "messages": list(messages)})

    async def withhold_all(self, user: UserId) -> None:
        """Keep all messages of the user from formation."""
        await self.database.execute(user, SQL.withhold_all, {"user": user})

    async def read_context(self, user: UserId, item: InboxItem) -> list[ContextMessage]:
        """Read the messages before an inbox item in its thread, oldest first; see `ContextReader`."""
        parameters = {"user": user, "message": item.message, "limit": MAX_CONTEXT_MESSAGES}
        rows = await self.database.fetch_all(user, SQL.context, parameters)
        return [ContextMessage(row["role"], row["text"]) for row in reversed(rows)]

    async def recent_messages(self, user: UserId, thread: ThreadId) -> list[ClientMessage]:
        """Read the last messages of a thread, oldest first; none if the user has no such thread."""
        parameters = {"user": user, "thread": thread, "limit": MAX_RECENT_MESSAGES}
        rows = await self.database.fetch_all(user, SQL.recent_messages, parameters)
        return [ClientMessage(row["role"], row["text"], id=str(row["id"])) for row in reversed(rows)]

    async def user_message_ids(self, user: UserId, thread: ThreadId) -> frozenset[MessageId]:
        """The ids of the user's own messages in a thread."""
        rows = await self.database.fetch_all(user, SQL.user_message_ids, {"user": user, "thread": thread})
        return frozenset(MessageId(str(row["id"])) for row in rows)


def _own_statements(text: str) -> str:
    return with_statements(without_forget_requests(text))
