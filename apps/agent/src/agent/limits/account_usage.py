"""What one user has consumed, as far as this process knows."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from agent.limits.quotas import Meter, Quota, QuotaState, quota_error

CLOCK_TOLERANCE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Window:
    """The amount consumed in a window that ends at a time of the monotonic clock."""

    used: int
    ends_at: float

    @property
    def seconds_left(self) -> float:
        """The time until the window ends; negative afterwards."""
        return self.ends_at - time.monotonic()


@dataclass(slots=True)
class AccountUsage:
    """The current windows of one user, and what this process has not yet reported."""

    pending: int = 0
    """Requests that are not yet reported to the database."""
    windows: dict[Meter, Window] = field(default_factory=dict)

    @property
    def is_idle(self) -> bool:
        """True if there is nothing to remember."""
        return not self.pending and all(window.seconds_left <= 0 for window in self.windows.values())

    def used(self, meter: Meter) -> int:
        """The amount consumed in the current window."""
        window = self.windows.get(meter)
        used = window.used if window and window.seconds_left > 0 else 0
        return used + (self.pending if meter == "requests" else 0)

    def record(self, meter: Meter, used: int, seconds_left: float, *, added: int) -> None:
        """Record the total that the database returned for a committed amount.

        The erasure of an account deletes its totals; this process remembers them until the window ends.
        """
        window = self.windows.get(meter)
        if window and window.seconds_left > CLOCK_TOLERANCE_SECONDS and window.used + added > used:
            self.windows[meter] = Window(window.used + added, window.ends_at)
        else:
            self.windows[meter] = Window(used, time.monotonic() + seconds_left)

    def check(self, meter: Meter, quota: Quota) -> None:
        """Check that something remains of a quota.

        Raises:
            LimitExceededError: the quota is used up.
        """
        if quota.limit and self.used(meter) >= quota.limit:
            raise quota_error(meter, quota, self._seconds_left(meter, quota))

    def states(self, quotas: Mapping[Meter, Quota]) -> Iterator[QuotaState]:
        """What remains of each quota that is limited and in use."""
        for meter, quota in quotas.items():
            if quota.limit and (used := self.used(meter)):
                yield QuotaState(meter, quota, max(quota.limit - used, 0), self._seconds_left(meter, quota))

    def _seconds_left(self, meter: Meter, quota: Quota) -> float:
        window = self.windows.get(meter)
        return window.seconds_left if window and window.seconds_left > 0 else quota.window_seconds
