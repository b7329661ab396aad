"""The jobs of a worker: formation of memories, and maintenance of what is stored."""

from dataclasses import dataclass

from agent.background import Spawn
from agent.jobs.compaction import HistoryCompaction
from agent.jobs.drain import InboxDrainer
from agent.jobs.purge import ForgottenPurge
from agent.jobs.sweep import InboxSweep
from agent.jobs.worker import FormationWorker
from agent.settings import AgentSettings
from agent.store.factory import store_uri
from agent.store.reindex import IndexRebuild


@dataclass(frozen=True, slots=True)
class Jobs:
    """The jobs and what they share with requests."""

    drainer: InboxDrainer
    compaction: HistoryCompaction
    purge: ForgottenPurge

    def start(self, spawn: Spawn, settings: AgentSettings, uri: str) -> None:
        """Start them as background tasks; `uri` is that of the database."""
        if settings.enable_fact_extraction:
            sweep = InboxSweep(self.drainer.store, self.drainer.queue.database)
            spawn(FormationWorker(self.drainer, sweep, uri).run())
            spawn(self.compaction.run())
        spawn(self.purge.run())
        if settings.store_type == "postgres" and not settings.agent_url:
            spawn(IndexRebuild(store_uri(settings, uri)).run())
