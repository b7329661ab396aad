"""The heartbeat: periodic database work for the runs of this process."""

import asyncio
import logging
from dataclasses import dataclass

from agent.background import run_every
from agent.runs.event_store import EventStore
from agent.runs.leases import RunLeases
from agent.runs.runs import Runs

logger = logging.getLogger(__name__)

RENEW_SECONDS = 0.3
SAVE_SECONDS = 0.4
SWEEP_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Renews leases, cancels runs, saves events, and ends the runs of processes that died.

    The answers do not wait for it: a slow or unreachable database delays only the heartbeat.
    """

    runs: Runs
    leases: RunLeases
    event_store: EventStore

    async def run(self) -> None:
        """Run until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            active = self.runs.has_active
            tasks.create_task(run_every(RENEW_SECONDS, self.renew_leases, name="renewing leases", needed=active))
            tasks.create_task(run_every(SAVE_SECONDS, self.save_events, name="saving events", needed=active))
            tasks.create_task(run_every(SWEEP_SECONDS, self.sweep, name="ending expired runs"))

    async def renew_leases(self) -> None:
        """Renew the leases of active runs; cancel runs on request, or if another process ended them."""
        active = {run.state.turn.run: run for run in self.runs.active if not run.task.done()}
        if not active:
            return
        cancel_requested = await self.leases.renew([run.state.turn for run in active.values()])
        for run_id, run in active.items():
            if cancel_requested.get(run_id, True):
                run.cancel()

    async def save_events(self) -> None:
        """Save the new events of all runs that can be rejoined in one transaction."""
        unsaved = [(run.state, run.state.events.unsaved()) for run in self.runs.active if not run.state.turn.completion]
        if batches := [(state.turn.user, events) for state, events in unsaved if events]:
            await self.event_store.save(batches)
            for state, events in unsaved:
                state.events.mark_saved(events)

    async def sweep(self) -> None:
        """End runs with an expired lease, and delete expired events."""
        if count := await self.leases.end_all_expired():
            logger.warning("ended %d runs with an expired lease", count)
        await self.event_store.delete_expired()
