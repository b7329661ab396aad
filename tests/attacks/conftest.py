"""A table of the attacks that were tried, and of those that were refused."""

import pytest

from support.tried_and_held import print_table, record

__all__ = ["record"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table."""
    print_table(terminalreporter, "attacks")
