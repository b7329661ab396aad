"""The pulse: what this process does for its runs several times a second, beside their answers."""

import asyncio
import logging
from dataclasses import dataclass

from agent.background import every
from agent.runs.event_store import Recordings
from agent.runs.leases import Leases
from agent.runs.runs import Runs

logger = logging.getLogger(__name__)

BEAT_SECONDS = 0.3
RECORD_SECONDS = 0.4
SWEEP_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Pulse:
    """Keeps runs alive, hears whom others want to stop, records what is told, and clears up after the dead.

    A database that is slow or away delays nothing but this.
    """

    runs: Runs
    leases: Leases
    recordings: Recordings

    async def run(self) -> None:
        """Beat until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(every(BEAT_SECONDS, self.beat, doing="renewing the leases of runs"))
            tasks.create_task(every(RECORD_SECONDS, self.record, doing="recording runs"))
            tasks.create_task(every(SWEEP_SECONDS, self.sweep, doing="clearing up after runs"))

    async def beat(self) -> None:
        """Renew the leases of the runs that are going, and stop those that are asked to, or were ended by others."""
        going = {run.answer.turn.run: run for run in self.runs.going if not run.answering.done()}
        if not going:
            return
        asked = await self.leases.renew([run.answer.turn for run in going.values()])
        for name, run in going.items():
            if asked.get(name, True):
                run.cancel()

    async def record(self) -> None:
        """Keep what runs have told since the last time, all in one transaction."""
        news = [(run.answer, run.answer.telling.not_kept()) for run in self.runs.going]
        if told := [(answer.turn.user, of_run) for answer, of_run in news if of_run]:
            await self.recordings.keep(told)
            for answer, of_run in news:
                answer.telling.kept(of_run)

    async def sweep(self) -> None:
        """End the runs whose process is gone, and forget what has been kept for long enough."""
        if lost := await self.leases.close_all_lost():
            logger.warning("%d runs whose process is gone were ended", lost)
        await self.recordings.forget()
