"""Unit tests have many short cases."""

from collections.abc import Generator
from typing import Any

import pytest

from support.cases import grouped


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(collector: pytest.Collector) -> Generator[None, Any, Any]:
    """Run the cases of each test as one test, unless cases are selected: `test_file.py::test_name[case]` or `-k`."""
    found = yield
    selected = collector.config.option.keyword or any("[" in argument for argument in collector.config.args)
    return grouped(found) if isinstance(found, list) and not selected else found
