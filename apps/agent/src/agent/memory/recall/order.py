"""The order of memories in the prompt: newer ones before older ones that they may replace."""

from collections.abc import Iterable

from agent.types import Hit

NEWER_SIMILARITY = 0.4
"""Share of an older memory's similarity to the message from which on a newer one precedes it in the prompt."""


def newest_first(hits: Iterable[Hit]) -> list[Hit]:
    """Order the hits for the prompt, where each one precedes older ones that it may replace; see `precedes`."""
    ordered: list[Hit] = []
    for hit in hits:
        passed = (n for n, other in enumerate(ordered) if precedes(hit, other))
        ordered.insert(next(passed, len(ordered)), hit)
    return ordered


def precedes(hit: Hit, other: Hit) -> bool:
    """Check whether a hit is newer than another one, and not much less similar to the message."""
    if (hit.last_seen or hit.ts) <= (other.last_seen or other.ts) or hit.score is None:
        return False
    return other.score is None or hit.score >= NEWER_SIMILARITY * other.score
