"""A table of the attacks that were tried, and of those that the gateway held."""

from collections.abc import Callable

import pytest

Record = Callable[[int, int], None]
"""Called with the numbers of attacks that were tried, and that were refused."""


@pytest.fixture
def record(record_property: Callable[[str, object], None]) -> Record:
    """Add the attacks of a test to the table at the end of the run."""

    def record(tried: int, held: int) -> None:
        record_property("tried", tried)
        record_property("held", held)

    return record


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table."""
    reports = [report for outcome in ("passed", "failed") for report in terminalreporter.getreports(outcome)]
    rows = [(report.nodeid, dict(report.user_properties)) for report in reports if report.when == "call"]
    if attacks := [(name, row) for name, row in rows if "tried" in row]:
        terminalreporter.section("attacks")
        terminalreporter.write_line(f"{'tried':>8} {'held':>8}")
        for name, row in sorted(attacks):
            terminalreporter.write_line(f"{row['tried']:>8,} {row['held']:>8,}  {name.rpartition('::')[2]}")
