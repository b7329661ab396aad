"""Timestamps as memories store them: ISO-8601 in UTC."""

from datetime import UTC, datetime


def now() -> str:
    """The current time."""
    return datetime.now(UTC).isoformat()


def parse_timestamp(text: str) -> datetime:
    """Parse a stored timestamp for comparisons, as UTC if it has no zone; invalid text gives the earliest time."""
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
