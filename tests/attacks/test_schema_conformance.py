"""Requests generated from the OpenAPI document: each response conforms to it, and no request causes an error 500."""

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from support.gateway import RunningGateway
from support.tried_and_held import Record

TESTS = Path(__file__).parents[1]
OPERATIONS = {
    "threads": r"^/threads",
    "memories": r"^/(memories|profile)",
    "account": r"^/(me|config|healthz|readyz|metrics|dev)",
}
# Further query parameters are accepted, which the coverage phase does not send; and what a sequence of requests has
# created may be deleted by another one in it, such as `DELETE /memories`.
UNSUITABLE_CHECKS = "negative_data_rejection,ensure_resource_availability"


def run_schemathesis(url: str, operations: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run schemathesis against a gateway, as a user of its own."""
    token = httpx.post(f"{url}/dev/token", json={"user": operations}).json()["access_token"]
    command = [str(Path(sys.executable).with_name("st")), "--config-file", str(TESTS / "attacks" / "schemathesis.toml")]
    command += ["run", f"{url}/openapi.json", "--include-path-regex", operations, "--no-color", *options]
    command += ["-H", f"Authorization: Bearer {token}"]
    environment = os.environ | {"PYTHONPATH": str(TESTS)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("operations", OPERATIONS)
def test_generated_requests_are_answered_as_documented(
    shared_gateway: RunningGateway, operations: str, record: Record
) -> None:
    completed = run_schemathesis(shared_gateway.url, OPERATIONS[operations], "--phases", "examples,coverage")
    assert completed.returncode == 0, completed.stdout[-5_000:]
    counted = re.search(r"(\d+) generated, (\d+) passed", completed.stdout)
    assert counted is not None
    record(*map(int, counted.groups()))


@pytest.mark.long
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("operations", OPERATIONS)
def test_many_generated_requests_are_answered_as_documented(
    shared_gateway: RunningGateway, operations: str, record: Record
) -> None:
    options = ("--phases", "fuzzing,stateful", "-n", "100", "--exclude-checks", UNSUITABLE_CHECKS)
    completed = run_schemathesis(shared_gateway.url, OPERATIONS[operations], *options)
    assert completed.returncode == 0, completed.stdout[-5_000:]
    counted = re.search(r"(\d+) generated, (\d+) passed", completed.stdout)
    assert counted is not None
    record(*map(int, counted.groups()))
