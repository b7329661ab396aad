"""The pulse: what this process does for its runs several times a second, beside their answers."""

import asyncio
import logging
from dataclasses import dataclass

from agent.background import run_every
from agent.runs.event_store import EventStore
from agent.runs.leases import RunLeases
from agent.runs.runs import Runs

logger = logging.getLogger(__name__)

BEAT_SECONDS = 0.3
RECORD_SECONDS = 0.4
SWEEP_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Keeps runs alive, hears whom others want to stop, records what is told, and clears up after the dead.

    A database that is slow or away delays nothing but this.
    """

    runs: Runs
    leases: RunLeases
    event_store: EventStore

    async def run(self) -> None:
        """Beat until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(run_every(BEAT_SECONDS, self.renew_leases, name="renewing the leases of runs"))
            tasks.create_task(run_every(RECORD_SECONDS, self.save_events, name="recording runs"))
            tasks.create_task(run_every(SWEEP_SECONDS, self.sweep, name="clearing up after runs"))

    async def renew_leases(self) -> None:
        """Renew the leases of the runs that are going, and stop those that are asked to, or were ended by others."""
        going = {run.state.turn.run: run for run in self.runs.active if not run.task.done()}
        if not going:
            return
        asked = await self.leases.renew([run.state.turn for run in going.values()])
        for name, run in going.items():
            if asked.get(name, True):
                run.cancel()

    async def save_events(self) -> None:
        """Keep what runs have told since the last time, all in one transaction."""
        news = [(run.state, run.state.events.unsaved()) for run in self.runs.active]
        if told := [(answer.turn.user, of_run) for answer, of_run in news if of_run]:
            await self.event_store.save(told)
            for answer, of_run in news:
                answer.events.mark_saved(of_run)

    async def sweep(self) -> None:
        """End the runs whose process is gone, and forget what has been kept for long enough."""
        if lost := await self.leases.end_all_lost():
            logger.warning("%d runs whose process is gone were ended", lost)
        await self.event_store.delete_expired()
