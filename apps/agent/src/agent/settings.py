"""What the agent reads from its environment, in composition roots only."""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, PositiveFloat, PositiveInt, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

MINILM = "minilm"
MINILM_DIMS = 384
OFFLINE = "offline"
CHARS_PER_TOKEN = 4  # of English, about
CHARS_PER_MEMORY = 150  # of a tip that is longer than usual, for one more of each kind
Extractors = Literal["strict", "rules", "langmem"]
StoreType = Literal["postgres", "memory", "redis"]


class AgentSettings(BaseSettings):
    """Names that exist in this world are kept; ours start with `KEEPSAKE_`.

    With nothing set, Postgres is embedded, MiniLM embeds, rules extract, and the offline model answers.
    """

    model_config = SettingsConfigDict(
        env_prefix="KEEPSAKE_", env_file=".env", extra="ignore", frozen=True, populate_by_name=True
    )

    data_dir: Path = Path(".keepsake")
    database_url: SecretStr | None = Field(None, validation_alias="DATABASE_URL")

    openai_api_key: SecretStr | None = Field(None, validation_alias="OPENAI_API_KEY")
    openai_base_url: str | None = Field(None, validation_alias="OPENAI_BASE_URL")
    chat_models: Annotated[tuple[str, ...], NoDecode] = ()
    """The first is the default; empty: `gpt-5-mini`, or `offline` without a key and an address."""
    embedding_model: str = ""
    """`minilm` embeds in process; empty: `text-embedding-3-small`, or `minilm` without a key and an address."""
    embedding_dims: Annotated[int, Field(ge=0, le=16_000)] = 0
    """0: what the model makes by itself (MiniLM 384, others 1,536)."""
    language: str = "english"
    """Of what users say, as Postgres calls it, for the search by words; unknown ones are taken as `simple`."""
    store_type: StoreType = Field("postgres", validation_alias="LANGGRAPH_STORE_TYPE")
    """Where memories live; `memory` forgets them with the process."""
    store_postgres_dsn: SecretStr | None = Field(None, validation_alias="LANGGRAPH_STORE_POSTGRES_DSN")
    """None: beside everything else."""
    store_redis_url: SecretStr | None = Field(None, validation_alias="LANGGRAPH_STORE_REDIS_URL")
    store_ttl_minutes: PositiveInt | None = Field(None, validation_alias="LANGGRAPH_STORE_TTL_MINUTES")
    """None: memories live for ever."""

    langgraph_dev: bool = Field(default=False, validation_alias="LANGGRAPH_DEV")
    """The platform brings a checkpointer; ours stays away."""
    enable_fact_extraction: bool = Field(default=True, validation_alias="ENABLE_FACT_EXTRACTION")
    fact_extraction_model: str = Field("", validation_alias="FACT_EXTRACTION_MODEL")
    """Empty: the chat model."""
    extractor: Extractors | None = None
    """None: `strict` with a model. Without one it is always `rules`; `langmem` needs the extra."""
    min_confidence: Annotated[float, Field(ge=0, le=1)] = 0.7
    max_facts: PositiveInt = 100
    """Facts of a user that formation leaves; an import may hold more until the next message."""

    tip_max_chars: Annotated[int, Field(ge=100, le=100_000)] = 900
    tip_max_tokens: Annotated[int, Field(ge=50, le=25_000)] | None = None
    """None: the tip is as long as its characters allow."""
    recall_limit: Annotated[int, Field(ge=1, le=100)] | None = None
    """Memories of each kind; None: 4, and more where the tip has room for them."""
    recall_deadline_ms: PositiveInt = 300
    debounce_seconds: PositiveFloat = 30
    debounce_max_wait_seconds: PositiveFloat = 300
    formation_deadline_seconds: PositiveFloat = 90
    """For what is new in one thread, from the call of the model to the memories."""

    context_max_tokens: Annotated[int, Field(ge=2_000)] = 16_000
    """Of a prompt: messages, tip, summary, notes and the tools' descriptions. A thread's window is as large."""
    model_titles: bool = True
    """Whether a model gives threads their titles, in one call each; without it their first words stay."""
    searxng_url: str | None = Field(None, validation_alias="SEARXNG_URL")
    """Searches the web; None: only OpenAI's own models can."""

    @field_validator(
        "database_url",
        "openai_api_key",
        "openai_base_url",
        "store_postgres_dsn",
        "store_redis_url",
        "store_ttl_minutes",
        "tip_max_tokens",
        "recall_limit",
        "searxng_url",
        mode="before",
    )
    @classmethod
    def _empty_is_unset(cls, value: object) -> object:
        return value or None

    @field_validator("chat_models", mode="before")
    @classmethod
    def _comma_separated(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(name.strip() for name in value.split(",") if name.strip())
        return value

    @field_validator("database_url", "store_postgres_dsn")
    @classmethod
    def _is_postgres(cls, value: SecretStr | None) -> SecretStr | None:
        if value and not value.get_secret_value().startswith(("postgresql://", "postgres://")):
            raise ValueError("must start with postgresql://")
        return value

    @model_validator(mode="after")
    def _dims_fit(self) -> Self:
        if self.embedder == MINILM and self.dims < MINILM_DIMS:
            raise ValueError(f"MiniLM's vectors have {MINILM_DIMS} dimensions")
        return self

    @property
    def offline(self) -> bool:
        """Whether there is no model to talk to: neither a key nor an address."""
        return self.openai_api_key is None and self.openai_base_url is None

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the chat models, never empty, the default first."""
        return (OFFLINE,) if self.offline else self.chat_models or ("gpt-5-mini",)

    @property
    def embedder(self) -> str:
        """The name of the embedding model."""
        return self.embedding_model or (MINILM if self.offline else "text-embedding-3-small")

    @property
    def dims(self) -> int:
        """The length of a vector."""
        return self.embedding_dims or (MINILM_DIMS if self.embedder == MINILM else 1536)

    @property
    def recall_limit_per_kind(self) -> int:
        """How many memories of each kind are recalled."""
        room = CHARS_PER_TOKEN * self.tip_max_tokens if self.tip_max_tokens else self.tip_max_chars
        return self.recall_limit or min(4 + max(room - 900, 0) // CHARS_PER_MEMORY, 100)

    @property
    def uses_rules(self) -> bool:
        """Whether regular expressions extract, and no model."""
        return self.offline or self.extractor == "rules"
