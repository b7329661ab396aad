"""Draining: the inbox of one user, under the schedule's lease, down to what must still wait.

What is new in a thread is a batch, which becomes memories whole or not at all. One that fails holds up no other. After
its last retry it is set aside: what is said later goes on without it, and it is tried again with the next message, or
by hand.
"""

import asyncio
import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby

from langgraph.store.base import BaseStore

from agent.background import raise_if_cancelled
from agent.conversations.transcript import RUN_LEASE_SECONDS, Transcript
from agent.database.errors import translated_errors
from agent.errors import FormationFailedError, StoreUnavailableError
from agent.jobs.metrics import FormationMetrics
from agent.jobs.queue import RETRY_SECONDS, Claim, FormationQueue, RetryPlan, public_message
from agent.memory.formation.former import Former
from agent.memory.records import inbox
from agent.memory.records.inbox import InboxItem
from agent.types import FormationResult, ThreadId, UserId

logger = logging.getLogger(__name__)

FLUSH_SECONDS = 120.0
BATCH_MESSAGES = 50
BATCH_CHARS = 48_000  # some 12,000 tokens: what a model reads with care, and a small one reads at all

Batch = list[InboxItem]
"""Some of the items of one thread, oldest first."""


@dataclass(frozen=True, slots=True)
class SetAsideBatch:
    """What of one thread could not be distilled, and is not tried again by itself."""

    thread_id: ThreadId
    messages: tuple[str, ...]
    error: str
    since: str


@dataclass(frozen=True, slots=True)
class FormationStatus:
    """What of a user's words is not yet distilled, and why."""

    pending: int
    """In messages; those set aside do not count."""
    oldest_seconds: float | None
    attempts: int
    """How often what is tried again has failed."""
    last_error: str | None
    next_attempt_at: str | None
    set_aside: tuple[SetAsideBatch, ...]


@dataclass(slots=True)
class _Outcome:
    """What a drain has come to so far."""

    batches: int = 0
    """How many are distilled."""
    formed: FormationResult = field(default_factory=FormationResult)
    errors: list[Exception] = field(default_factory=list)
    remaining: list[InboxItem] = field(default_factory=list)
    running: bool = False
    more: bool = False
    """Whether the inbox holds more than was looked at."""

    def left(self) -> RetryPlan:
        """Sum up what is to be done: what failed soon again, what waits for its answer when that should be there."""
        aside = [item for item in self.remaining if item.set_aside]
        tries = [item.failed.times for item in self.remaining if item.failed and not item.set_aside]
        pauses = [RETRY_SECONDS * 2 ** (min(tries) - 1)] if tries else []
        pauses += [RUN_LEASE_SECONDS] if self.running else []
        pauses += [0.0] if self.more and self.batches else []
        errors = [item.failed.error for item in self.remaining if item.failed]
        return RetryPlan(
            retry_in_seconds=min(pauses, default=None),
            attempts=max(tries, default=0),
            last_error=errors[-1] if errors else None,
            set_aside=len(split_batches(aside)),
        )


@dataclass(frozen=True, slots=True)
class InboxDrainer:
    """Distils inboxes, whoever asks for it: the schedule's worker or the user."""

    store: BaseStore
    former: Former
    queue: FormationQueue
    transcript: Transcript
    metrics: FormationMetrics
    batch_seconds: float
    """How long a batch may take, its model included."""

    async def flush(self, user: UserId) -> FormationResult:
        """Distil now, also what is set aside; wait for a drain that is running.

        What fails beside something that does not is told by `waiting` alone.

        Raises:
            FormationFailedError: the extractor has no usable answer; the inbox keeps what it has.
            EmbedderUnavailableError: memories cannot be indexed now; the same.
            StoreUnavailableError: the database does not answer.
        """
        try:
            async with asyncio.timeout(FLUSH_SECONDS):
                outcome = await self._drain(await self.queue.claim_user(user), by_hand=True)
        except TimeoutError as error:
            raise FormationFailedError("it took too long; what was said is kept, and tried again") from error
        if outcome.errors and not outcome.batches:
            raise outcome.errors[0]
        return outcome.formed

    async def drain(self, claim: Claim) -> FormationResult:
        """Distil what is at rest; messages that are being answered wait for their answer.

        Raises:
            FormationFailedError: the lease was lost to somebody else.
            StoreUnavailableError: the database does not answer.
        """
        return (await self._drain(claim, by_hand=False)).formed

    async def status(self, user: UserId) -> FormationStatus:
        """Return what is not yet distilled.

        Raises:
            StoreUnavailableError: the database does not answer.
        """
        with translated_errors():
            items = {item.message: item for item in await self.transcript.missing_from_inbox(user)}
            items |= {item.message: item for item in await inbox.list_items(self.store, user)}
        due_at, attempts, last_error = await self.queue.user_state(user)
        pending = [datetime.fromisoformat(item.ts) for item in items.values() if not item.set_aside]
        return FormationStatus(
            pending=len(pending),
            oldest_seconds=(datetime.now(UTC) - min(pending)).total_seconds() if pending else None,
            attempts=attempts,
            last_error=last_error,
            next_attempt_at=due_at.isoformat() if due_at else None,
            set_aside=tuple(map(_as_set_aside, split_batches(item for item in items.values() if item.set_aside))),
        )

    async def _drain(self, claim: Claim, *, by_hand: bool) -> _Outcome:
        outcome = _Outcome()
        with self.metrics.drain():
            async with self.queue.hold(claim):
                with translated_errors():
                    for batch in await self._ready(claim.user, outcome, by_hand=by_hand):
                        await self._form(claim.user, batch, outcome)
                        raise_if_cancelled()
        await self.queue.finish(claim, outcome.left())
        return outcome

    async def _ready(self, user: UserId, outcome: _Outcome, *, by_hand: bool) -> list[Batch]:
        """Return what can be tried now, what was set aside last: by hand, or where something new was said."""
        await self._note_missed(user)
        items = await inbox.list_items(self.store, user)
        running = await self.transcript.busy_threads(user)
        at_rest = [item for item in items if item.thread not in running]
        # Before they are distilled: whoever is killed after that must not find them missing, and note them again.
        await self.transcript.mark_in_inbox(user, [item.message for item in at_rest])
        outcome.running, outcome.more = bool(running), len(items) == inbox.DRAINED_AT_ONCE
        aside = [item for item in at_rest if item.set_aside]
        ready = split_batches(item for item in at_rest if not item.set_aside)
        if by_hand or any(item.failed is None for item in at_rest):
            return ready + split_batches(aside)
        outcome.remaining += aside
        return ready

    async def _note_missed(self, user: UserId) -> None:
        """Put into the inbox what a run could not, unless it is deleted in this moment.

        Whoever deletes begins with the transcript, and ends with the inbox. So what can still be marked there once it
        is in the inbox is theirs to delete; what cannot is ours.
        """
        while missed := await self.transcript.missing_from_inbox(user):
            put = [item.message for item in missed if await inbox.add_missing(self.store, user, item)]
            marked = await self.transcript.mark_in_inbox(user, [item.message for item in missed])
            if deleted := [message for message in put if message not in marked]:
                await inbox.remove(self.store, user, deleted)

    async def _form(self, user: UserId, batch: Batch, outcome: _Outcome) -> None:
        """Distil a batch; one that fails is counted, and stays."""
        try:
            formed = await self._in_time(user, batch)
        except StoreUnavailableError:
            raise  # is no fault of the batch's
        except Exception as error:
            logger.warning("a batch could not be distilled, and is kept", exc_info=error)
            await self._keep(user, batch, outcome, error)
        else:
            outcome.batches += 1
            outcome.formed += formed
            self.metrics.formed(formed)

    async def _in_time(self, user: UserId, batch: Batch) -> FormationResult:
        try:
            async with asyncio.timeout(self.batch_seconds):
                with translated_errors():
                    return await self.former.drain(self.store, user, batch)
        except TimeoutError as error:
            raise FormationFailedError("it took too long") from error

    async def _keep(self, user: UserId, batch: Batch, outcome: _Outcome, error: Exception) -> None:
        outcome.errors.append(error)
        self.metrics.failed(error)
        failed = await inbox.record_failure(self.store, user, batch, public_message(error))
        outcome.remaining += failed
        if sum(item.set_aside for item in failed) > sum(item.set_aside for item in batch):
            self.metrics.set_aside()


def split_batches(items: Iterable[InboxItem]) -> list[Batch]:
    """Return items by thread, as many at once as a model should read; what was said first comes first."""
    ordered = sorted(items, key=lambda item: (item.thread, item.ts))
    threads = groupby(ordered, key=lambda item: item.thread)
    batches = [batch for _, thread in threads for batch in _parts(thread)]
    return sorted(batches, key=lambda batch: batch[0].ts)


def _parts(thread: Iterable[InboxItem]) -> Iterator[Batch]:
    batch: Batch = []
    for item in thread:
        chars = sum(len(other.text) for other in batch)
        if batch and (len(batch) == BATCH_MESSAGES or chars + len(item.text) > BATCH_CHARS):
            yield batch
            batch = []
        batch.append(item)
    yield batch


def _as_set_aside(batch: Batch) -> SetAsideBatch:
    failures = [item.failed for item in batch if item.failed]
    return SetAsideBatch(
        thread_id=batch[0].thread,
        messages=tuple(item.message for item in batch),
        error=failures[-1].error,
        since=min(failure.since for failure in failures),
    )
