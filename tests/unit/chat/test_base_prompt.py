"""The base prompt: short, the same bytes for a day, and correct in the user's time zone."""

from datetime import UTC, datetime, timedelta, tzinfo

import pytest

from agent.chat.base_prompt import BasePrompt, BasePromptWriter
from agent.models.tokens import count_tokens

NOON = datetime(2026, 11, 2, 11, 5, tzinfo=UTC)
MAX_TOKENS = 120


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self, zone: tzinfo) -> datetime:
        return self.now.astimezone(zone)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def _write(
    clock: Clock,
    zone: str | None,
    previous: BasePrompt | None = None,
    *,
    memory: bool = True,
    template: str | None = None,
) -> BasePrompt:
    return BasePromptWriter(template, clock).write(previous, zone, memory=memory)


@pytest.mark.parametrize("memory", [True, False])
@pytest.mark.parametrize("zone", [None, "America/Argentina/ComodRivadavia"])
@pytest.mark.parametrize("model", ["gpt-5-mini", "another"])
def test_it_is_short(clock: Clock, zone: str | None, model: str, *, memory: bool) -> None:
    clock.now = datetime(2026, 9, 30, 22, 58, tzinfo=UTC)
    assert count_tokens(_write(clock, zone, memory=memory)["text"], model=model) <= MAX_TOKENS


def test_it_states_the_date_and_the_time_of_the_user(clock: Clock) -> None:
    text = _write(clock, "Europe/Oslo")["text"]
    assert "Today is Monday, 2 November 2026; the conversation continued at 12:05 (Europe/Oslo)" in text
    clock.now += timedelta(hours=20)
    assert (
        "Today is Tuesday, 3 November 2026; the conversation continued at 12:50 (Asia/Kathmandu)"
        in (_write(clock, "Asia/Kathmandu")["text"])
    )


def test_it_says_whether_memory_is_on(clock: Clock) -> None:
    with_memory, without = (_write(clock, None, memory=memory)["text"] for memory in (True, False))
    assert "long-term memory" in with_memory
    assert {"remember", "find_memories", "forget"} <= set(with_memory.replace(",", "").split())
    assert "Memory is off" in without
    assert "find_memories" not in without


@pytest.mark.parametrize(("zone", "midnight"), [(None, 24), ("Europe/Oslo", 23), ("Pacific/Kiritimati", 34)])
def test_it_is_the_same_until_local_midnight(clock: Clock, zone: str | None, midnight: int) -> None:
    """`midnight` is the hour of UTC, on the day of `NOON`, at which the user's next day starts."""
    first = _write(clock, zone)
    clock.now = NOON.replace(hour=0, minute=0) + timedelta(hours=midnight, seconds=-1)
    assert _write(clock, zone, first) is first
    clock.now += timedelta(seconds=1)
    next_day = _write(clock, zone, first)
    assert "at 00:00" in next_day["text"]
    assert next_day["text"] != first["text"]


@pytest.mark.parametrize(
    ("previous_zone", "zone", "memory"), [("Europe/Oslo", "Asia/Tokyo", True), ("Europe/Oslo", "Europe/Oslo", False)]
)
def test_it_changes_with_the_zone_and_the_memory_setting(
    clock: Clock, previous_zone: str, zone: str, *, memory: bool
) -> None:
    first = _write(clock, previous_zone)
    second = _write(clock, zone, first, memory=memory)
    assert second["text"] != first["text"]
    assert _write(clock, zone, second, memory=memory) is second


@pytest.mark.parametrize("zone", [None, "", "Mars/Olympus", "/etc/passwd", "../UTC", "America", "a\0b", "x" * 1_000])
def test_without_a_known_zone_it_states_the_time_in_utc(clock: Clock, zone: str | None) -> None:
    assert "11:05 (UTC; the user's time zone is unknown)" in _write(clock, zone)["text"]


def test_utc_is_a_known_zone(clock: Clock) -> None:
    assert "at 11:05 (UTC)" in _write(clock, "UTC")["text"]


def test_a_custom_template_replaces_the_default(clock: Clock) -> None:
    template = 'Bot on {date}, {time}, {time_zone}. Reply as {"a": {}} or {name}.'
    expected = 'Bot on Monday, 2 November 2026, 12:05, Europe/Oslo. Reply as {"a": {}} or {name}.'
    for memory in (True, False):
        assert _write(clock, "Europe/Oslo", memory=memory, template=template)["text"] == expected


def test_a_new_template_applies_to_existing_threads(clock: Clock) -> None:
    first = _write(clock, None)
    assert _write(clock, None, first, template="Be kind.")["text"] == "Be kind."


def test_by_default_it_states_the_current_date() -> None:
    written = BasePromptWriter().write(None, "UTC", memory=True)
    assert written["key"][0] in {
        (datetime.now(UTC) - timedelta(minutes=minutes)).date().isoformat() for minutes in (0, 1)
    }
