"""The nouns of the house: frozen, and without I/O."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal, NewType, TypeVar

UserId = NewType("UserId", str)
"""Who the user is everywhere behind the gateway: opaque, `[a-z0-9_-]{1,64}`."""

ThreadId = NewType("ThreadId", str)
"""A UUID in its canonical form, the user's own choice or ours."""

MessageId = NewType("MessageId", str)
"""A UUID in its canonical form; the key of the inbox item too."""

MemoryId = NewType("MemoryId", str)
"""The key of a memory in its namespace; a UUID derived from what it was formed of."""

RunId = NewType("RunId", str)

Kind = Literal["user", "episodic", "procedural"]
"""What a memory is: a fact about the user, a sentence about an exchange, a way to help."""

Category = Literal["preference", "project", "technical", "personal"]

HitKind = Literal["user", "episodic", "procedural", "inbox"]

KINDS: tuple[Kind, ...] = ("user", "episodic", "procedural")
FACT_KINDS: tuple[Kind, ...] = ("user", "procedural")
"""What is known of a user; an episode is what happened."""
RunStatus = Literal["completed", "cancelled", "failed"]
"""How a run has ended."""

ToolOutcome = Literal["ok", "failed", "timed_out"]
"""How a tool's call ended."""

CATEGORIES: tuple[Category, ...] = ("preference", "project", "technical", "personal")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a memory comes from: the user's own words in one message."""

    thread: str
    message: str
    quote: str
    ts: str

    def as_dict(self) -> dict[str, str]:
        """Return the source as it stands in a memory's value."""
        return {"thread": self.thread, "message": self.message, "quote": self.quote, "ts": self.ts}


@dataclass(frozen=True, slots=True)
class Memory:
    """One thing known about one user.

    `ts` and `last_seen` are ISO-8601 in UTC. `sources` has the newest last, and is empty for what was
    typed in by hand.
    """

    id: MemoryId
    kind: Kind
    text: str
    ts: str
    source_thread: str = ""
    category: Category = "personal"
    confidence: float = 1.0
    sources: tuple[Source, ...] = ()
    confirmed: int = 1
    last_seen: str = ""
    score: float | None = None
    """The cosine similarity to what was searched for; None when nothing was."""


@dataclass(frozen=True, slots=True)
class Hit:
    """What a turn recalled: a memory, or a message of another thread that is not yet distilled."""

    id: str
    kind: HitKind
    text: str
    score: float | None
    """The cosine similarity; None for what was found by its words alone."""
    source_thread: str
    ts: str
    last_seen: str = ""
    """When it was last said; of a memory only."""

    def as_dict(self) -> dict[str, Any]:
        """Return the hit as the event and the transcript show it."""
        return {
            "id": self.id,
            "kind": self.kind,
            "text": self.text,
            "score": None if self.score is None else round(self.score, 4),
            "source_thread": self.source_thread,
            "ts": self.ts,
        }


@dataclass(frozen=True, slots=True)
class RecallResult:
    """What memory had to say to a message, best first; `degraded` when it could not say all."""

    hits: tuple[Hit, ...] = ()
    degraded: bool = False
    profile: tuple[str, ...] = ()
    """Who the user is, whatever the message is about: a sentence each, the most telling first."""


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who has signed in."""

    id: UserId
    memory_enabled: bool = True


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation of one user."""

    id: ThreadId
    title: str
    created_at: datetime
    updated_at: datetime
    temporary: bool = False
    """Whether it is in no list, and gone an hour after its last message."""
    snippet: str | None = None
    """What a search found in its messages."""


@dataclass(frozen=True, slots=True)
class Message:
    """One line of the transcript. `memories` is what an answer was given to use, None for a user's message.

    An answer whose status is not `completed` broke off.
    """

    id: MessageId
    role: Literal["user", "assistant"]
    text: str
    ts: datetime
    memories: tuple[dict[str, Any], ...] | None = None
    status: RunStatus = "completed"


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What a user says in one turn, as the gateway took it in.

    `id` is the client's own, which makes a retry safe; `model` is one of the configured names, None for
    the default.
    """

    text: str
    id: MessageId
    model: str | None = None
    memory: bool = True
    """Whether this turn may read and write memory."""
    web_search: bool = False
    """Whether this turn may search the web, where anything can."""
    temporary: bool = False
    """Whether nothing of this may last: no memory, and no thread after its last hour."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A stretch of a list; `next_cursor` asks for the one that follows, None at the end."""

    items: tuple[T, ...]
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True)
class FormationResult:
    """What one drain of a user's inbox came to."""

    added: int = 0
    replaced: int = 0
    confirmed: int = 0
    rejected: int = 0
    episodes: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    """How many were rejected, by reason."""

    def __add__(self, other: "FormationResult") -> "FormationResult":
        return FormationResult(
            added=self.added + other.added,
            replaced=self.replaced + other.replaced,
            confirmed=self.confirmed + other.confirmed,
            rejected=self.rejected + other.rejected,
            episodes=self.episodes + other.episodes,
            reasons=dict(Counter(self.reasons) + Counter(other.reasons)),
        )
