"""Recordings: what runs tell, kept while they run and a while after, for whoever joins later, or elsewhere."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, LiteralString

from psycopg import AsyncConnection
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from agent.database.errors import translated_errors
from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import StoreUnavailableError
from agent.events import LoggedEvent, Position, RunFailed, RunFinished, Token, parse_event
from agent.types import RunId, ThreadId, UserId

logger = logging.getLogger(__name__)


class SQL(Statements, file="event_store.sql"):
    """Statements of `event_store.sql`."""

    append: LiteralString
    find: LiteralString
    rest: LiteralString
    forget: LiteralString


RETENTION_SECONDS = 600.0
# Only while somebody listens: behind a transaction pooler nothing can be listened for.
POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class EventStore:
    """What the runs of every process have told.

    Raises:
        StoreUnavailableError: from each method, when the database does not answer.
    """

    database: ScopedPool

    async def save(self, told: Sequence[tuple[UserId, Sequence[LoggedEvent]]]) -> None:
        """Add what runs have told since the last time, each as its user; the same twice does no harm."""
        with translated_errors():
            async with self.database.for_users() as enter:
                for user, of_run in told:
                    await append_events(await enter(user), user, of_run)

    async def join(self, user: UserId, thread: ThreadId, after: Position | None) -> AsyncIterator[LoggedEvent] | None:
        """Return what a run tells behind a position, until its end; without one, of the thread's latest from its start.

        None when there is nothing, and there will be nothing.
        """
        run, is_over = await self._find(user, thread, after.run if after else None)
        if run is None:
            return None
        after = after or Position(run)
        rest = await self._rest(user, after)
        return self._follow(user, thread, after, rest) if rest or not is_over else None

    async def delete_expired(self) -> None:
        """Delete what has been kept for long enough, everybody's."""
        with translated_errors():
            async with self.database.unscoped() as connection:
                await connection.execute(SQL.forget, {"kept_seconds": RETENTION_SECONDS})

    async def _follow(
        self, user: UserId, thread: ThreadId, after: Position, rest: Iterable[LoggedEvent]
    ) -> AsyncIterator[LoggedEvent]:
        while True:
            for told in rest:
                if more := told.remainder(after):
                    after = more.position
                    yield more
                    if is_final(more):
                        return
            await asyncio.sleep(POLL_SECONDS)
            try:
                run, _ = await self._find(user, thread, after.run)
                rest = await self._rest(user, after)
            except StoreUnavailableError:
                logger.warning("a run could not be followed; it is looked at again")
                continue
            if run is None:  # the thread was deleted
                yield LoggedEvent(after._replace(events=after.events + 1), RunFinished("cancelled"))
                return

    async def _find(self, user: UserId, thread: ThreadId, run: RunId | None) -> tuple[RunId | None, bool]:
        """Return a run of the thread, if there is one, and whether it has ended."""
        parameters = {"user": user, "thread": thread, "run": run}
        with translated_errors():
            async with self.database.for_user(user) as connection:
                row = await (await connection.execute(SQL.find, parameters)).fetchone()
        return (RunId(str(row["id"])), row["is_over"]) if row else (None, True)

    async def _rest(self, user: UserId, after: Position) -> list[LoggedEvent]:
        with translated_errors():
            async with self.database.for_user(user) as connection:
                rows = await (await connection.execute(SQL.rest, {"user": user} | after._asdict())).fetchall()
        return [
            LoggedEvent(Position(after.run, row["events"], row["chars"]), parse_event(row["name"], row["data"]))
            for row in rows
        ]


async def append_events(connection: AsyncConnection[DictRow], user: UserId, told: Sequence[LoggedEvent]) -> None:
    """Add what a run has told, in the transaction of whoever calls."""
    rows = list(merge_tokens(told))
    if not rows:
        return
    columns: dict[str, Any] = {
        "events": [row.position.events for row in rows],
        "chars": [row.position.chars for row in rows],
        "names": [row.event.name for row in rows],
        "data": [Jsonb(row.event.data()) for row in rows],
    }
    await connection.execute(SQL.append, {"user": user, "run": rows[0].position.run} | columns)


def merge_tokens(told: Iterable[LoggedEvent]) -> Iterable[LoggedEvent]:
    """Yield the same with tokens in a row made one."""
    for is_text, group in groupby(told, lambda one: isinstance(one.event, Token)):
        if is_text:
            tokens = list(group)
            yield LoggedEvent(tokens[-1].position, Token(token_text(tokens)))
        else:
            yield from group


def token_text(told: Iterable[LoggedEvent]) -> str:
    """Return the text of the tokens."""
    return "".join(one.event.text for one in told if isinstance(one.event, Token))


def is_final(told: LoggedEvent) -> bool:
    """Tell whether a run says no more after this."""
    return isinstance(told.event, RunFinished | RunFailed)
