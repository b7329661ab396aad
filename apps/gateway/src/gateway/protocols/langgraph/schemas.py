"""Requests of the LangGraph API. Members that have no meaning here are ignored; see `unsupported.py` for others."""

from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, StrictBool

StreamMode = Literal[
    "values",
    "updates",
    "messages",
    "messages-tuple",
    "custom",
    "events",
    "tools",
    "debug",
    "checkpoints",
    "tasks",
    "lifecycle",
]
JOIN_MODES: list[StreamMode] = ["values", "updates", "messages-tuple", "custom"]
Json = dict[str, Any]
MAX_PAGE = 1_000


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value or ["values"]


class Body(BaseModel):
    """A JSON object of a request."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Configurable(Body):
    """Options of a run. Everything else in `configurable`, above all user and thread ids, is ignored."""

    model: str | None = None
    memory: StrictBool = True
    web_search: StrictBool = False
    temporary: StrictBool = False


class RunConfig(Body):
    """The config of a run."""

    configurable: Configurable | None = None


class NewRun(Body):
    """A message to send, or with no input the message to answer again."""

    assistant_id: str
    input: Json | None = None
    config: RunConfig | None = None
    context: Configurable | None = None
    stream_mode: Annotated[list[StreamMode], BeforeValidator(_as_list)] = ["values"]
    if_not_exists: Literal["create", "reject"] | None = None
    on_disconnect: Literal["cancel", "continue"] | None = None
    multitask_strategy: Literal["reject", "interrupt", "rollback", "enqueue"] | None = None
    checkpoint: Json | None = None
    checkpoint_id: str | None = None
    command: Any = None
    interrupt_before: Any = None
    interrupt_after: Any = None
    webhook: Any = None
    after_seconds: Any = None
    feedback_keys: Any = None
    on_completion: Any = None

    @property
    def options(self) -> Configurable:
        """The options of the run; the context has precedence, as the newer of the two."""
        return self.context or (self.config and self.config.configurable) or Configurable()


def _join_modes(value: object) -> object:
    given = [mode for mode in value if mode] if isinstance(value, list) else value
    return given or JOIN_MODES


class JoinQuery(Body):
    """How to join the stream of a run. By default, clients receive all that a page needs, as `useStream` expects."""

    stream_mode: Annotated[list[StreamMode], BeforeValidator(_join_modes)] = JOIN_MODES
    cancel_on_disconnect: bool = False


class CancelQuery(Body):
    """How to cancel a run."""

    wait: bool = False
    action: Literal["interrupt", "rollback"] = "interrupt"


class RunPage(Body):
    """A page of the runs of a thread."""

    limit: int = Field(default=10, ge=1, le=MAX_PAGE)
    offset: int = Field(default=0, ge=0, le=1_000_000)
    status: Literal["pending", "running", "error", "success", "timeout", "interrupted"] | None = None


class NewThread(Body):
    """A thread to create."""

    thread_id: str | None = None
    metadata: Json | None = None
    if_exists: Literal["raise", "do_nothing"] | None = None
    supersteps: Any = None
    ttl: Any = None


class ThreadUpdate(Body):
    """Metadata to merge into that of a thread."""

    metadata: Json = Field(default_factory=dict)
    ttl: Any = None


class ThreadFilter(Body):
    """Conditions of a search for threads."""

    metadata: Json | None = None
    status: Literal["idle", "busy", "interrupted", "error"] | None = None
    values: Any = None


class ThreadSearch(ThreadFilter):
    """A page of a search for threads."""

    ids: list[str] | None = Field(default=None, max_length=MAX_PAGE)
    limit: int = Field(default=10, ge=1, le=MAX_PAGE)
    offset: int = Field(default=0, ge=0, le=1_000_000)
    sort_by: Literal["thread_id", "status", "created_at", "updated_at", "state_updated_at"] | None = None
    sort_order: Literal["asc", "desc"] | None = None
    select: list[str] | None = None
    extract: Any = None


class StateUpdate(Body):
    """Messages to append to a thread."""

    values: Json | None = None
    checkpoint: Json | None = None
    checkpoint_id: str | None = None


class CheckpointQuery(Body):
    """The state at a checkpoint."""

    checkpoint: Json


class HistoryQuery(Body):
    """A page of the history of a thread."""

    limit: int = Field(default=10, ge=1, le=100)
    before: str | Json | None = None
    metadata: Json | None = None
    checkpoint: Json | None = None


class AssistantSearch(Body):
    """Conditions of a search for assistants."""

    graph_id: str | None = None
    name: str | None = None
    metadata: Json | None = None
    limit: int = Field(default=10, ge=1, le=MAX_PAGE)
    offset: int = Field(default=0, ge=0)


class ItemKey(Body):
    """The key of an item in the store."""

    namespace: list[str]
    key: str


class NewItem(ItemKey):
    """An item to write to the store."""

    value: Json
    index: Literal[False] | list[str] | None = None
    ttl: float | None = Field(default=None, gt=0, le=5_000_000, allow_inf_nan=False)


class ItemSearch(Body):
    """A search in the store."""

    namespace_prefix: list[str] = Field(
        default_factory=list, validation_alias=AliasChoices("namespace_prefix", "prefix")
    )
    filter: Json | None = None
    query: str | None = Field(default=None, max_length=2_000)
    limit: int = Field(default=10, ge=1, le=100)
    offset: int = Field(default=0, ge=0, le=10_000)


class NamespaceSearch(Body):
    """A page of the namespaces in the store."""

    prefix: list[str] | None = None
    suffix: list[str] | None = None
    max_depth: int | None = Field(default=None, ge=1)
    limit: int = Field(default=100, ge=1, le=MAX_PAGE)
    offset: int = Field(default=0, ge=0)
