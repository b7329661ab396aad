"""Effective confidence: the confidence of a memory decays with the time since it was last confirmed."""

from datetime import datetime, timedelta

from agent.timestamps import parse_timestamp

DECAY_PER_WEEK = 0.01

_UNKNOWN = parse_timestamp("")


def effective_confidence(confidence: float, last_seen: str, now: datetime) -> float:
    """Compute the current confidence, at least 0. It is computed on read and never stored.

    Args:
        confidence: 0..1, as of `last_seen`.
        last_seen: ISO-8601; there is no decay if it is in the future or cannot be parsed.
        now: with time zone.
    """
    seen = parse_timestamp(last_seen)
    weeks = 0.0 if seen == _UNKNOWN else max(0.0, (now - seen) / timedelta(weeks=1))
    return max(0.0, confidence - DECAY_PER_WEEK * weeks)
