"""The OpenAPI document is complete, and the committed copy is current."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from gateway.openapi import OPERATOR_ROUTERS, document_text, make_document

COMMITTED = Path(__file__).parents[3] / "apps" / "gateway" / "openapi.json"
DOCUMENT = make_document()
OPERATIONS: dict[str, dict[str, Any]] = {
    operation["operationId"]: operation
    for operations in DOCUMENT["paths"].values()
    for operation in operations.values()
}
EXAMPLES = [
    (name, example)
    for name, schema in DOCUMENT["components"]["schemas"].items()
    for example in schema.get("examples", ())
]

each_operation = pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)


def _contents(operation: dict[str, Any], *classes: str) -> list[tuple[str, dict[str, Any]]]:
    """Media types and contents of the responses whose status begins with one of the digits."""
    responses = (response for status, response in operation["responses"].items() if status[0] in classes)
    return [content for response in responses for content in response.get("content", {}).items()]


def _has_example(content: dict[str, Any]) -> bool:
    names = re.findall(r"#/components/schemas/(\w+)", json.dumps(content["schema"]))
    return "example" in content or any("examples" in DOCUMENT["components"]["schemas"][name] for name in names)


def test_the_committed_document_is_current() -> None:
    assert COMMITTED.read_text(encoding="utf-8") == document_text(), "run `make openapi`"


@each_operation
def test_an_operation_is_described_with_an_example(operation: dict[str, Any]) -> None:
    assert operation["summary"]
    assert operation["description"].endswith(".")
    responses = [content for _, content in _contents(operation, "2")]
    assert responses or "204" in operation["responses"]
    assert all(map(_has_example, [*responses, *operation.get("requestBody", {}).get("content", {}).values()]))


@each_operation
def test_an_operation_describes_its_errors(operation: dict[str, Any]) -> None:
    assert ("401" in operation["responses"]) == ("security" in operation)
    assert ("413" in operation["responses"]) == ("requestBody" in operation)
    assert "422" in operation["responses"] or not ("requestBody" in operation or "parameters" in operation)
    for media_type, content in _contents(operation, "4", "5"):
        assert media_type == "application/problem+json"
        assert content["schema"]["$ref"] == "#/components/schemas/Problem"
        assert list(content["examples"]) == content["schema"]["properties"]["code"]["enum"]


def test_every_reference_has_a_target() -> None:
    for reference in re.findall(r'"\$ref": "#/([^"]+)"', json.dumps(DOCUMENT)):
        node = DOCUMENT
        for part in reference.split("/"):
            node = node[part]


@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_an_example_matches_its_schema(name: str, example: object) -> None:
    schema = {"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]}
    jsonschema_rs.validate(schema, example)


def test_the_document_of_the_worker_contains_health_and_metrics_only() -> None:
    assert set(make_document(*OPERATOR_ROUTERS)["paths"]) == {"/healthz", "/readyz", "/metrics"}


def test_both_ways_to_sign_in_are_described() -> None:
    kinds = {scheme["type"] for scheme in DOCUMENT["components"]["securitySchemes"].values()}
    assert kinds == {"http", "openIdConnect"}
