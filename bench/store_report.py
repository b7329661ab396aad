"""Figures with targets, tables and a plot."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure as Canvas

from .store_searches import LIMIT, Measurement

KEEPSAKE_COLOUR, LANGGRAPH_COLOUR = "#0b6e4f", "#9aa5b1"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure and its target."""

    name: str
    value: float
    unit: str = "times"
    spread: tuple[float, float] | None = None
    """Lower and upper quartile of the rounds."""
    at_least: float | None = None
    at_most: float | None = None

    @property
    def is_met(self) -> bool | None:
        """True if the target is met; None if there is none."""
        if self.at_least is None and self.at_most is None:
            return None
        return (self.at_least is None or self.value >= self.at_least) and (
            self.at_most is None or self.value <= self.at_most
        )


@dataclass(frozen=True, slots=True)
class Case:
    """A population, the measured contestants and the figures."""

    title: str
    rows: int
    searches: Mapping[str, Measurement] = field(default_factory=dict)
    figures: Sequence[Figure] = ()

    def print(self) -> None:
        """Print the searches and the figures."""
        print(f"\n{self.title} ({self.rows:,} memories)")
        for name, of in self.searches.items():
            found = "" if of.found is None else f"{of.found:,} of {of.expected:,} found"
            nearest = "" if of.nearest is None else f"{of.nearest / of.expected:6.1%} of the nearest"
            medians = f"{min(of.medians):.1f}-{max(of.medians):.1f}"
            print(f"  {name:42} p50 {of.p50:7.2f}  p95 {of.p95:7.2f} ms  ({medians:>13})  {found:>22} {nearest}")
        for figure in self.figures:
            target = f"<= {figure.at_most:g}" if figure.at_most is not None else ""
            target = f">= {figure.at_least:g}" if figure.at_least is not None else target
            spread = "" if figure.spread is None else f"({figure.spread[0]:.2f}-{figure.spread[1]:.2f})"
            met = {None: "", True: "met", False: "MISSED"}[figure.is_met]
            print(f"  {figure.name:66} {figure.value:8.2f} {figure.unit:8} {spread:>17}  {target:8} {met}")

    def as_json(self) -> dict[str, Any]:
        """All figures, for JSON."""
        return {
            "case": self.title,
            "memories": self.rows,
            "searches": {
                name: {
                    "count": len(of.times),
                    "p50_ms": round(of.p50, 3),
                    "p95_ms": round(of.p95, 3),
                    "p50_ms_of_each_round": [round(median, 3) for median in of.medians],
                    "expected": of.expected,
                    "found": of.found,
                    "nearest": of.nearest,
                }
                for name, of in self.searches.items()
            },
            "figures": [{**asdict(figure), "target_met": figure.is_met} for figure in self.figures],
        }


def plot(cases: Sequence[tuple[str, Mapping[str, Measurement]]], path: Path) -> None:
    """Plot the search time of the contestants per case, and how many of the expected items they find."""
    sizes = [len(searches) for _, searches in cases]
    times = [of.p50 for _, searches in cases for of in searches.values()]
    canvas = Canvas(figsize=(9, 1 + 0.4 * sum(sizes)), layout="constrained")
    panels = canvas.subplots(len(cases), sharex=True, height_ratios=sizes)
    for axes, (title, searches) in zip(panels, cases, strict=True):
        names = list(searches)
        colours = [KEEPSAKE_COLOUR if name.startswith("Keepsake") else LANGGRAPH_COLOUR for name in names]
        bars = axes.barh(names, [of.p50 for of in searches.values()], color=colours, height=0.7)
        axes.bar_label(bars, [_label(of) for of in searches.values()], padding=4, fontsize=9)
        axes.set_title(title, loc="left", fontsize=10)
        axes.set_xscale("log")
        axes.set_xlim(min(times) / 2, max(times) * 5)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.invert_yaxis()
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
    panels[-1].set_xlabel("search of two namespaces, p50 in ms")
    canvas.savefig(path, dpi=150)


def _label(of: Measurement) -> str:
    expected = 2 * LIMIT
    found = "" if of.found is None else f", {expected * of.found / of.expected:.2g} of {expected} found"
    return f"{of.p50:.1f} ms{found}"
