"""Prometheus metrics of formation. No label identifies a user."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from agent.errors import AgentError
from agent.jobs.queue import Backlog
from agent.types import FormationResult

RESULTS = ("added", "replaced", "confirmed", "episodes")
BUCKETS_SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
LAG_BUCKETS_SECONDS = (1, 5, 15, 30, 45, 60, 120, 300, 600, 1800, 3600)


class FormationMetrics:
    """Counters of this process, and gauges of the whole installation's backlog."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry
        self._memories = self._counter("memories", "Memories formed, by result", "result")
        for result in RESULTS:
            self._memories.labels(result)  # exports 0 before the first increment
        self._rejected = self._counter("rejected", "Candidates rejected, by reason", "reason")
        self._failures = self._counter("failures", "Failed batches and drains, by error code", "error")
        self._set_aside = self._counter("set_aside", "Batches set aside after their last retry")
        self._duration = Histogram(
            "keepsake_formation_drain_seconds",
            "Duration of draining one inbox",
            buckets=BUCKETS_SECONDS,
            registry=self._registry,
        )
        self._lag = Histogram(
            "keepsake_formation_lag_seconds",
            "Time from the oldest message of a batch until its memories are formed",
            buckets=LAG_BUCKETS_SECONDS,
            registry=self._registry,
        )
        self._pending_users = self._gauge("pending_users", "Users with unprocessed messages")
        self._oldest = self._gauge("oldest_seconds", "Age of the oldest unprocessed message")
        self._set_aside_batches = self._gauge("set_aside_batches", "Batches currently set aside")

    @contextmanager
    def measure_drain(self) -> Iterator[None]:
        """Record the duration of a drain, and count its failure."""
        with self._duration.time():
            try:
                yield
            except Exception as error:
                self.count_failure(error)
                raise

    def count_result(self, result: FormationResult, *, lag_seconds: float) -> None:
        """Count the memories and rejections of a batch, whose oldest message is so old."""
        self._lag.observe(max(lag_seconds, 0.0))
        for name in RESULTS:
            self._memories.labels(name).inc(getattr(result, name))
        for reason, count in result.reasons.items():
            self._rejected.labels(reason).inc(count)

    def count_failure(self, error: Exception) -> None:
        """Count a failure by its error code."""
        self._failures.labels(error.code if isinstance(error, AgentError) else AgentError.code).inc()

    def count_set_aside(self) -> None:
        """Count a batch that was set aside."""
        self._set_aside.inc()

    def set_backlog(self, backlog: Backlog | None) -> None:
        """Set the gauges of the backlog; without one, to NaN."""
        self._pending_users.set(backlog.pending_users if backlog else math.nan)
        self._oldest.set(backlog.oldest_seconds if backlog else math.nan)
        self._set_aside_batches.set(backlog.set_aside_batches if backlog else math.nan)

    def _counter(self, name: str, documentation: str, *labels: str) -> Counter:
        return Counter(f"keepsake_formation_{name}", documentation, labels, registry=self._registry)

    def _gauge(self, name: str, documentation: str) -> Gauge:
        return Gauge(f"keepsake_formation_{name}", documentation, registry=self._registry)
