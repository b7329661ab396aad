"""The events of runs in the database, for clients that rejoin later or at another process."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import LiteralString

from psycopg import AsyncConnection
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from agent.database.row_security import ScopedPool
from agent.database.statements import Statements
from agent.errors import StoreUnavailableError
from agent.events import LoggedEvent, Position, RunFailed, RunFinished, Token, parse_event
from agent.types import RunId, ThreadId, UserId

logger = logging.getLogger(__name__)


class SQL(Statements, file="event_store.sql"):
    """Statements of `event_store.sql`."""

    append_events: LiteralString
    find_run: LiteralString
    events_after: LiteralString
    delete_expired: LiteralString


RETENTION_SECONDS = 600.0
POLL_SECONDS = 0.2  # polling, because LISTEN does not work behind a transaction pooler


@dataclass(frozen=True, slots=True)
class EventStore:
    """The saved events of the runs of all processes."""

    database: ScopedPool

    async def save(self, batches: Sequence[tuple[UserId, Sequence[LoggedEvent]]]) -> None:
        """Save new events of several runs in one transaction; saving an event twice has no effect."""
        async with self.database.for_users() as switch_to:
            for user, events in batches:
                await append_events(await switch_to(user), user, events)

    async def join(self, user: UserId, thread: ThreadId, after: Position | None) -> AsyncIterator[LoggedEvent] | None:
        """Follow a run to its end; see `Agent.join`."""
        run, is_over = await self._find_run(user, thread, after.run if after else None)
        if run is None:
            return None
        after = after or Position(run)
        events = await self._events_after(user, after)
        return self._follow(user, thread, after, events) if events or not is_over else None

    async def delete_expired(self) -> None:
        """Delete all runs that ended longer than `RETENTION_SECONDS` ago, with their events."""
        await self.database.execute_unscoped(SQL.delete_expired, {"retention_seconds": RETENTION_SECONDS})

    async def _follow(
        self, user: UserId, thread: ThreadId, after: Position, events: Iterable[LoggedEvent]
    ) -> AsyncIterator[LoggedEvent]:
        while True:
            for logged in events:
                if remainder := logged.remainder(after):
                    after = remainder.position
                    yield remainder
                    if isinstance(remainder.event, RunFinished | RunFailed):
                        return
            await asyncio.sleep(POLL_SECONDS)
            try:
                run, _ = await self._find_run(user, thread, after.run)
                events = await self._events_after(user, after)
            except StoreUnavailableError:
                logger.warning("reading the events of a run failed; retrying")
                continue
            if run is None:  # the thread was deleted
                yield LoggedEvent(after._replace(events=after.events + 1), RunFinished("cancelled"))
                return

    async def _find_run(self, user: UserId, thread: ThreadId, run: RunId | None) -> tuple[RunId | None, bool]:
        row = await self.database.fetch_one(user, SQL.find_run, {"user": user, "thread": thread, "run": run})
        return (RunId(str(row["id"])), row["is_over"]) if row else (None, True)

    async def _events_after(self, user: UserId, after: Position) -> list[LoggedEvent]:
        rows = await self.database.fetch_all(user, SQL.events_after, {"user": user} | after._asdict())
        return [
            LoggedEvent(Position(after.run, row["events"], row["chars"]), parse_event(row["name"], row["data"]))
            for row in rows
        ]


async def append_events(connection: AsyncConnection[DictRow], user: UserId, events: Sequence[LoggedEvent]) -> None:
    """Save new events of one run in the caller's transaction."""
    rows = list(merge_tokens(events))
    if not rows:
        return
    values = [
        {
            "events": row.position.events,
            "chars": row.position.chars,
            "name": row.event.event_name,
            "data": row.event.data(),
        }
        for row in rows
    ]
    parameters = {"user": user, "run": rows[0].position.run, "added": Jsonb(values)}
    await connection.execute(SQL.append_events, parameters)


def merge_tokens(events: Iterable[LoggedEvent]) -> Iterable[LoggedEvent]:
    """Yield the events with each series of tokens merged into one."""
    for is_text, group in groupby(events, lambda logged: isinstance(logged.event, Token)):
        if is_text:
            tokens = list(group)
            yield LoggedEvent(tokens[-1].position, Token(token_text(tokens)))
        else:
            yield from group


def token_text(events: Iterable[LoggedEvent]) -> str:
    """The text of all tokens among the events."""
    return "".join(logged.event.text for logged in events if isinstance(logged.event, Token))
