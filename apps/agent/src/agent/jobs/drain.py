"""Draining: process the inbox of one user under a lease of the formation queue.

The new messages of a thread form a batch, which becomes memories completely or not at all. A batch that fails does not
block the others. After its last retry it is set aside; it is tried again after the next message, or by a flush.
"""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime

from langgraph.store.base import BaseStore

from agent.background import raise_if_cancelled
from agent.conversations.transcript import RUN_LEASE_SECONDS, Transcript
from agent.errors import AgentError, FormationFailedError, StoreUnavailableError
from agent.jobs.metrics import FormationMetrics
from agent.jobs.queue import RETRY_SECONDS, Claim, FormationQueue, RetryPlan, public_message
from agent.log_context import bind_user
from agent.memory.formation.batch import TIMED_OUT, split_batches
from agent.memory.formation.former import Former
from agent.memory.formation.resilient import max_calls
from agent.memory.records import inbox
from agent.memory.records.inbox import InboxItem
from agent.types import FormationResult, ThreadId, UserId

logger = logging.getLogger(__name__)

FLUSH_SECONDS = 120.0

Batch = list[InboxItem]
"""Items of one thread, oldest first."""


@dataclass(frozen=True, slots=True)
class SetAsideBatch:
    """Messages of one thread that failed too often to be retried automatically."""

    thread_id: ThreadId
    messages: tuple[str, ...]
    error: str
    since: str


@dataclass(frozen=True, slots=True)
class FormationStatus:
    """The user's unprocessed messages."""

    pending: int
    """Number of messages, without those set aside."""
    oldest_seconds: float | None
    attempts: int
    """Number of failed attempts of the batch that is retried next."""
    last_error: str | None
    next_attempt_at: str | None
    set_aside: tuple[SetAsideBatch, ...]


@dataclass(slots=True)
class _DrainState:
    processed_batches: int = 0
    formed: FormationResult = field(default_factory=FormationResult)
    errors: list[Exception] = field(default_factory=list)
    unprocessed: list[InboxItem] = field(default_factory=list)
    has_active_runs: bool = False
    has_more: bool = False
    """Whether the inbox holds more items than one drain reads."""

    def retry_plan(self) -> RetryPlan:
        """Retry failed batches soon, and read messages that are being answered once their run must have ended."""
        set_aside = [item for item in self.unprocessed if item.retries_exhausted]
        attempts = [item.failed.times for item in self.unprocessed if item.failed and not item.retries_exhausted]
        delays = [RETRY_SECONDS * 2 ** (min(attempts) - 1)] if attempts else []
        delays += [RUN_LEASE_SECONDS] if self.has_active_runs else []
        delays += [0.0] if self.has_more and self.processed_batches else []
        errors = [item.failed.error for item in self.unprocessed if item.failed]
        return RetryPlan(
            retry_in_seconds=min(delays, default=None),
            attempts=max(attempts, default=0),
            last_error=errors[-1] if errors else None,
            set_aside=len(split_batches(set_aside)),
        )


@dataclass(frozen=True, slots=True)
class InboxDrainer:
    """Processes inboxes, for the worker and at the user's request."""

    store: BaseStore
    former: Former
    queue: FormationQueue
    transcript: Transcript
    metrics: FormationMetrics
    batch_seconds: float
    """Deadline for one extraction from a batch, which takes several if it is halved."""

    async def flush(self, user: UserId) -> FormationResult:
        """Process the inbox now, including what was set aside; wait for a drain that is already running.

        If only some of the batches fail, no error is raised; `status` reports them.

        Raises:
            FormationFailedError: the extractor gave no usable output; the inbox keeps its items.
            EmbedderUnavailableError: the memories could not be embedded; the inbox keeps its items.
        """
        try:
            async with asyncio.timeout(FLUSH_SECONDS):
                state = await self._drain(await self.queue.claim_user(user), retry_set_aside=True)
        except TimeoutError as error:
            raise FormationFailedError("it took too long; the messages are kept and will be retried") from error
        if state.errors and not state.processed_batches:
            raise state.errors[0]
        return state.formed

    async def drain(self, claim: Claim) -> FormationResult:
        """Process the claimed inbox, except messages of threads with an active run."""
        return (await self._drain(claim, retry_set_aside=False)).formed

    async def status(self, user: UserId) -> FormationStatus:
        """Report the user's unprocessed messages."""
        items = {item.message: item for item in await self.transcript.missing_from_inbox(user)}
        items |= {item.message: item for item in await inbox.list_items(self.store, user)}
        state = await self.queue.user_state(user)
        pending = [datetime.fromisoformat(item.ts) for item in items.values() if not item.retries_exhausted]
        set_aside = split_batches(item for item in items.values() if item.retries_exhausted)
        return FormationStatus(
            pending=len(pending),
            oldest_seconds=(datetime.now(UTC) - min(pending)).total_seconds() if pending else None,
            attempts=state.attempts,
            last_error=state.last_error,
            next_attempt_at=state.due_at.isoformat() if state.due_at else None,
            set_aside=tuple(map(_set_aside_batch, set_aside)),
        )

    async def measure_backlog(self) -> None:
        """Update the metrics of the backlog; if the database is unavailable, they are NaN."""
        backlog = None
        with suppress(StoreUnavailableError):
            backlog = await self.queue.backlog()
        self.metrics.set_backlog(backlog)

    async def _drain(self, claim: Claim, *, retry_set_aside: bool) -> _DrainState:
        bind_user(claim.user)
        state = _DrainState()
        with self.metrics.measure_drain():
            async with self.queue.hold_lease(claim):
                for batch in await self._read_batches(claim.user, state, retry_set_aside=retry_set_aside):
                    await self._process_batch(claim.user, batch, state)
                    raise_if_cancelled()
        await self.queue.finish(claim, state.retry_plan())
        return state

    async def _read_batches(self, user: UserId, state: _DrainState, *, retry_set_aside: bool) -> list[Batch]:
        """The batches to process now. Those set aside come last, and only if requested or after a new message."""
        await self._add_missing(user)
        items = await inbox.list_items(self.store, user)
        busy = await self._busy_threads(user)
        idle = [item for item in items if item.thread not in busy]
        # Mark the messages before their items are removed: otherwise, a crash in between would add them again.
        await self.transcript.mark_in_inbox(user, [item.message for item in idle])
        state.has_active_runs, state.has_more = bool(busy), len(items) == inbox.DRAIN_BATCH_SIZE
        set_aside = [item for item in idle if item.retries_exhausted]
        batches = split_batches(item for item in idle if not item.retries_exhausted)
        if retry_set_aside or any(item.failed is None for item in idle):
            return batches + split_batches(set_aside)
        state.unprocessed += set_aside
        return batches

    async def _busy_threads(self, user: UserId) -> frozenset[ThreadId]:
        return await self.transcript.busy_threads(user)

    async def _add_missing(self, user: UserId) -> None:
        """Add messages to the inbox that a run could not add, unless they are deleted concurrently.

        Deletion starts with the transcript and ends with the inbox. If a message can still be marked in the transcript
        after it was added to the inbox, a concurrent deletion also finds the item; otherwise it is removed here.
        """
        while missing := await self.transcript.missing_from_inbox(user):
            stated = [item for item in missing if item.text]
            added = [item.message for item in stated if await self._add_item(user, item)]
            marked = await self.transcript.mark_in_inbox(user, [item.message for item in missing])
            if deleted := [message for message in added if message not in marked]:
                await inbox.remove(self.store, user, deleted)

    async def _add_item(self, user: UserId, item: InboxItem) -> bool:
        return await inbox.add_missing(self.store, user, await inbox.analysed(item))

    async def _process_batch(self, user: UserId, batch: Batch, state: _DrainState) -> None:
        try:
            formed = await self._form_memories(user, batch)
        except StoreUnavailableError:
            raise  # not caused by the batch, so it does not count as one of its attempts
        except Exception as error:
            unexpected = None if isinstance(error, AgentError) else error
            logger.warning(
                "forming memories from a batch failed; its messages are kept (%s)",
                public_message(error),
                exc_info=unexpected,
            )
            state.errors.append(error)
            self.metrics.count_failure(error)
            failed = await inbox.record_failure(self.store, user, batch, public_message(error))
            state.unprocessed += failed
            if sum(item.retries_exhausted for item in failed) > sum(item.retries_exhausted for item in batch):
                self.metrics.count_set_aside()
        else:
            state.processed_batches += 1
            state.formed += formed
            oldest = min(datetime.fromisoformat(item.ts) for item in batch)
            self.metrics.count_result(formed, lag_seconds=(datetime.now(UTC) - oldest).total_seconds())

    async def _form_memories(self, user: UserId, batch: Batch) -> FormationResult:
        try:
            async with asyncio.timeout(self.batch_seconds * max_calls(len(batch))):
                return await self.former.process(self.store, user, batch)
        except TimeoutError as error:
            raise FormationFailedError(TIMED_OUT) from error


def _set_aside_batch(batch: Batch) -> SetAsideBatch:
    failures = [item.failed for item in batch if item.failed]
    return SetAsideBatch(
        thread_id=batch[0].thread,
        messages=tuple(item.message for item in batch),
        error=failures[-1].error,
        since=min(failure.since for failure in failures),
    )
