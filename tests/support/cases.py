"""Run the cases of a parametrised test as one test: to collect and report a test takes longer than most cases."""

import inspect
from collections.abc import Sequence

import pytest

MAX_CASES = 64
"""Cases per test: more would come close to the timeout on a busy machine, and one process would be the last to end."""


def grouped(cases: Sequence[pytest.Item]) -> Sequence[pytest.Item]:
    """Replace the cases of a test by one test, or by several if they are many, if they need only their parameters."""
    functions = [case for case in cases if isinstance(case, pytest.Function) and _needs_only_parameters(case)]
    if len(functions) < max(len(cases), 2):
        return cases
    batches = [functions[start : start + MAX_CASES] for start in range(0, len(functions), MAX_CASES)]
    name = functions[0].originalname
    names = [name] if len(batches) == 1 else [f"{name} ({n} of {len(batches)})" for n in range(1, len(batches) + 1)]
    return [_group(*group) for group in zip(names, batches, strict=True)]


def run_cases(cases: Sequence[pytest.Function]) -> None:
    """Run cases until one fails; a note of its error names it."""
    for case in cases:
        try:
            case.obj(**case.callspec.params)
        except BaseException as error:
            error.add_note(f"in the case [{case.callspec.id}]")
            raise


def _needs_only_parameters(case: pytest.Function) -> bool:
    if not hasattr(case, "callspec") or case.callspec.marks or inspect.iscoroutinefunction(case.obj):
        return False
    is_indirect = any(mark.kwargs.get("indirect") for mark in case.iter_markers("parametrize"))
    return not is_indirect and set(inspect.signature(case.obj).parameters) == set(case.callspec.params)


def _group(name: str, functions: Sequence[pytest.Function]) -> pytest.Item:
    def run() -> None:
        run_cases(functions)

    vars(run).update(vars(functions[0].obj))  # the markers of a test are an attribute of its function
    return pytest.Function.from_parent(functions[0].parent, name=name, callobj=run)
