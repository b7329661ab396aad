"""What was measured: figures with what is wanted of them, tables, and a plot."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure as Canvas

from .store_searches import LIMIT, Measured

OURS, THEIRS = "#0b6e4f", "#9aa5b1"


@dataclass(frozen=True, slots=True)
class Figure:
    """Something measured, and what is wanted of it."""

    what: str
    value: float
    unit: str = "times"
    spread: tuple[float, float] | None = None
    """The least and the most of a round."""
    at_least: float | None = None
    at_most: float | None = None

    @property
    def held(self) -> bool | None:
        """Whether it is as wanted; None where nothing is."""
        if self.at_least is None and self.at_most is None:
            return None
        return (self.at_least is None or self.value >= self.at_least) and (
            self.at_most is None or self.value <= self.at_most
        )


@dataclass(frozen=True, slots=True)
class Case:
    """A population, its contestants, and their figures."""

    title: str
    rows: int
    searches: Mapping[str, Measured] = field(default_factory=dict)
    figures: Sequence[Figure] = ()

    def print(self) -> None:
        """Print two tables."""
        print(f"\n{self.title} ({self.rows:,} memories)")
        for name, of in self.searches.items():
            found = "" if of.found is None else f"{of.found:,} of {of.wanted:,} found"
            nearest = "" if of.nearest is None else f"{of.nearest / of.wanted:6.1%} of the nearest"
            medians = f"{min(of.medians):.1f}-{max(of.medians):.1f}"
            print(f"  {name:42} p50 {of.p50:7.2f}  p95 {of.p95:7.2f} ms  ({medians:>13})  {found:>22} {nearest}")
        for figure in self.figures:
            wanted = f"<= {figure.at_most:g}" if figure.at_most is not None else ""
            wanted = f">= {figure.at_least:g}" if figure.at_least is not None else wanted
            spread = "" if figure.spread is None else f"({figure.spread[0]:.2f}-{figure.spread[1]:.2f})"
            held = {None: "", True: "held", False: "MISSED"}[figure.held]
            print(f"  {figure.what:66} {figure.value:8.2f} {figure.unit:8} {spread:>17}  {wanted:8} {held}")

    def as_json(self) -> dict[str, Any]:
        """Return everything, in numbers."""
        return {
            "case": self.title,
            "memories": self.rows,
            "searches": {
                name: {
                    "count": len(of.times),
                    "p50_ms": round(of.p50, 3),
                    "p95_ms": round(of.p95, 3),
                    "p50_ms_of_each_round": [round(median, 3) for median in of.medians],
                    "wanted": of.wanted,
                    "found": of.found,
                    "nearest": of.nearest,
                }
                for name, of in self.searches.items()
            },
            "figures": [{**asdict(figure), "held": figure.held} for figure in self.figures],
        }


def plot(cases: Sequence[tuple[str, Mapping[str, Measured]]], path: Path) -> None:
    """Draw how long the contestants of each case search, and how much of what they were asked for they find."""
    sizes = [len(searches) for _, searches in cases]
    times = [of.p50 for _, searches in cases for of in searches.values()]
    canvas = Canvas(figsize=(9, 1 + 0.4 * sum(sizes)), layout="constrained")
    panels = canvas.subplots(len(cases), sharex=True, height_ratios=sizes)
    for axes, (title, searches) in zip(panels, cases, strict=True):
        names = list(searches)
        colours = [OURS if name.startswith("ours") else THEIRS for name in names]
        bars = axes.barh(names, [of.p50 for of in searches.values()], color=colours, height=0.7)
        axes.bar_label(bars, [_label(of) for of in searches.values()], padding=4, fontsize=9)
        axes.set_title(title, loc="left", fontsize=10)
        axes.set_xscale("log")
        axes.set_xlim(min(times) / 2, max(times) * 5)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.invert_yaxis()
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
    panels[-1].set_xlabel("a search of two namespaces, p50 in ms")
    canvas.savefig(path, dpi=150)


def _label(of: Measured) -> str:
    wanted = 2 * LIMIT
    found = "" if of.found is None else f", {wanted * of.found / of.wanted:.2g} of {wanted} found"
    return f"{of.p50:.1f} ms{found}"
