"""What operators can measure of formation, as Prometheus reads it. It counts, and names nobody."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

from agent.errors import AgentError
from agent.jobs.queue import Backlog
from agent.types import FormationResult

RESULTS = ("added", "replaced", "confirmed", "episodes")
SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


class FormationMetrics:
    """The counts of this process, and beside them what waits in the whole installation."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._formed = self._counter("memories", "What came of messages, by how", "result")
        for result in RESULTS:
            self._formed.labels(result)  # there is a count from the start: none
        self._rejected = self._counter("rejected", "What the gate refused, by reason", "reason")
        self._failures = self._counter("failures", "Batches and drains that failed, by error", "error")
        self._set_aside = self._counter("set_aside", "Batches set aside after their last retry")
        self._seconds = Histogram(
            "keepsake_formation_drain_seconds", "A drain of one inbox", buckets=SECONDS, registry=self._registry
        )
        self._users = self._gauge("pending_users", "Users whose inboxes are to be distilled")
        self._oldest = self._gauge("oldest_seconds", "For how long the first of them has waited")
        self._aside = self._gauge("set_aside_batches", "Batches that wait for their users, or for a hand")

    @contextmanager
    def drain(self) -> Iterator[None]:
        """Time a drain, and count it if it fails."""
        with self._seconds.time():
            try:
                yield
            except Exception as error:
                self.failed(error)
                raise

    def formed(self, formed: FormationResult) -> None:
        """Count what a batch came to."""
        for result in RESULTS:
            self._formed.labels(result).inc(getattr(formed, result))
        for reason, count in formed.reasons.items():
            self._rejected.labels(reason).inc(count)

    def failed(self, error: Exception) -> None:
        """Count a failure, by the code of its error."""
        self._failures.labels(error.code if isinstance(error, AgentError) else AgentError.code).inc()

    def set_aside(self) -> None:
        """Count a batch that is not tried again by itself."""
        self._set_aside.inc()

    def text(self, backlog: Backlog | None) -> bytes:
        """Return everything in Prometheus's text format 0.0.4; without a backlog, it is not known now."""
        self._users.set(backlog.users if backlog else math.nan)
        self._oldest.set(backlog.oldest_seconds if backlog else math.nan)
        self._aside.set(backlog.set_aside if backlog else math.nan)
        return generate_latest(self._registry)

    def _counter(self, name: str, told: str, *labels: str) -> Counter:
        return Counter(f"keepsake_formation_{name}", told, labels, registry=self._registry)

    def _gauge(self, name: str, told: str) -> Gauge:
        return Gauge(f"keepsake_formation_{name}", told, registry=self._registry)
