"""Draining: the inbox of one user, under the schedule's lease, down to what must still wait."""

import asyncio
from dataclasses import dataclass

from langgraph.store.base import BaseStore

from agent.database.errors import translated_errors
from agent.errors import FormationFailedError
from agent.memory import inbox
from agent.memory.formation import Former
from agent.schedule import Claim, Schedule
from agent.thread.transcript import LEASE_SECONDS, Transcript
from agent.types import Formed, UserId

FLUSH_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Drains:
    """Distils inboxes, whoever asks for it: the schedule's worker or the user."""

    store: BaseStore
    former: Former
    schedule: Schedule
    transcript: Transcript

    async def flush(self, user: UserId) -> Formed:
        """Distil now; wait for a drain that is running.

        Raises:
            FormationFailedError: the extractor has no usable answer; the inbox keeps what it has.
            EmbedderUnavailableError: memories cannot be indexed now; the same.
            StoreUnavailableError: the database does not answer.
        """
        try:
            async with asyncio.timeout(FLUSH_SECONDS):
                return await self.drain(await self.schedule.claim_user(user))
        except TimeoutError as error:
            raise FormationFailedError("it took too long; what was said is kept, and tried again") from error

    async def drain(self, claim: Claim) -> Formed:
        """Distil what is at rest; messages that are being answered wait for their answer."""
        async with self.schedule.working(claim):
            formed = await self._drain(claim.user)
            running = await self.transcript.busy_threads(claim.user)
        await self.schedule.finish(claim, again_in_seconds=LEASE_SECONDS if running else None)
        return formed

    async def _drain(self, user: UserId) -> Formed:
        formed = Formed()
        with translated_errors():
            for item in await self.transcript.not_noted(user):
                await inbox.note(self.store, user, item)
            while items := await self._at_rest(user):
                formed += await self.former.drain(self.store, user, items)
                await self.transcript.mark_noted(user, [item.message for item in items])
        return formed

    async def _at_rest(self, user: UserId) -> list[inbox.InboxItem]:
        running = await self.transcript.busy_threads(user)
        return [item for item in await inbox.waiting(self.store, user) if item.thread not in running]
