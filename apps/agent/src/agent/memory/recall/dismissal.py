"""Lower weights of memories for messages similar to those for which the user has called them not relevant."""

from collections.abc import Iterable, Sequence

from langgraph.store.base import SearchItem

from agent.memory.recall.calibration import Calibration
from agent.memory.records.mismatches import mismatches_of


def weights(
    items: Iterable[SearchItem], vector: Sequence[float], model: str, calibration: Calibration
) -> dict[str, float]:
    """By key, the factors of the ranks of those items that have a lower weight for a message.

    A message that is as similar as related texts typically are does not lower the weight; the same message lowers it to
    0, and in between it falls linearly.

    Args:
        items: search results.
        vector: [D] of the message.
        model: the embedding model of the vector.
        calibration: of that model.
    """
    lowered = {}
    for item in items:
        similarity = max((one.similarity(model, vector) for one in mismatches_of(item.value)), default=0.0)
        excess = (similarity - calibration.related) / max(1 - calibration.related, 0.01)
        if excess > 0:
            lowered[item.key] = 1 - min(excess, 1.0)
    return lowered
