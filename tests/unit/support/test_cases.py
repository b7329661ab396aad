"""The cases of a test run as one test."""

from types import SimpleNamespace
from typing import cast

import pytest

from support.cases import run_cases


def _case(number: int, ran: list[int], *, fails: bool = False) -> pytest.Function:
    def test(number: int) -> None:
        ran.append(number)
        assert not fails

    return cast(
        "pytest.Function",
        SimpleNamespace(obj=test, callspec=SimpleNamespace(params={"number": number}, id=f"{number}")),
    )


def test_every_case_runs_with_its_parameters() -> None:
    ran: list[int] = []
    run_cases([_case(number, ran) for number in range(3)])
    assert ran == [0, 1, 2]


def test_an_error_names_its_case() -> None:
    ran: list[int] = []
    with pytest.raises(AssertionError) as raised:
        run_cases([_case(1, ran), _case(2, ran, fails=True)])
    assert raised.value.__notes__ == ["in the case [2]"]
