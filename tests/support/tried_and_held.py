"""A table of what tests tried to break, and of what held."""

from collections.abc import Callable, Iterator

import pytest

Record = Callable[[int, int], None]
"""Called with the number of attempts, and with how many of them the gateway withstood."""


@pytest.fixture
def record(record_property: Callable[[str, object], None]) -> Record:
    """Add the attempts of a test to the table at the end of the run."""

    def record(tried: int, held: int) -> None:
        record_property("tried", tried)
        record_property("held", held)

    return record


def print_table(reporter: pytest.TerminalReporter, folder: str) -> None:
    """Print the table of the tests in a folder; one that records nothing is one attempt."""
    rows = list(_rows(reporter, folder))
    if rows:
        reporter.section(folder)
        reporter.write_line(f"{'tried':>8} {'held':>8}")
        for name, tried, held in [*sorted(rows), ("total", sum(row[1] for row in rows), sum(row[2] for row in rows))]:
            reporter.write_line(f"{tried:>8,} {held:>8,}  {name}")


def _rows(reporter: pytest.TerminalReporter, folder: str) -> Iterator[tuple[str, int, int]]:
    for outcome in ("passed", "failed"):
        for report in reporter.getreports(outcome):
            if report.when == "call" and report.nodeid.startswith(f"tests/{folder}/"):
                properties = dict(report.user_properties)
                tried, held = properties.get("tried", 1), properties.get("held", int(outcome == "passed"))
                yield report.nodeid.rpartition("::")[2], int(str(tried)), int(str(held))
