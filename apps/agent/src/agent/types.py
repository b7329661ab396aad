"""The value types of the domain: frozen, without I/O."""

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal, NewType, TypeVar

from typing_extensions import TypedDict

UserId = NewType("UserId", str)
"""The opaque id of a user, `[a-z0-9_-]{1,64}`."""

ThreadId = NewType("ThreadId", str)
"""A UUID in canonical form, chosen by the client or generated."""

MessageId = NewType("MessageId", str)
"""A UUID in canonical form; also the key of the inbox item."""

MemoryId = NewType("MemoryId", str)
"""A UUID derived from the source and the text of a memory; its key in the store."""

RunId = NewType("RunId", str)

Kind = Literal["user", "episodic", "procedural"]
"""A fact about the user, an episode (one sentence about an exchange), or a preference about how to help."""

Category = Literal["preference", "project", "technical", "personal"]

HitKind = Literal["user", "episodic", "procedural", "inbox", "profile"]
"""The kind of a memory, a message that is still in the inbox, or a sentence of the profile."""

Why = Literal["standing", "recalled"]
"""Why the model receives a hit: it matters for every message, or it is relevant to this one."""

KINDS: tuple[Kind, ...] = ("user", "episodic", "procedural")
FACT_KINDS: tuple[Kind, ...] = ("user", "procedural")
"""The kinds of facts, as opposed to episodes."""
RunStatus = Literal["completed", "cancelled", "failed"]
"""The outcome of a run."""

ThreadStatus = Literal["idle", "busy", "error"]
"""Whether a run of the thread is in progress, or the latest one has failed."""

FinishReason = Literal["stop", "length", "content_filter"]
"""Why a model ended its answer: it was complete, reached a length limit, or was stopped by the provider's filter."""

ToolOutcome = Literal["ok", "failed", "timed_out"]
"""The outcome of a tool call."""

CATEGORIES: tuple[Category, ...] = ("preference", "project", "technical", "personal")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Source:
    """The origin of a memory: a quote from one of the user's messages."""

    thread: str
    message: str
    quote: str
    ts: str

    def as_dict(self) -> dict[str, str]:
        """The source as part of a memory's document."""
        return {"thread": self.thread, "message": self.message, "quote": self.quote, "ts": self.ts}


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory of one user; `ts` and `last_seen` are ISO-8601 in UTC."""

    id: MemoryId
    kind: Kind
    text: str
    ts: str
    source_thread: str = ""
    category: Category = "personal"
    confidence: float = 1.0
    sources: tuple[Source, ...] = ()
    """Newest last; empty for a memory that the user entered."""
    confirmed: int = 1
    last_seen: str = ""
    standing: bool = False
    """True if a fact matters for every message; procedural memories always do."""
    pinned: bool = False
    """True if the user wants it to be part of every prompt."""
    until: str | None = None
    """The last day on which it holds, as an ISO-8601 date; afterwards it is history. None: unlimited."""
    reported_by: str | None = None
    """The application that reported it, until the user confirms it; None: the user's own words."""
    not_relevant: tuple[Any, ...] = ()
    """Messages for which it is not relevant; see `agent.memory.records.mismatches`."""
    score: float | None = None
    """The cosine similarity to the query; None without a query."""

    @property
    def always_included(self) -> bool:
        """Whether it is considered for every message."""
        return not self.reported_by and (self.standing or self.pinned or self.kind == "procedural")


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory, a pending message of another thread, or a sentence of the profile, for the prompt."""

    id: str
    kind: HitKind
    text: str
    score: float | None
    """The cosine similarity; None if it was not found by its vector."""
    source_thread: str
    ts: str
    last_seen: str = ""
    """The time of the newest source; empty for a message."""
    why: Why = "recalled"
    pinned: bool = False
    until: str | None = None  # as in `Memory`
    reported_by: str | None = None  # as in `Memory`
    day: str | None = None
    """The day on which it takes place, if the message asks for that; empty without one."""

    def as_dict(self) -> dict[str, Any]:
        """The hit as part of an event or of the transcript."""
        return {
            "id": self.id,
            "kind": self.kind,
            "text": self.text,
            "score": None if self.score is None else round(self.score, 4),
            "source_thread": self.source_thread,
            "ts": self.ts,
            "why": self.why,
            **({"reported_by": self.reported_by} if self.reported_by else {}),
        }


@dataclass(frozen=True, slots=True)
class RecallResult:
    """The result of recall for one message."""

    standing: tuple[Hit, ...] = ()
    """What matters for every message, most important first."""
    hits: tuple[Hit, ...] = ()
    """What concerns this message, best first, also if it is standing; newer versions of those are in both."""
    lists_everything: bool = False  # the message asks for everything that is known about the user
    said: str = ""
    """The heading of the hits if the message asks about a period; see `memory.recall.periods`."""
    has_changed: bool = False
    """True if a memory that the thread's prompt already contains was changed, replaced or forgotten."""
    degraded: bool = False
    """True if memory could not be searched completely."""
    has_failed: bool = False
    """True if memory could not be read at all."""


@dataclass(frozen=True, slots=True)
class User:
    """A signed-in user."""

    id: UserId
    memory_enabled: bool = True
    time_zone: str | None = None
    """An IANA name such as `Europe/Oslo`; None if unknown."""


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation of one user."""

    id: ThreadId
    title: str
    created_at: datetime
    updated_at: datetime
    temporary: bool = False
    """True if the thread is not listed, and deleted an hour after its last message."""
    pinned: bool = False
    archived: bool = False
    snippet: str | None = None
    """The part of a message that matches the search; None without a search or a match."""


@dataclass(frozen=True, slots=True)
class MessageFeedback:
    """What the user thinks of an answer."""

    rating: Literal["up", "down"]
    reason: str | None = None


class WebSource(TypedDict):
    """A page that a web search found."""

    title: str
    url: str
    text: str
    """An excerpt; empty if there is none."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the transcript."""

    id: MessageId
    role: Literal["user", "assistant"]
    text: str
    ts: datetime
    memories: Sequence[dict[str, Any]] | None = None
    """The memories recalled for an answer; None for a user's message."""
    status: RunStatus = "completed"
    """For an answer: any other value means that it is incomplete."""
    finish_reason: FinishReason = "stop"
    """For an answer: any other value means that the model cut it off."""
    feedback: MessageFeedback | None = None
    copied_from: MessageId | None = None
    """The original of a message that a branch shares."""
    sources: Sequence[WebSource] | None = None
    """What a web search found for an answer; None if there was no search."""
    model: str | None = None
    """The model that wrote an answer; None if that was not recorded."""


@dataclass(frozen=True, slots=True)
class ThreadDetails:
    """A thread with what clients of the LangGraph API see besides."""

    thread: Thread
    metadata: dict[str, Any]
    """Set by clients."""
    status: ThreadStatus
    opening: tuple[Message, ...] = ()
    """The first messages, if they were asked for."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run that is in progress, or ended recently."""

    id: RunId
    message: MessageId
    """The user's message that it answers."""
    status: RunStatus | Literal["running"]
    began_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class UserMessage:
    """A new message of a user, with the options of its turn."""

    text: str
    id: MessageId
    """Chosen by the client; sending it again is a retry."""
    model: str | None = None
    """One of the configured models; None for the default."""
    memory: bool = True
    """Allow the turn to read and write memory."""
    web_search: bool = False
    """Allow the turn to search the web, if a search is configured."""
    temporary: bool = False
    """Use no memory, and delete the thread an hour after its last message."""
    time_zone: str | None = None
    """The zone of the user's account."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A page of a list; `next_cursor` requests the next page, and is None on the last one."""

    items: tuple[T, ...]
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True)
class FormationResult:
    """The result of processing a user's inbox: numbers of facts, and of episodes."""

    added: int = 0
    replaced: int = 0
    confirmed: int = 0
    rejected: int = 0
    episodes: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    """The number of rejected facts by reason."""

    def __add__(self, other: "FormationResult") -> "FormationResult":
        return FormationResult(
            added=self.added + other.added,
            replaced=self.replaced + other.replaced,
            confirmed=self.confirmed + other.confirmed,
            rejected=self.rejected + other.rejected,
            episodes=self.episodes + other.episodes,
            reasons=dict(Counter(self.reasons) + Counter(other.reasons)),
        )


def reply_id(run: RunId) -> MessageId:
    """The id of the message with which a run answers, which clients that follow the run need before it ends."""
    return MessageId(str(uuid.uuid5(uuid.UUID(run), "reply")))
