"""The settings of the agent, read by the composition roots."""

import json
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import (
    Field,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    SecretStr,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from agent.errors import SetupError
from agent.log_format import LogFormat

MINILM = "minilm"
MINILM_DIMS = 384
SERVER_DIMS = 1536
"""The dimensions of the index in `langgraph.json`, to which MiniLM's vectors are padded."""
LOCAL = "local:"
LOCAL_EXTRA_MISSING = "KEEPSAKE_EMBEDDING_MODEL=local:… needs the extra: pip install 'keepsake-agent[local]'"
E5_DIMS = {"intfloat/multilingual-e5-small": 384, "intfloat/multilingual-e5-base": 768}
"""Models that are not in fastembed's list, and their dimensions (`hidden_size` in their `config.json`)."""
OFFLINE = "offline"
CHARS_PER_TOKEN = 4  # approximately, in English text
CHARS_PER_MEMORY = 150  # of a tip above 900 characters, per additional memory of each kind
Extractors = Literal["strict", "rules", "langmem"]
StoreType = Literal["postgres", "memory", "redis"]


class AgentSettings(BaseSettings):
    """Settings from the environment; names without an alias start with `KEEPSAKE_`.

    By default, Postgres is embedded, MiniLM computes embeddings, rules extract facts, and the offline model answers.
    """

    model_config = SettingsConfigDict(
        env_prefix="KEEPSAKE_", env_file=".env", extra="ignore", frozen=True, populate_by_name=True
    )

    data_dir: Path = Path(".keepsake")
    database_url: SecretStr | None = Field(None, validation_alias="DATABASE_URL")

    openai_api_key: SecretStr | None = Field(None, validation_alias="OPENAI_API_KEY")
    openai_base_url: str | None = Field(None, validation_alias="OPENAI_BASE_URL")
    chat_models: Annotated[tuple[str, ...], NoDecode] = ()
    """The first is the default. Empty: `gpt-5-mini`, or `offline` without API key and base URL."""
    embedding_model: str = ""
    """`minilm` runs in process, and so does `local:` with a name or a folder, which requires the extra `local`.

    Empty: `text-embedding-3-small`, or `minilm` without API key and base URL.
    """
    embedding_dims: Annotated[int, Field(ge=0, le=16_000)] = 0
    """0: the default of the model (MiniLM 384, local models as they state, others 1,536)."""
    language: str = "english"
    """The Postgres text search configuration for texts whose language is not detected; unknown: `simple`."""
    store_type: StoreType = Field("postgres", validation_alias="LANGGRAPH_STORE_TYPE")
    """Where memories are stored; with `memory` they are lost when the process ends."""
    store_postgres_dsn: SecretStr | None = Field(None, validation_alias="LANGGRAPH_STORE_POSTGRES_DSN")
    """None: the same database as everything else."""
    replica_url: SecretStr | None = None
    """A standby of the store's database, which recall searches while it is new enough. None: the primary."""
    store_partitions: Annotated[int, Field(ge=0, le=64)] = 0
    """Hash partitions of each table of a new store in Postgres. 0: one table."""
    store_redis_url: SecretStr | None = Field(None, validation_alias="LANGGRAPH_STORE_REDIS_URL")
    store_ttl_minutes: PositiveInt | None = Field(None, validation_alias="LANGGRAPH_STORE_TTL_MINUTES")
    """None: memories do not expire."""

    agent_url: str | None = None
    """A LangGraph server that has loaded `langgraph.json`: it runs the graph and keeps the memories.

    None: the graph runs in this process.
    """
    agent_api_key: SecretStr | None = None
    """Sent to that server as `x-api-key`."""
    langgraph_dev: bool = Field(default=False, validation_alias="LANGGRAPH_DEV")
    """Run inside LangGraph Platform, which provides the checkpointer."""
    enable_fact_extraction: bool = Field(default=True, validation_alias="ENABLE_FACT_EXTRACTION")
    fact_extraction_model: str = Field("", validation_alias="FACT_EXTRACTION_MODEL")
    """Empty: the chat model."""
    extractor: Extractors | None = None
    """None: `strict`. Without a model it is always `rules`; `langmem` requires the extra."""
    min_confidence: Annotated[float, Field(ge=0, le=1)] = 0.7
    max_facts: PositiveInt = 100
    """Maximum facts of a user after formation; an import may exceed it until the next formation."""

    tip_max_chars: Annotated[int, Field(ge=100, le=100_000)] = 900
    tip_max_tokens: Annotated[int, Field(ge=50, le=25_000)] | None = None
    """None: only `tip_max_chars` applies."""
    recall_limit: Annotated[int, Field(ge=1, le=100)] | None = None
    """Maximum memories of each kind. None: 4, and more if the tip may be longer than 900 characters."""
    recall_deadline_ms: PositiveInt = 300
    """Maximum time of recall. Only waiting counts; see `agent.deadlines`."""
    system_prompt: str = ""
    """Replaces the base prompt; `{date}`, `{time}` and `{time_zone}` are filled in."""
    debounce_seconds: PositiveFloat = 30
    debounce_max_wait_seconds: PositiveFloat = 300
    formation_deadline_seconds: PositiveFloat = 90
    """Time limit for the new messages of one thread, including the model call."""

    context_max_tokens: Annotated[int, Field(ge=2_000)] = 16_000
    """Limit of a prompt with messages, tip, summary, notes and tool schemas; also the size of a thread's window."""
    first_token_seconds: PositiveFloat = 30
    """Deadline for the first token of an answer; the request is then repeated once."""
    token_seconds: PositiveFloat = 30
    """Deadline between two tokens of an answer."""
    answer_max_tokens: PositiveInt | None = None
    """Maximum length of an answer. None: about 32,000, without telling the model's server."""
    model_titles: bool = True
    """Generate the title of each thread with one model call; otherwise it is the first words of the thread."""
    moderation: Literal["off", "openai"] = "off"
    """`openai`: the model server's endpoint `/moderations` must accept a message before it is stored."""
    moderation_fails: Literal["open", "closed"] = "open"
    """Whether messages are accepted (`open`) or rejected while that endpoint does not answer."""
    limit_runs: NonNegativeInt = 4
    """Concurrent runs of each user. 0: no limit, as for the following settings."""
    limit_messages_per_minute: NonNegativeInt = 30
    limit_requests_per_minute: NonNegativeInt = 600
    limit_tokens_per_day: NonNegativeInt = 5_000_000
    """Prompt and answer tokens of the chat model."""
    limit_embedded_bytes_per_day: NonNegativeInt = 200_000_000
    """Text that is submitted for embedding: messages, memories, searches and imports."""
    limit_streams: NonNegativeInt = 32
    """Open streams that rejoin a run."""
    limit_threads: NonNegativeInt = 10_000
    limit_memories: NonNegativeInt = 50_000
    """Memories that a user may have when adding or importing more; formation is not limited."""
    log_format: LogFormat = "text"
    """The format of log lines on standard error."""
    otlp_endpoint: str | None = Field(None, validation_alias="OTEL_EXPORTER_OTLP_ENDPOINT")
    """An OpenTelemetry collector that receives traces over HTTP; None: no traces. Requires the extra `otel`."""
    searxng_url: str | None = Field(None, validation_alias="SEARXNG_URL")
    """A SearXNG instance for web search; None: only OpenAI's own search is available."""

    @field_validator("*", mode="before")
    @classmethod
    def _empty_is_unset(cls, value: object, info: ValidationInfo) -> object:
        is_optional = cls.model_fields[info.field_name or ""].default is None
        return value or None if is_optional else value

    @field_validator("chat_models", mode="before")
    @classmethod
    def _comma_separated(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(name.strip() for name in value.split(",") if name.strip())
        return value

    @field_validator("database_url", "store_postgres_dsn", "replica_url")
    @classmethod
    def _is_postgres(cls, value: SecretStr | None) -> SecretStr | None:
        if value and not value.get_secret_value().startswith(("postgresql://", "postgres://")):
            raise ValueError("must start with postgresql://")
        return value

    @field_validator("store_partitions")
    @classmethod
    def _is_several(cls, value: int) -> int:
        if value == 1:
            raise ValueError("must be 0 (one table) or 2 to 64")
        return value

    @field_validator("agent_url")
    @classmethod
    def _is_http(cls, value: str | None) -> str | None:
        if value and not value.startswith(("http://", "https://")):
            raise ValueError("must start with http:// or https://")
        return value

    @model_validator(mode="after")
    def _dims_fit(self) -> Self:
        if self.embedder == MINILM and self.dims < MINILM_DIMS:
            raise ValueError(f"KEEPSAKE_EMBEDDING_DIMS: MiniLM's vectors have {MINILM_DIMS} dimensions")
        return self

    @model_validator(mode="after")
    def _replica_has_store(self) -> Self:
        if self.agent_url and self.replica_url:
            raise ValueError("KEEPSAKE_REPLICA_URL: the memories are on the server at KEEPSAKE_AGENT_URL")
        return self

    @model_validator(mode="after")
    def _partitions_have_store(self) -> Self:
        if self.store_partitions and self.agent_url:
            raise ValueError("KEEPSAKE_STORE_PARTITIONS: the memories are on the server at KEEPSAKE_AGENT_URL")
        if self.store_partitions and self.store_type != "postgres":
            raise ValueError("KEEPSAKE_STORE_PARTITIONS needs LANGGRAPH_STORE_TYPE=postgres")
        return self

    @model_validator(mode="after")
    def _moderation_has_server(self) -> Self:
        if self.moderation != "off" and self.offline:
            raise ValueError("KEEPSAKE_MODERATION=openai requires OPENAI_API_KEY or OPENAI_BASE_URL")
        return self

    @property
    def offline(self) -> bool:
        """True if no model server is configured: neither API key nor base URL."""
        return self.openai_api_key is None and self.openai_base_url is None

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the chat models, at least one, the default first."""
        return (OFFLINE,) if self.offline else self.chat_models or ("gpt-5-mini",)

    @property
    def embedder(self) -> str:
        """The name of the embedding model."""
        return self.embedding_model or (MINILM if self.offline else "text-embedding-3-small")

    @property
    def dims(self) -> int:
        """The number of dimensions of an embedding.

        Raises:
            SetupError: those of a local model are unknown.
        """
        if self.embedding_dims:
            return self.embedding_dims
        if self.local_model is not None:
            return _local_dims(self.local_model)
        return MINILM_DIMS if self.embedder == MINILM else 1536

    @property
    def local_model(self) -> str | None:
        """The name or folder of the embedding model that fastembed runs; None for others."""
        return self.embedder.removeprefix(LOCAL) if self.embedder.startswith(LOCAL) else None

    @property
    def recall_limit_per_kind(self) -> int:
        """Maximum number of recalled memories of each kind."""
        tip_chars = CHARS_PER_TOKEN * self.tip_max_tokens if self.tip_max_tokens else self.tip_max_chars
        return self.recall_limit or min(4 + max(tip_chars - 900, 0) // CHARS_PER_MEMORY, 100)

    @property
    def uses_rules(self) -> bool:
        """True if rules extract facts, without a model."""
        return self.offline or self.extractor == "rules"


def _local_dims(name: str) -> int:
    if name in E5_DIMS:
        return E5_DIMS[name]
    try:
        if Path(name).is_dir():
            return int(json.loads((Path(name) / "config.json").read_text())["hidden_size"])
        from fastembed import TextEmbedding  # noqa: PLC0415 - an optional extra, which takes a second to import

        return TextEmbedding.get_embedding_size(name)
    except ImportError as error:
        raise SetupError(LOCAL_EXTRA_MISSING) from error
    except (OSError, ValueError, KeyError) as error:
        raise SetupError(
            f"the dimensions of the embedding model {name} are unknown: check its name, or set KEEPSAKE_EMBEDDING_DIMS"
        ) from error
