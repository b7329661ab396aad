"""Figures of `make bench`: medians and ratios with intervals."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 4_000
Values = Sequence[float]


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    def text(self, digits: int = 0) -> str:
        """`12 (10-14)`."""
        return f"{self.value:,.{digits}f} ({self.low:,.{digits}f}-{self.high:,.{digits}f})"

    def as_json(self) -> list[float]:
        """Value, lower and upper bound."""
        return [round(number, 4) for number in (self.value, self.low, self.high)]


@dataclass(slots=True)
class Measure:
    """One kind of measurement of all systems: a value per round, or the reason why there is none."""

    name: str
    unit: str
    values: dict[str, list[float]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    higher_is_better: bool = False

    def add(self, system: str, value: float) -> None:
        """Record a value."""
        self.values.setdefault(system, []).append(value)

    def median(self, system: str) -> Interval:
        """The median of a system's values."""
        return median(self.values[system])

    def ratio(self, system: str, reference: str) -> Interval:
        """How many times as much as the reference a system takes; more than 1 if it is worse."""
        pair = (self.values[system], self.values[reference])
        return ratio(*reversed(pair)) if self.higher_is_better else ratio(*pair)

    def over(self, base: str, name: str) -> "Measure":
        """The differences to a system within each round, for those measured in all rounds."""
        rounds = len(self.values.get(base, ()))
        complete = {
            system: series for system, series in self.values.items() if len(series) == rounds and system != base
        }
        values = {
            system: [value - bare for value, bare in zip(series, self.values[base], strict=True)]
            for system, series in complete.items()
        }
        return Measure(name, self.unit, values, dict(self.failed))

    def as_json(self, reference: str) -> dict[str, Any]:
        """All figures."""
        figures: dict[str, Any] = {
            system: {"median": self.median(system).as_json(), "rounds": len(values)}
            for system, values in self.values.items()
        }
        for system in self.values.keys() & {reference} and self.values.keys() - {reference}:
            figures[system]["ratio"] = self.ratio(system, reference).as_json()
        figures |= {system: {"failed": why} for system, why in self.failed.items()}
        return {"unit": self.unit, "systems": figures}


def median(values: Values) -> Interval:
    """The median, with an interval by a bootstrap over rounds."""
    [drawn] = _resampled_medians([values])
    return _interval(float(np.median(values)), drawn)


def ratio(values: Values, reference: Values) -> Interval:
    """The ratio of two medians; rounds are drawn in pairs if there are as many of both."""
    drawn, drawn_reference = _resampled_medians([values, reference])
    return _interval(float(np.median(values) / np.median(reference)), drawn / drawn_reference)


def _resampled_medians(series: Sequence[Values]) -> list[NDArray[np.float64]]:
    lengths = {len(values) for values in series}
    random = np.random.default_rng(0)
    draws = {length: random.integers(0, length, (RESAMPLES, length)) for length in sorted(lengths)}
    return [np.median(np.asarray(values, dtype=np.float64)[draws[len(values)]], axis=1) for values in series]


def _interval(value: float, drawn: NDArray[np.float64]) -> Interval:
    low, high = np.percentile(drawn, [2.5, 97.5])
    return Interval(value, float(low), float(high))
