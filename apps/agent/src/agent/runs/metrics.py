"""Prometheus metrics of turns. No label identifies a user."""

from typing import get_args

from prometheus_client import CollectorRegistry, Counter, Histogram

from agent.events import Event, RunFailed, RunFinished
from agent.models.moderation import Outcome
from agent.runs.run_state import RunState

FIRST_TOKEN_BUCKETS_SECONDS = (0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2.5, 5, 10, 30, 60)
RECALL_BUCKETS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1)
OUTCOMES = ("completed", "cancelled", "failed")


class TurnMetrics:
    """Counts turns and measures what their users wait for."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._turns = Counter("keepsake_turns", "Turns, by outcome", ["outcome"], registry=registry)
        self._failures = Counter("keepsake_turn_failures", "Failed turns, by error code", ["error"], registry=registry)
        self._degraded = Counter("keepsake_turns_degraded", "Turns with incomplete recall", registry=registry)
        self._moderated = Counter(
            "keepsake_moderated_messages", "Messages sent to moderation, by outcome", ["outcome"], registry=registry
        )
        self._first_token = Histogram(
            "keepsake_turn_first_token_seconds",
            "Time from a message to the first token of its answer",
            buckets=FIRST_TOKEN_BUCKETS_SECONDS,
            registry=registry,
        )
        self._recall = Histogram(
            "keepsake_recall_seconds",
            "Time from the start of a run until its memories are recalled",
            buckets=RECALL_BUCKETS_SECONDS,
            registry=registry,
        )
        for outcome in OUTCOMES:
            self._turns.labels(outcome)  # exports 0 before the first increment
        for verdict in get_args(Outcome):
            self._moderated.labels(verdict)

    def count_turn(self, state: RunState, last_event: Event) -> None:
        """Record a turn that has ended with an event."""
        self._turns.labels(last_event.status if isinstance(last_event, RunFinished) else "failed").inc()
        if isinstance(last_event, RunFailed):
            self._failures.labels(last_event.error.code).inc()
        if state.first_token_seconds is not None:
            self._first_token.observe(state.first_token_seconds)
        if state.recalled is not None:
            self._recall.observe(state.recalled.elapsed_ms / 1000)
            self._degraded.inc(state.recalled.degraded)

    def count_moderation(self, outcome: Outcome) -> None:
        """Count a verdict on a message."""
        self._moderated.labels(outcome).inc()
