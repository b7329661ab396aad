"""Other weights than the shipped ones, and which of them conversations would choose for one that is left out."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .recall_ranking import SHIPPED, Asked, Floats, Weights, recalls
from .recall_report import interval

OWN = sorted({0.2, 0.3, 0.4, 0.5, 0.6, 0.7, SHIPPED.own})
AROUND = sorted({0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, SHIPPED.around})
LENGTH = sorted({0.0, 0.1, SHIPPED.length})
GRID = [
    Weights(own=own, around=around, length=length) for length, own, around in itertools.product(LENGTH, OWN, AROUND)
]
MOST = 10


@dataclass(frozen=True, slots=True)
class Swept:
    """A set's recall at 10 of each of its questions under all of the `GRID`: [len(GRID)][questions]."""

    clusters: tuple[str, ...]
    recalls: Floats

    @classmethod
    def of(cls, questions: Sequence[Asked]) -> "Swept":
        """Try everything."""
        clusters = tuple(each.question.cluster for each in questions)
        return cls(clusters, np.array([recalls(questions, weights, MOST) for weights in GRID]))

    def without(self, cluster: str) -> Floats:
        """Return [len(GRID)] means over the other clusters' questions."""
        means: Floats = self.recalls[:, [each != cluster for each in self.clusters]].mean(axis=1)
        return means

    def left_out(self, picks: Mapping[str, int]) -> Floats:
        """Return [questions] recalls, each under what was picked without it, or under all picks if it never was."""
        return np.array(
            [
                self.recalls[picks[cluster], n] if cluster in picks else self.recalls[list(picks.values()), n].mean()
                for n, cluster in enumerate(self.clusters)
            ]
        )


def leave_one_out(sets: Mapping[str, Swept], *, chosen_by: Sequence[str], length: float) -> dict[str, Any]:
    """Leave out one conversation at a time, choose the weights that are best for the others, and try them on that one.

    Args:
        sets: by title.
        chosen_by: the sets whose recall counts for the choice, all alike; they are of the same conversations.
        length: the weight that is not chosen.

    Returns:
        What was picked how often, and the recall of each set, under the picks and as shipped.
    """
    allowed = [n for n, weights in enumerate(GRID) if weights.length == length]
    picks: dict[str, int] = {}
    for cluster in sorted(set(sets[chosen_by[0]].clusters)):
        means = np.sum([sets[title].without(cluster)[allowed] for title in chosen_by], axis=0)
        picks[cluster] = allowed[int(means.argmax())]
    return {
        "chosen by": list(chosen_by),
        "length": length,
        "picks": {str(GRID[pick]): list(picks.values()).count(pick) for pick in dict.fromkeys(picks.values())},
        "R@10 of what was left out": {title: _figures(each, each.left_out(picks)) for title, each in sets.items()},
    }


def table(sets: Mapping[str, Swept]) -> Iterable[dict[str, Any]]:
    """Yield every set's recall at 10 under each of the weights."""
    for n, weights in enumerate(GRID):
        means = {title: round(float(each.recalls[n].mean()), 4) for title, each in sets.items()}
        yield {"weights": str(weights), "shipped": weights == SHIPPED, **means}


def _figures(of: Swept, left_out: Floats) -> dict[str, Any]:
    low, high = interval(of.clusters, left_out)
    return {
        "mean": round(float(left_out.mean()), 4),
        "interval": [round(low, 4), round(high, 4)],
        "shipped": round(float(of.recalls[GRID.index(SHIPPED)].mean()), 4),
    }
