"""Timestamps as memories store them: ISO-8601 in UTC."""

from datetime import UTC, datetime


def now() -> str:
    """The current time."""
    return datetime.now(UTC).isoformat()


def parse_timestamp(text: str) -> datetime:
    """Parse a stored timestamp, for comparisons.

    Returns:
        A time with a zone, UTC if the text has none; the smallest possible time for text that cannot be parsed.
    """
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
