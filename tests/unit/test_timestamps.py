"""Timestamps in the local time of users."""

import pytest

from agent.timestamps import format_local

AT = "2026-11-22T23:05:00+00:00"


@pytest.mark.parametrize(
    ("time_zone", "local"),
    [
        ("Europe/Oslo", "Monday 23 November 2026, 00:05 (Europe/Oslo)"),
        ("America/Los_Angeles", "Sunday 22 November 2026, 15:05 (America/Los_Angeles)"),
        ("", "Sunday 22 November 2026, 23:05 (UTC)"),
        ("Middle/Earth", "Sunday 22 November 2026, 23:05 (UTC)"),
        ("../etc", "Sunday 22 November 2026, 23:05 (UTC)"),
    ],
)
def test_local_times_have_the_users_weekday_and_zone(time_zone: str, local: str) -> None:
    assert format_local(AT, time_zone) == local


def test_the_first_representable_time_has_a_local_time_in_every_zone() -> None:
    assert format_local("0001-01-01T00:00:00+00:00", "America/Lima") == "Monday 1 January 1, 00:00 (UTC)"
