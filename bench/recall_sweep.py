"""Compare weights by leave-one-conversation-out cross-validation."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .recall_ranking import SHIPPED, Floats, ScoredQuestion, Weights, recall_of
from .recall_report import interval

OWN = sorted({0.2, 0.3, 0.4, 0.5, 0.6, 0.7, SHIPPED.own})
AROUND = sorted({0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, SHIPPED.around})
LENGTH = sorted({0.0, 0.1, SHIPPED.length})
GRID = [
    Weights(own=own, around=around, length=length) for length, own, around in itertools.product(LENGTH, OWN, AROUND)
]
LIMIT = 10


@dataclass(frozen=True, slots=True)
class SweepResult:
    """Recall at 10 of each of a set's questions under each element of `GRID`: [len(GRID)][questions]."""

    clusters: tuple[str, ...]
    recalls: Floats

    @classmethod
    def of(cls, questions: Sequence[ScoredQuestion]) -> "SweepResult":
        """Compute the recall under all weights."""
        clusters = tuple(each.question.cluster for each in questions)
        return cls(clusters, np.array([recall_of(questions, weights, LIMIT) for weights in GRID]))

    def mean_without(self, cluster: str) -> Floats:
        """[len(GRID)] means over the questions of the other clusters."""
        means: Floats = self.recalls[:, [each != cluster for each in self.clusters]].mean(axis=1)
        return means

    def held_out_recalls(self, picks: Mapping[str, int]) -> Floats:
        """[questions] recall under the weights picked without the question's cluster, or the mean over all picks."""
        return np.array(
            [
                self.recalls[picks[cluster], n] if cluster in picks else self.recalls[list(picks.values()), n].mean()
                for n, cluster in enumerate(self.clusters)
            ]
        )


def leave_one_out(sets: Mapping[str, SweepResult], *, chosen_by: Sequence[str], length: float) -> dict[str, Any]:
    """Pick the best weights for all conversations but one, and apply them to that one, for each conversation.

    Args:
        sets: results by title.
        chosen_by: titles of the sets whose mean recall selects the weights; all contain the same conversations.
        length: the length weight, which is fixed.

    Returns:
        How often each pick was chosen, and the recall of each set under the picks and under the default weights.
    """
    allowed = [n for n, weights in enumerate(GRID) if weights.length == length]
    picks: dict[str, int] = {}
    for cluster in sorted(set(sets[chosen_by[0]].clusters)):
        means = np.sum([sets[title].mean_without(cluster)[allowed] for title in chosen_by], axis=0)
        picks[cluster] = allowed[int(means.argmax())]
    return {
        "chosen by": list(chosen_by),
        "length": length,
        "picks": {str(GRID[pick]): list(picks.values()).count(pick) for pick in dict.fromkeys(picks.values())},
        "R@10 of what was left out": {
            title: _figures(each, each.held_out_recalls(picks)) for title, each in sets.items()
        },
    }


def recall_by_weights(sets: Mapping[str, SweepResult]) -> Iterable[dict[str, Any]]:
    """Yield the recall at 10 of every set, for each element of `GRID`."""
    for n, weights in enumerate(GRID):
        means = {title: round(float(each.recalls[n].mean()), 4) for title, each in sets.items()}
        yield {"weights": str(weights), "shipped": weights == SHIPPED, **means}


def _figures(of: SweepResult, left_out: Floats) -> dict[str, Any]:
    low, high = interval(of.clusters, left_out)
    return {
        "mean": round(float(left_out.mean()), 4),
        "interval": [round(low, 4), round(high, 4)],
        "shipped": round(float(of.recalls[GRID.index(SHIPPED)].mean()), 4),
    }
