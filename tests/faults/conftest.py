"""A table of the faults that were caused, and of those that had no lasting effect."""

import pytest

from support.tried_and_held import print_table, record

__all__ = ["record"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table."""
    print_table(terminalreporter, "faults")
