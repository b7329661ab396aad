"""Timestamps as memories store them, ISO-8601 in UTC, and the local time of users."""

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


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


def just_before(timestamp: str) -> str:
    """The latest stored timestamp before another one."""
    return (parse_timestamp(timestamp) - timedelta.resolution).isoformat()


def zone(name: str | None) -> tzinfo:
    """The time zone with an IANA name; UTC if there is none with this name."""
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):  # a folder, or a name that is too long
        return UTC


def to_local(timestamp: str, time_zone: str) -> datetime:
    """Convert a stored timestamp to a user's time zone; UTC if it is unknown."""
    time = parse_timestamp(timestamp)
    try:
        return time.astimezone(zone(time_zone))
    except OverflowError:  # the first or the last day that datetime supports
        return time


def format_local(timestamp: str, time_zone: str) -> str:
    """Format a stored timestamp for a user's time zone: "Sunday 22 November 2026, 14:05 (Europe/Oslo)"."""
    local = to_local(timestamp, time_zone)
    return (
        f"{local:%A} {local.day} {local:%B} {local.year}, {local:%H:%M} ({'UTC' if local.tzinfo is UTC else time_zone})"
    )
