"""The assistant's message of a turn, as it is stored in the transcript."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from agent.types import FinishReason, MessageId, RunStatus, WebSource


@dataclass(frozen=True, slots=True)
class Reply:
    """The assistant's message of a turn."""

    id: MessageId
    text: str
    memories: Sequence[dict[str, Any]] = ()
    """The memories recalled for it, as in `Hit.as_dict`."""
    usage: dict[str, int] = field(default_factory=dict)
    status: RunStatus = "completed"
    finish_reason: FinishReason = "stop"
    tokens: int = 0
    """Tokens of all calls of the model."""
    sources: Sequence[WebSource] = ()
    """What web searches found for it."""
    model: str | None = None
    """The model that wrote it; None if that is unknown."""

    @classmethod
    def of_row(cls, row: DictRow) -> Self:
        """Create the reply to a message from the row of `find_message` in `turns.sql`."""
        return cls(
            id=MessageId(str(row["reply_id"])),
            text=row["reply"],
            memories=row["memories"] or (),
            usage=row["usage"] or {},
            status=row["status"],
            finish_reason=row["finish_reason"],
            sources=row["sources"] or (),
            model=row["model"],
        )

    def row(self) -> dict[str, Any]:
        """The parameters of `insert_reply` in `turns.sql`."""
        columns = {name: getattr(self, name) for name in ("text", "finish_reason", "model")}
        documents = {"memories": Jsonb(self.memories), "usage": Jsonb(self.usage)}
        return columns | documents | {"reply": self.id, "sources": Jsonb(self.sources) if self.sources else None}
