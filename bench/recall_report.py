"""Recall figures with confidence intervals, as tables and a plot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure as Canvas

from .recall_ranking import Floats
from .recall_sets import Question

RESAMPLES = 10_000
KEEPSAKE_COLOUR, BASELINE_COLOUR = "#0b6e4f", "#9aa5b1"


@dataclass(frozen=True, slots=True)
class Recall:
    """A method's recall at 5 and at 10, per question."""

    questions: tuple[Question, ...]
    at_5: Floats
    at_10: Floats

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the mean recall at 10, by a bootstrap over conversations."""
        return interval([question.cluster for question in self.questions], self.at_10)

    def as_json(self) -> dict[str, Any]:
        """All figures, for JSON."""
        categories = [question.category for question in self.questions]
        return {
            "R@5": _round(self.at_5.mean()),
            "R@10": _round(self.at_10.mean()),
            "R@10 interval": [_round(bound) for bound in self.interval],
            "R@10 by category": {
                name: _round(self.at_10[[category == name for category in categories]].mean())
                for name in dict.fromkeys(sorted(categories))
            },
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """The recall of each method on one set."""

    title: str
    memories: int
    methods: Mapping[str, Recall]

    def as_json(self) -> dict[str, Any]:
        """All figures, for JSON."""
        [questions, *_] = [recall.questions for recall in self.methods.values()]
        methods = {name: recall.as_json() for name, recall in self.methods.items()}
        return {"set": self.title, "memories": self.memories, "questions": len(questions), "methods": methods}

    def print(self) -> None:
        """Print a table."""
        shown = self.as_json()
        print(f"\n{self.title}: {shown['questions']:,} questions, {self.memories:,} memories")
        for name, figures in shown["methods"].items():
            low, high = figures["R@10 interval"]
            categories = "  ".join(f"{kind} {value:.3f}" for kind, value in figures["R@10 by category"].items())
            print(
                f"  {name:26} R@5 {figures['R@5']:.3f}  R@10 {figures['R@10']:.3f} ({low:.3f}-{high:.3f})  {categories}"
            )


def interval(clusters: Sequence[str], values: Floats) -> tuple[float, float]:
    """The 2.5th and 97.5th percentile of the mean, by a bootstrap over clusters.

    References:
        Davison, Hinkley: Bootstrap Methods and their Application, 1997, section 3.8.
    """
    names = sorted(set(clusters))
    number = np.array([names.index(cluster) for cluster in clusters])
    sums, counts = np.bincount(number, values), np.bincount(number)
    drawn = np.random.default_rng(0).integers(0, len(names), (RESAMPLES, len(names)))
    low, high = np.percentile(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1), [2.5, 97.5])
    return float(low), float(high)


def plot(sets: Sequence[Comparison], path: Path) -> None:
    """Plot the recall at 10 of each method on each set, with its interval."""
    canvas = Canvas(figsize=(8, 1 + 0.36 * sum(len(each.methods) for each in sets)), layout="constrained")
    panels = canvas.subplots(len(sets), sharex=True, squeeze=False, height_ratios=[len(each.methods) for each in sets])
    for axes, each in zip(panels[:, 0], sets, strict=True):
        means = [float(recall.at_10.mean()) for recall in each.methods.values()]
        bounds = np.array([recall.interval for recall in each.methods.values()]).T
        colors = [KEEPSAKE_COLOUR if name.startswith("Keepsake") else BASELINE_COLOUR for name in each.methods]
        bars = axes.barh(list(each.methods), means, color=colors, height=0.7)
        axes.errorbar(means, range(len(means)), xerr=np.abs(bounds - means), fmt="none", ecolor="#333333", capsize=3)
        axes.bar_label(bars, [f"{mean:.3f}" for mean in means], label_type="center", color="white", fontsize=9)
        axes.set_title(each.title, loc="left", fontsize=10)
        axes.set_xlim(0, 1)
        axes.invert_yaxis()
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
    panels[-1, 0].set_xlabel("R@10: relevant memories among the first ten results, 95 % interval")
    canvas.savefig(path, dpi=150)


def _round(value: float) -> float:
    return round(float(value), 4)
