"""Branches: threads that share the first messages of another thread and continue differently.

The shared messages are copied, so that each branch is a complete thread. All threads that go back to the same one are a
conversation.
"""

import math
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString

from psycopg.rows import DictRow

from agent.conversations.threads import TEMPORARY_LIFETIME_SECONDS, to_thread
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import MessageNotFoundError, ThreadNotFoundError
from agent.limits.counts import check_counts, count_rows
from agent.limits.usage import Usage
from agent.types import MessageId, Thread, ThreadId, UserId


class SQL(Statements, file="branches.sql"):
    """Statements of `branches.sql`."""

    lock_user: LiteralString
    list_family: LiteralString
    find_start: LiteralString
    insert: LiteralString
    copy_messages: LiteralString
    replaced_messages: LiteralString


CHECKPOINTED_MESSAGES = 40
"""How many of the copied messages the model sees; the transcript has all."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A thread of a conversation."""

    id: ThreadId
    parent: ThreadId | None
    position: int
    """The number of messages that it shares with its parent."""
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Divergence:
    """A place in a thread where branches of the conversation continue differently."""

    position: int
    """The number of messages before it, which they share."""
    threads: tuple[ThreadId, ...]
    """One for each continuation, the oldest continuation first."""
    current: int
    """The index of the thread itself."""


@dataclass(frozen=True, slots=True)
class Branches:
    """The branches of all users' threads.

    Raises:
        StoreUnavailableError: from each method, if the database does not answer.
        ThreadNotFoundError: from each method, if the user has no such thread.
    """

    database: ScopedPool
    usage: Usage

    async def create(self, user: UserId, thread: ThreadId, before: MessageId) -> Thread:
        """Create a thread with the messages before a message, or before the question that it answers.

        Raises:
            MessageNotFoundError: the thread has no such message.
            TooManyThreadsError: the user has as many threads as allowed.
        """
        branch = str(uuid.uuid4())
        parameters: dict[str, Any] = {"user": user, "thread": thread, "before": before, "branch": branch}
        async with self.database.for_user(user) as connection:
            await connection.execute(SQL.lock_user, parameters)
            family = _family(await (await connection.execute(SQL.list_family, parameters)).fetchall())
            if not family:
                raise ThreadNotFoundError("the user has no such thread")
            start = await (await connection.execute(SQL.find_start, parameters)).fetchone()
            if start is None:
                raise MessageNotFoundError("the thread has no such message")
            parameters |= {
                "seq": start["seq"],
                "position": start["position"],
                "parent": _parent_at(family, thread, start["position"]),
                "temporary_seconds": TEMPORARY_LIFETIME_SECONDS,
                "checkpointed": CHECKPOINTED_MESSAGES,
            }
            row = await (await connection.execute(SQL.insert, parameters)).fetchone()
            if row is None:
                raise ThreadNotFoundError("the user has no such thread")
            await connection.execute(SQL.copy_messages, parameters)
            if self.usage.limits.threads:
                await self.usage.add(connection, user, {"messages": 0})  # locks the user's meters
                counts = await count_rows(connection, user, count_threads=True)
                check_counts(self.usage.limits, await counts.fetchone())
        return to_thread(row)

    async def replaced_messages(self, user: UserId, branch: ThreadId, text: str) -> list[MessageId]:
        """The user's messages that the first one of a branch, with this text, replaces; none with the same text."""
        parameters = {"user": user, "thread": branch, "text": text}
        rows = await self.database.fetch_all(user, SQL.replaced_messages, parameters)
        return [MessageId(str(row["id"])) for row in rows]

    async def list_family(self, user: UserId, thread: ThreadId) -> list[Branch]:
        """List the threads of a conversation, the oldest first."""
        family = _family(await self.database.fetch_all(user, SQL.list_family, {"user": user, "thread": thread}))
        if not any(branch.id == thread for branch in family):
            raise ThreadNotFoundError("the user has no such thread")
        return family

    async def list_divergences(self, user: UserId, thread: ThreadId) -> list[Divergence]:
        """List the places of a thread where other threads of the conversation continue differently, in order."""
        return divergences(await self.list_family(user, thread), thread)


def divergences(family: Sequence[Branch], thread: ThreadId) -> list[Divergence]:
    """The places where threads diverge from a thread; see `Divergence`.

    At each place, one of the alternatives is the thread itself. Another one is represented by the latest thread that
    contains it.
    """
    by_id = {branch.id: branch for branch in family}
    found: list[Divergence] = []
    current: Branch | None = by_id[thread]
    child, leaves_at = None, math.inf
    while current is not None:
        children = [branch for branch in family if branch.parent == current.id]
        for position in sorted({one.position for one in children if one.position <= leaves_at}):
            siblings = [one for one in children if one.position == position]
            branches = [_continuing(family, one, -1) for one in siblings]
            alternatives = [list(one) for one in (_continuing(family, current, position), *branches)]
            index = 1 + siblings.index(child) if child is not None and position == leaves_at else 0
            threads = [max(one, key=lambda branch: branch.updated_at).id for one in alternatives]
            threads[index] = thread
            found.append(Divergence(position, tuple(threads), index))
        child, leaves_at = current, current.position
        current = by_id.get(current.parent) if current.parent else None
    return sorted(found, key=lambda one: one.position)


def _continuing(family: Sequence[Branch], branch: Branch, position: int) -> Iterator[Branch]:
    """A thread, and those that share its messages beyond a position."""
    yield branch
    for child in family:
        if child.parent == branch.id and child.position > position:
            yield from _continuing(family, child, -1)


def _parent_at(family: Sequence[Branch], thread: ThreadId, position: int) -> ThreadId:
    """The thread that the message at a position of a thread belongs to, and was not copied to."""
    by_id = {branch.id: branch for branch in family}
    branch = by_id[thread]
    while branch.parent in by_id and position <= branch.position:
        branch = by_id[branch.parent]
    return branch.id


def _family(rows: Sequence[DictRow]) -> list[Branch]:
    return [
        Branch(
            ThreadId(str(row["id"])),
            ThreadId(str(row["parent_id"])) if row["parent_id"] else None,
            row["branched_at"] or 0,
            row["updated_at"],
        )
        for row in rows
    ]
