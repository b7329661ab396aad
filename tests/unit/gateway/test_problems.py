"""Every error has a stable code, a title and a status."""

import ast
from pathlib import Path

import pytest

import agent.errors
import gateway.errors
from agent import AgentError
from gateway.errors import GatewayError
from gateway.problems import STATUS, problem_of, status_of


def _error_tree(root: type[Exception]) -> list[type[Exception]]:
    return [root, *(error for child in root.__subclasses__() for error in _error_tree(child))]


ERROR_TYPES = [*_error_tree(AgentError), *_error_tree(GatewayError)]


@pytest.mark.parametrize("kind", ERROR_TYPES, ids=lambda kind: kind.__name__)
def test_every_error_has_a_problem_document(kind: type[AgentError] | type[GatewayError]) -> None:
    problem = problem_of(kind("what happened"))
    assert problem["status"] == status_of(kind("")) >= 400
    assert problem["code"] == kind.code
    assert problem["title"].endswith(".")
    assert problem["detail"] == "what happened"


def test_error_codes_are_unique() -> None:
    codes = [kind.code for kind in ERROR_TYPES]  # type: ignore[attr-defined] # both trees have one
    assert len(codes) == len(set(codes))


def test_only_unexpected_errors_have_status_500() -> None:
    unexpected = {kind.__name__ for kind in ERROR_TYPES if status_of(kind("")) == 500}
    assert unexpected == {"AgentError", "SetupError", "GatewayError"}


def test_every_row_of_the_status_table_is_reachable() -> None:
    for n, (kind, _) in enumerate(STATUS):
        assert not any(issubclass(kind, earlier) for earlier, _ in STATUS[:n])


@pytest.mark.parametrize("module", [agent.errors, gateway.errors], ids=lambda module: module.__name__)
def test_the_docstrings_show_every_error(module: object) -> None:
    path = Path(str(module.__file__))  # type: ignore[attr-defined] # it is a module
    tree = ast.parse(path.read_text())
    drawn = ast.get_docstring(tree) or ""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            assert node.name in drawn
