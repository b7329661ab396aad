"""Figures of the memory tip, for each half of a set."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .tip_sets import SPLITS, Split

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one row."""

    split: Split
    hit: bool
    row: str
    """The row and what was recalled, for a list of failures."""


@dataclass(frozen=True, slots=True)
class Share:
    """The share of rows that are a hit."""

    name: str
    outcomes: Sequence[Outcome]
    wanted: bool = True
    """Whether a hit is the goal; otherwise it is a failure."""
    part_of_another: bool = False
    """Whether another share contains the same rows, and lists their failures."""

    def as_json(self) -> Json:
        """The share and the number of rows, in each half and in total."""
        halves: Mapping[str, list[bool]] = {
            split: [outcome.hit for outcome in self.outcomes if outcome.split == split] for split in SPLITS
        } | {"all": [outcome.hit for outcome in self.outcomes]}
        return {"share": {half: _mean(hits) for half, hits in halves.items()}, "rows": len(self.outcomes)}

    def failures(self) -> list[str]:
        """The failed rows of the tuning half; rows that are held back are never shown."""
        if self.part_of_another:
            return []
        return [one.row for one in self.outcomes if one.split == "tuning" and one.hit is not self.wanted]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure without halves."""

    name: str
    values: Mapping[str, float]

    def as_json(self) -> Json:
        """The values."""
        return dict(self.values)

    def failures(self) -> list[str]:
        """None: a figure has no rows."""
        return []


Result = Share | Figure


def print_results(part: str, results: Iterable[Result], *, failures: bool) -> None:
    """Print a part's figures and, if asked to, the failed rows of the tuning half."""
    print(f"\n{part}")
    for result in results:
        if isinstance(result, Figure):
            values = "  ".join(f"{name} {value:g}" for name, value in result.values.items())
            print(f"  {result.name:62} {values}")
            continue
        found = result.as_json()
        columns = "  ".join(f"{half.replace('_', ' ')} {share:.3f}" for half, share in found["share"].items())
        print(f"  {result.name:62} {columns}  of {found['rows']}")
        if failures:
            print("".join(f"      {row}\n" for row in result.failures()), end="")


def _mean(hits: Sequence[bool]) -> float:
    return round(sum(hits) / len(hits), 4) if hits else 0.0
