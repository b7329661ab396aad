"""Packages that cannot be imported, as if they were not installed."""

import sys

import pytest


def hide_package(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    """Let imports of a package and of its modules fail until the end of the test, even if it has been imported."""
    for name in (package, *(name for name in sys.modules if name.startswith(f"{package}."))):
        monkeypatch.setitem(sys.modules, name, None)
