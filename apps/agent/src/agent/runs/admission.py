"""Rejection of messages above a limit before they cost anything; `Turns.begin` decides about the others."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from agent.limits.counts import too_many_runs
from agent.limits.quotas import MESSAGE_METERS
from agent.limits.usage import Usage
from agent.runs.runs import Runs
from agent.types import MessageId, ThreadId, UserId


class MessageAdmission:
    """Applies the limits to what this process knows."""

    def __init__(self, runs: Runs, usage: Usage) -> None:
        self._runs = runs
        self._usage = usage
        self._starting: Counter[UserId] = Counter()

    @contextmanager
    def admit(self, user: UserId, thread: ThreadId, message: MessageId) -> Iterator[None]:
        """Count a message as a run during the block, which starts its run.

        Raises:
            LimitExceededError: the message is one too many. A message that a run of this process is answering is not.
        """
        turns = [run.state.turn for run in self._runs.active if run.state.turn.user == user]
        if not any((turn.thread, turn.message.id) == (thread, message) for turn in turns):
            self._usage.check(user, *MESSAGE_METERS)
            limit = self._usage.limits.runs
            if limit and len(turns) + self._starting[user] >= limit:
                raise too_many_runs(limit)
        self._starting[user] += 1
        try:
            yield
        finally:
            self._starting[user] -= 1
            if not self._starting[user]:
                del self._starting[user]
