"""The memories that are most similar to a message, for the offline model, which compares only words."""

from collections.abc import Iterable

from agent.memory.recall.calibration import Calibration
from agent.prompt_text import neutralise
from agent.types import Hit

MAX_NEAREST = 2
MIN_RELATEDNESS = 0.85
"""0: as similar as unrelated texts, 1: as typically related ones. Few unrelated ones reach it."""
NEAR_BEST = 0.85
"""Share of the best similarity that another one must reach."""


def nearest_texts(hits: Iterable[Hit], calibration: Calibration) -> tuple[str, ...]:
    """The texts of the hits that are as similar to the message as typically related ones, the most similar first."""
    minimum = calibration.unrelated + MIN_RELATEDNESS * calibration.spread
    scored = sorted(((hit.score, hit.text) for hit in hits if hit.score is not None), reverse=True)
    near = [(score, text) for score, text in scored if score >= max(minimum, NEAR_BEST * scored[0][0])]
    return tuple(dict.fromkeys(neutralise(text) for _, text in near))[:MAX_NEAREST]
