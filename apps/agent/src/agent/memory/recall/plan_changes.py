"""What later statements change about plans: they are cancelled, moved to a day that is named, or moved by some days."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from agent.language.agenda.events import (
    GENERAL_KINDS,
    Event,
    events,
    is_cancelled,
    is_done,
    is_moved,
    is_of_kind,
    moved_by,
    names_kind,
    without_change,
)
from agent.language.dates.periods import Period
from agent.language.dates.resolution import strip_dates
from agent.language.parsing.notification_requests import is_reminder
from agent.language.references.antecedents import CONTINUES, CORRECTS
from agent.memory.recall.order import words

MIN_SHARED = 0.5
"""Share of the words of a change, of which an event must have more in common with it; a reminder, as many."""

_JOINTS = re.compile(f"{re.escape(CORRECTS)}|{re.escape(CONTINUES)}")


@dataclass(frozen=True, slots=True)
class PlanChange:
    """A statement that changes a plan."""

    text: str
    delay: timedelta | None = None
    """How much later it takes place; None if it does not, or on a day of which there is an event of its own."""
    is_done: bool = False
    """Whether it only says that something has been done, which concerns what the user wanted to be reminded of."""

    def apply(self, event: Event) -> Event | None:
        """The event as it is now; None if it does not take place, or no longer on its day."""
        if self.delay is None:
            return None
        start, stop = event.period
        return replace(
            event,
            text=f"{event.text}{CONTINUES}{self.text}",
            period=event.period._replace(start=start + self.delay, stop=stop + self.delay),
        )

    def concerns(self, event: Event, others: Sequence[Event]) -> bool:
        """Check whether the change names an event, or the only one among others of the kind that it names."""
        named, known = _things(without_change(self.text)), _things(event.text)
        shared, least = len(named & known), MIN_SHARED * len(named)
        if self.is_done:
            return is_reminder(event.text) and shared >= max(least, 1)
        if shared > least:
            return True
        kinds = [kind for kind in GENERAL_KINDS if names_kind(self.text, kind)]
        return any(is_of_kind(event.text, kind) and _is_only(kind, others) for kind in kinds)


def plan_change(text: str, stated: date) -> PlanChange | None:
    """The change that a statement is; None for other statements."""
    if is_cancelled(text):
        return PlanChange(text)
    found = events(text, stated)
    if is_moved(text):
        delay = moved_by(text, stated)
        return PlanChange(text, delay) if delay or found else None
    return PlanChange(text, is_done=True) if not found and is_done(text) and not is_reminder(text) else None


def parts(text: str) -> list[str]:
    """The statements of a memory, each of which continues or corrects the ones before it; the latest is last."""
    return _JOINTS.split(text)


def joined_events(text: str, first: date, last: date, *, undated: date | None = None) -> list[Event]:
    """The events of a memory, in which the last part may change those before it.

    Args:
        text: the text of the memory.
        first: the local day on which its first part was stated.
        last: the local day on which its last part was stated.
        undated: stands for the day of a memory without one; None if that has no event.
    """
    *before, latest = parts(text)
    later = list(events(latest, last))
    if not before:
        return [Event(text, Period(undated, undated))] if undated else later
    earlier = [one for part in before for one in events(part, first)]
    earlier = [Event(before[0], Period(undated, undated))] if undated else earlier
    if change := plan_change(latest, last):
        return [*_changed(change, earlier, is_joined=True), *later]
    if CORRECTS in text:
        return [replace(one, text=text) for one in later or earlier]
    return [*earlier, *later] if later else [replace(one, text=text) for one in earlier]


def apply_changes(found: Sequence[Event], changes: Iterable[PlanChange], others: Sequence[Event]) -> list[Event]:
    """The events after the changes that later statements make.

    Args:
        found: the events of a statement.
        changes: those that were stated later, the earliest first.
        others: the events of all statements.
    """
    current = list(found)
    for change in changes:
        current = list(_changed(change, current, others))
    return current


def _changed(
    change: PlanChange, found: Sequence[Event], others: Sequence[Event] = (), *, is_joined: bool = False
) -> Iterator[Event]:
    """The events after a change; one that a memory joins to a single event concerns it."""
    for event in found:
        is_concerned = (is_joined and len(found) == 1) or change.concerns(event, others or found)
        changed = change.apply(event) if is_concerned else event
        if changed:
            yield changed


def _is_only(kind: str, others: Sequence[Event]) -> bool:
    return len({one.text for one in others if is_of_kind(one.text, kind)}) == 1


def _things(text: str) -> frozenset[str]:
    return words(strip_dates(text, relative=True))
