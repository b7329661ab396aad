"""Settings: defaults, validation, and agreement with `.env.example`."""

import re
from pathlib import Path

import pytest
from pydantic import ValidationError
from pydantic_settings import BaseSettings

from agent import AgentSettings
from gateway.commands.settings_check import describe_errors, unknown_settings
from gateway.settings import GatewaySettings

EXAMPLE = Path(__file__).parents[2] / ".env.example"

# Read by LangSmith's own client, and by docker-compose.yaml.
FOREIGN = {"POSTGRES_PASSWORD", "LANGSMITH_TRACING", "LANGSMITH_API_KEY", "LANGSMITH_PROJECT", "LANGSMITH_ENDPOINT"}


def _names(settings: type[BaseSettings]) -> set[str]:
    prefix = settings.model_config["env_prefix"]
    return {str(field.validation_alias or f"{prefix}{name}".upper()) for name, field in settings.model_fields.items()}


def test_the_example_file_names_exactly_the_settings() -> None:
    documented = set(re.findall(r"^#? ?([A-Z][A-Z_]+)=", EXAMPLE.read_text(), re.MULTILINE))
    assert documented == _names(AgentSettings) | _names(GatewaySettings) | FOREIGN


def test_the_defaults_are_local() -> None:
    settings = AgentSettings(_env_file=None)
    assert settings.offline
    assert (settings.embedder, settings.dims, settings.models) == ("minilm", 384, ("offline",))


def test_an_api_key_enables_the_real_models() -> None:
    settings = AgentSettings(_env_file=None, openai_api_key="x")
    assert (settings.embedder, settings.dims) == ("text-embedding-3-small", 1536)
    assert settings.models == ("gpt-5-mini",)
    assert not settings.uses_rules


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "DATABASE_URL"):
        monkeypatch.setenv(name, "")
    settings = AgentSettings(_env_file=None)
    assert settings.offline
    assert settings.database_url is None


def test_models_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    monkeypatch.setenv("KEEPSAKE_CHAT_MODELS", "big, small,")
    assert AgentSettings(_env_file=None).models == ("big", "small")


@pytest.mark.parametrize(
    "invalid",
    [{"database_url": "mysql://x"}, {"embedding_dims": 100}, {"min_confidence": 2}, {"tip_max_chars": 1}],
)
def test_invalid_values_are_rejected(invalid: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        AgentSettings(_env_file=None, **invalid)  # type: ignore[arg-type] # invalid on purpose


@pytest.mark.parametrize("elsewhere", [{"store_type": "memory"}, {"agent_url": "http://127.0.0.1:2024"}])
def test_partitions_need_the_stores_postgres(elsewhere: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match="KEEPSAKE_STORE_PARTITIONS"):
        AgentSettings(_env_file=None, store_partitions=8, **elsewhere)  # type: ignore[arg-type] # invalid on purpose


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "keepsake.example.com"])
def test_local_sign_in_is_rejected_on_a_public_address(host: str) -> None:
    with pytest.raises(ValidationError, match="KEEPSAKE_OIDC_ISSUER"):
        GatewaySettings(_env_file=None, host=host)
    assert GatewaySettings(_env_file=None, host=host, oidc_issuer="https://id.example.com", oidc_audience="k")


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "[::1]", "localhost", "127.1.2.3"])
def test_local_sign_in_is_allowed_on_loopback(host: str) -> None:
    assert GatewaySettings(_env_file=None, host=host).on_loopback


def test_an_issuer_requires_an_audience() -> None:
    with pytest.raises(ValidationError, match="set together"):
        GatewaySettings(_env_file=None, oidc_issuer="https://id.example.com")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KEEPSAKE_PORT", "http"),
        ("KEEPSAKE_PORT", "99999"),
        ("KEEPSAKE_MIN_CONFIDENCE", "2"),
        ("KEEPSAKE_EMBEDDING_DIMS", "100"),
        ("DATABASE_URL", "mysql://me:secret@127.0.0.1/x"),
        ("LANGGRAPH_STORE_TYPE", "files"),
        ("LANGGRAPH_STORE_TTL_MINUTES", "-1"),
        ("KEEPSAKE_STORE_PARTITIONS", "1"),
        ("KEEPSAKE_STORE_PARTITIONS", "65"),
    ],
)
def test_an_error_names_the_setting_but_not_its_value(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError) as invalid:
        (AgentSettings(_env_file=None), GatewaySettings(_env_file=None))
    assert describe_errors(invalid.value).startswith(f"{name}: ")
    assert "secret" not in describe_errors(invalid.value)


def test_unknown_names_are_reported_with_the_nearest_setting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KEEPSAKE_PROT", "1")
    monkeypatch.setenv("KEEPSAKE_OPENAI_API_KEY", "secret")
    monkeypatch.setenv("KEEPSAKE_MAX_FACTS", "10")
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("KEEPSAKE_CHAT_MODEL=secret\nKEEPSAKE_XYZZY=secret\nOTHER=secret\n")
    assert sorted(unknown_settings()) == [
        "unknown setting KEEPSAKE_CHAT_MODEL in .env: did you mean KEEPSAKE_CHAT_MODELS?",
        "unknown setting KEEPSAKE_OPENAI_API_KEY in the environment: did you mean OPENAI_API_KEY?",
        "unknown setting KEEPSAKE_PROT in the environment: did you mean KEEPSAKE_PORT?",
        "unknown setting KEEPSAKE_XYZZY in .env: see .env.example",
    ]
