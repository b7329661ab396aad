"""What can be held about the images and the compose file without building them."""

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
DOCKERFILES = sorted(ROOT.glob("apps/*/Dockerfile"))
IMAGES = {"node:22-slim", "python:3.13-slim"}
OF_OTHERS = {"PATH", "PGPASSWORD", "PIP_DISABLE_PIP_VERSION_CHECK", "PIP_NO_CACHE_DIR", "PYTHONUNBUFFERED"}

each_dockerfile = pytest.mark.parametrize("dockerfile", DOCKERFILES, ids=lambda path: path.parent.name)


def instructions(dockerfile: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each instruction's name and words, continuation lines joined."""
    text = re.sub(r"^#.*\n", "", dockerfile.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    for line in filter(str.strip, text.splitlines()):
        name, *words = line.split()
        yield name, words


def commands(dockerfile: Path) -> str:
    return "\n".join(" ".join(words) for name, words in instructions(dockerfile) if name == "RUN")


def copied(dockerfile: Path) -> list[str]:
    """Return what is copied from the repository, not from another stage."""
    copies = [words for name, words in instructions(dockerfile) if name == "COPY"]
    return [
        source
        for words in copies
        if not words[0].startswith("--from")
        for source in [word for word in words if not word.startswith("--")][:-1]
    ]


def names_of_example() -> set[str]:
    return set(re.findall(r"^#?\s*([A-Z][A-Z0-9_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))


def reaches_the_image(path: Path) -> bool:
    """Apply `.dockerignore`: the last line that matches a path or one of its folders decides."""
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
    reaches = True
    here = path.relative_to(ROOT)
    for rule in rules:
        pattern = rule.removeprefix("!").removeprefix("**/")
        whole = [str(part) for part in (here, *here.parents[:-1])]
        candidates = here.parts if "**/" in rule else whole
        if any(fnmatch(candidate, pattern) for candidate in candidates):
            reaches = rule.startswith("!")
    return reaches


@each_dockerfile
def test_everything_an_image_copies_is_in_the_repository(dockerfile: Path) -> None:
    assert copied(dockerfile)
    assert [source for source in copied(dockerfile) if not (ROOT / source).exists()] == []


@each_dockerfile
def test_everything_an_image_copies_gets_past_the_ignore_file(dockerfile: Path) -> None:
    for source in copied(dockerfile):
        files = [ROOT / source] if (ROOT / source).is_file() else list((ROOT / source).glob("src/**/*.*"))
        assert any(reaches_the_image(file) for file in files), source


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
def test_nothing_private_or_built_reaches_an_image(private: str) -> None:
    assert not reaches_the_image(ROOT / private)


@each_dockerfile
def test_images_start_from_what_is_agreed(dockerfile: Path) -> None:
    assert {words[0] for name, words in instructions(dockerfile) if name == "FROM"} <= IMAGES


@each_dockerfile
def test_packages_are_those_of_the_lock_files(dockerfile: Path) -> None:
    installs = re.findall(r"pip install ([^&\n]+)", commands(dockerfile))
    assert installs
    assert all("--require-hashes" in install or "--no-deps" in install for install in installs)
    if "npm" in commands(dockerfile):
        assert "npm ci" in commands(dockerfile)
        assert "npm install" not in commands(dockerfile)


@each_dockerfile
def test_no_image_runs_as_root(dockerfile: Path) -> None:
    *_, user = [words for name, words in instructions(dockerfile) if name == "USER"]
    assert user == ["keepsake"]


@each_dockerfile
def test_the_settings_an_image_makes_are_known(dockerfile: Path) -> None:
    made = {w.partition("=")[0] for name, words in instructions(dockerfile) if name == "ENV" for w in words}
    assert made <= names_of_example() | OF_OTHERS


def test_the_settings_that_compose_names_are_in_the_example() -> None:
    text = (ROOT / "docker-compose.yaml").read_text()
    set_here = {name for service in SERVICES.values() for name in service["environment"]}
    asked_for = set(re.findall(r"\$\{(\w+)", text))
    of_postgres = {name for name in set_here if name.startswith("POSTGRES_")} - asked_for
    assert (set_here | asked_for) - of_postgres - OF_OTHERS <= names_of_example()


def test_the_database_is_postgres_18_with_its_data_in_a_volume() -> None:
    assert SERVICES["db"]["image"] == "pgvector/pgvector:pg18"
    assert SERVICES["db"]["volumes"] == ["db:/var/lib/postgresql"]
    assert "db" in COMPOSE["volumes"]
    assert "ports" not in SERVICES["db"]


@pytest.mark.parametrize("name", ["gateway", "worker"])
def test_gateway_and_worker_are_built_here_and_wait_for_a_healthy_database(name: str) -> None:
    service = SERVICES[name]
    assert (ROOT / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    assert service["depends_on"]["db"]["condition"] == "service_healthy"
    assert service["environment"]["DATABASE_URL"] == "postgresql://keepsake@db:5432/keepsake"


def test_the_gateway_leaves_formation_to_the_worker() -> None:
    assert SERVICES["gateway"]["environment"]["KEEPSAKE_WORKER"] == "false"
    assert SERVICES["worker"]["command"][:2] == ["keepsake", "worker"]


def test_every_service_tells_whether_it_is_well() -> None:
    assert all(service["healthcheck"]["test"][0] == "CMD" for service in SERVICES.values())
    assert all("/readyz" in str(SERVICES[name]["healthcheck"]) for name in ("gateway", "worker"))


def test_ports_are_published_on_loopback_only() -> None:
    published = [port for service in SERVICES.values() for port in service.get("ports", ())]
    assert published == ["127.0.0.1:8080:8080"]


def test_secrets_come_from_the_environment_or_not_at_all() -> None:
    given = {name: value for service in SERVICES.values() for name, value in service["environment"].items()}
    secret = {name: value for name, value in given.items() if re.search("PASSWORD|KEY|SECRET|TOKEN", name)}
    assert secret
    assert all(re.fullmatch(r"\$\{\w+(:\?[^}]+)?\}", value) for value in secret.values())
    assert SERVICES["gateway"]["env_file"] == [{"path": ".env", "required": False}]
