"""The values of the limits per user."""

from dataclasses import dataclass
from typing import Literal, Self

from agent.errors import DailyLimitError, LimitExceededError, RateLimitedError
from agent.settings import AgentSettings

Meter = Literal["requests", "messages", "tokens", "embedded_bytes"]
"""What is counted in windows of time."""

MESSAGE_METERS: tuple[Meter, ...] = ("messages", "tokens", "embedded_bytes")
"""The meters of which something must remain for a message."""

MINUTE_SECONDS = 60.0
DAY_SECONDS = 86_400.0


@dataclass(frozen=True, slots=True)
class Quota:
    """The amount that a user may consume in a window of time, which starts with the first use."""

    limit: int
    """0: no limit."""
    window_seconds: float


@dataclass(frozen=True, slots=True)
class QuotaState:
    """What remains of a quota."""

    meter: Meter
    quota: Quota
    remaining: int
    reset_seconds: float
    """Time until the window ends."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of each user; 0: no limit."""

    runs: int
    streams: int
    threads: int
    memories: int
    quotas: dict[Meter, Quota]

    @property
    def concern_messages(self) -> bool:
        """True if any of the limits on messages is set."""
        return any((self.runs, self.threads, *(self.quotas[meter].limit for meter in MESSAGE_METERS)))

    @classmethod
    def of(cls, settings: AgentSettings) -> Self:
        """The limits in the settings."""
        quotas: dict[Meter, Quota] = {
            "requests": Quota(settings.limit_requests_per_minute, MINUTE_SECONDS),
            "messages": Quota(settings.limit_messages_per_minute, MINUTE_SECONDS),
            "tokens": Quota(settings.limit_tokens_per_day, DAY_SECONDS),
            "embedded_bytes": Quota(settings.limit_embedded_bytes_per_day, DAY_SECONDS),
        }
        return cls(
            runs=settings.limit_runs,
            streams=settings.limit_streams,
            threads=settings.limit_threads,
            memories=settings.limit_memories,
            quotas=quotas,
        )


def quota_error(meter: Meter, quota: Quota, reset_seconds: float) -> LimitExceededError:
    """The error for a quota that is used up."""
    reset_seconds = min(reset_seconds, quota.window_seconds)  # the clocks of two processes may differ
    if quota.window_seconds == MINUTE_SECONDS:
        detail = f"the limit is {quota.limit:,} {meter} per minute"
        return RateLimitedError(detail, retry_after_seconds=reset_seconds)
    detail = f"the limit is {quota.limit:,} {meter.replace('_', ' ')} per day"
    return DailyLimitError(detail, retry_after_seconds=reset_seconds)
