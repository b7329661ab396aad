"""Effective confidence: how sure a memory still is, the longer nobody has said it again."""

from datetime import datetime, timedelta

from agent.timestamps import parse_timestamp

LOST_A_WEEK = 0.01

_NEVER = parse_timestamp("")


def effective(confidence: float, last_seen: str, now: datetime) -> float:
    """Return a confidence as it is by now, never below 0; computed when read, and never written.

    Args:
        confidence: as it was when the memory was last seen.
        last_seen: ISO-8601; what lies ahead or cannot be read takes nothing away.
        now: with its time zone.
    """
    seen = parse_timestamp(last_seen)
    weeks = 0.0 if seen == _NEVER else max(0.0, (now - seen) / timedelta(weeks=1))
    return max(0.0, confidence - LOST_A_WEEK * weeks)
