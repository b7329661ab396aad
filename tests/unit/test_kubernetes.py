"""Static checks of the Kubernetes manifests: schemas, references, names of settings, and probes."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy/k8s"
KUSTOMIZATION: dict[str, Any] = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
NOT_OBJECTS = {"kustomization.yaml"}
OLDEST_VERSION = "1.31"
"""`lifecycle.preStop.sleep` is enabled by default since 1.30."""


def objects() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (file name, object) of all manifests."""
    for path in sorted(FOLDER.glob("*.yaml")):
        if path.name not in NOT_OBJECTS:
            for document in yaml.safe_load_all(path.read_text()):
                yield path.name, document


def of_kind(kind: str) -> dict[str, dict[str, Any]]:
    return {document["metadata"]["name"]: document for _, document in objects() if document["kind"] == kind}


def containers() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, deployment in of_kind("Deployment").items():
        for container in deployment["spec"]["template"]["spec"]["containers"]:
            yield name, container


@pytest.mark.parametrize("version", [OLDEST_VERSION, kubernetes_validate.latest_version()])
def test_every_object_matches_the_strict_schema_of_its_version(version: str) -> None:
    for _, document in objects():
        kubernetes_validate.validate(document, version, strict=True)


def test_the_kustomization_contains_every_manifest_but_the_example_of_the_secret() -> None:
    files = {path.name for path in FOLDER.glob("*.yaml")} - NOT_OBJECTS - {"secret.example.yaml"}
    assert set(KUSTOMIZATION["resources"]) == files


def test_settings_exist() -> None:
    known = set(re.findall(r"^#?\s*([A-Z][A-Z0-9_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    configured = set(re.findall(r"^([A-Z_0-9]+)=", (FOLDER / "keepsake.env").read_text(), re.MULTILINE))
    configured |= {variable["name"] for _, container in containers() for variable in container.get("env", ())}
    assert configured
    assert configured <= known | {"PGPASSWORD"}


def test_referenced_keys_of_the_secret_are_in_its_example() -> None:
    [secret] = of_kind("Secret").values()
    variables = [variable for _, container in containers() for variable in container.get("env", ())]
    assert {variable["valueFrom"]["secretKeyRef"]["key"] for variable in variables} < set(secret["stringData"])


def test_selectors_of_services_and_budgets_match_a_deployment() -> None:
    labels = [each["spec"]["template"]["metadata"]["labels"] for each in of_kind("Deployment").values()]
    services = [each["spec"]["selector"] for each in of_kind("Service").values()]
    budgets = [each["spec"]["selector"]["matchLabels"] for each in of_kind("PodDisruptionBudget").values()]
    assert all(selector in labels for selector in [*services, *budgets])
    assert len(budgets) == len(labels)


def test_the_autoscaler_scales_gateways_by_open_streams() -> None:
    [autoscaler] = of_kind("HorizontalPodAutoscaler").values()
    target = autoscaler["spec"]["scaleTargetRef"]["name"]
    metrics = [metric["pods"]["metric"]["name"] for metric in autoscaler["spec"]["metrics"] if "pods" in metric]
    assert "replicas" not in of_kind("Deployment")[target]["spec"]
    assert metrics == ["keepsake_open_streams"]


def test_gateways_have_time_to_drain() -> None:
    settings = dict(re.findall(r"^([A-Z_]+)=(.*)$", (FOLDER / "keepsake.env").read_text(), re.MULTILINE))
    pod = of_kind("Deployment")["gateway"]["spec"]["template"]["spec"]
    pause = pod["containers"][0]["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pod["terminationGracePeriodSeconds"] >= pause + int(settings["KEEPSAKE_DRAIN_SECONDS"]) + 10


def test_containers_have_no_privileges() -> None:
    for name, container in containers():
        security = container["securityContext"]
        assert security["readOnlyRootFilesystem"], name
        assert not security["allowPrivilegeEscalation"], name
        assert security["capabilities"] == {"drop": ["ALL"]}, name
