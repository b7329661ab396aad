"""How a memory stands in the store: its key, its value, and the way back."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from langgraph.store.base import PutOp

from agent.memory.records import namespaces
from agent.timestamps import parse_timestamp
from agent.types import Kind, Memory, MemoryId, Source, UserId

# Any fixed UUID will do; this one is Keepsake's.
_NAMESPACE = uuid.UUID("6b656570-7361-4b65-8000-6d656d6f7279")


def derived_id(user: UserId, *parts: str) -> MemoryId:
    """Return the same id for the same parts, so that forming twice leaves one memory."""
    return MemoryId(str(uuid.uuid5(_NAMESPACE, "\n".join((user, *parts)))))


def last_stated(memory: Memory) -> datetime:
    """Return when a memory was said last."""
    return max(parse_timestamp(memory.ts), parse_timestamp(memory.last_seen))


def put_op(user: UserId, memory: Memory) -> PutOp:
    """Return what writes a memory, to be found by its text."""
    return PutOp(namespaces.memories(user, memory.kind), memory.id, to_document(memory), index=namespaces.INDEXED)


def to_document(memory: Memory) -> dict[str, Any]:
    """Return the memory as its document."""
    return {
        "text": memory.text,
        "type": memory.kind,
        "source_thread": memory.source_thread,
        "ts": memory.ts,
        "category": memory.category,
        "confidence": memory.confidence,
        "sources": [source.as_dict() for source in memory.sources],
        "confirmed": memory.confirmed,
        "last_seen": memory.last_seen or memory.ts,
    }


def from_document(key: str, value: Mapping[str, Any], *, score: float | None = None) -> Memory:
    """Read a document; what another writer left out has its default."""
    kind: Kind = value.get("type", "user")
    ts = value.get("ts", "")
    return Memory(
        id=MemoryId(key),
        kind=kind,
        text=value["text"],
        ts=ts,
        source_thread=value.get("source_thread", ""),
        category=value.get("category", "personal"),
        confidence=value.get("confidence", 1.0),
        sources=tuple(Source(**source) for source in value.get("sources", ())),
        confirmed=value.get("confirmed", 1),
        last_seen=value.get("last_seen", ts),
        score=score,
    )
