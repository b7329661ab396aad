"""Memories as store documents: ids, conversion, and values computed on read."""

import uuid
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from langgraph.store.base import PutOp

from agent.language.facts.standing import standing_topic, standing_topics
from agent.language.grounding.checks import is_quoted
from agent.language.references.corrected_values import is_own_text
from agent.language.removal.redaction import Redaction
from agent.language.words.content import content_of
from agent.memory.records import namespaces
from agent.memory.records.mismatches import mismatches_of
from agent.memory.records.namespaces import Namespace
from agent.timestamps import parse_timestamp
from agent.types import FACT_KINDS, Kind, Memory, MemoryId, Source, UserId

DECAY_PER_WEEK = 0.01

_UUID_NAMESPACE = uuid.UUID("6b656570-7361-4b65-8000-6d656d6f7279")


def derived_id(user: UserId, *parts: str) -> MemoryId:
    """Derive an id from the user and the parts, so that writing the same memory twice is idempotent."""
    return MemoryId(str(uuid.uuid5(_UUID_NAMESPACE, "\n".join((user, *parts)))))


def last_stated(memory: Memory) -> datetime:
    """The time of the latest statement of a memory."""
    return max(parse_timestamp(memory.ts), parse_timestamp(memory.last_seen))


def effective_confidence(confidence: float, last_seen: str, now: datetime) -> float:
    """The confidence, decayed since `last_seen`, at least 0; no decay if that is in the future or cannot be parsed."""
    seen = parse_timestamp(last_seen)
    weeks = 0.0 if seen == parse_timestamp("") else max(0.0, (now - seen) / timedelta(weeks=1))
    return max(0.0, confidence - DECAY_PER_WEEK * weeks)


def source_messages(value: Mapping[str, Any], key: str) -> set[str]:
    """The ids of the messages that a memory, an inbox item or a sentence comes from."""
    if "sources" in value:
        return {source["message"] for source in value["sources"]}
    return set(value["messages"]) if "messages" in value else {key}


def source_threads(value: Mapping[str, Any]) -> set[str]:
    """The threads that a document comes from; {""} for one that the user added directly."""
    return {source["thread"] for source in value.get("sources", ())} or {value.get("source_thread", "")}


def quotes_of(value: Mapping[str, Any]) -> list[str]:
    """The user's own words in the sources of a memory."""
    return [source["quote"] for source in value.get("sources", ()) if source["quote"]]


def redact_document(redaction: Redaction, value: Mapping[str, Any], key: str) -> Mapping[str, Any] | None:
    """A document without the parts that a redaction removes; None if nothing else is left of it.

    A fact loses the sources that state what is removed.
    """
    messages, text = source_messages(value, key), value["text"]
    if "sources" in value and value.get("type") in FACT_KINDS:
        return _redact_fact(redaction, value)
    is_message = "sources" not in value and "messages" not in value
    is_verbatim = is_message or _is_own_sentence(text, quotes_of(value))
    redacted = redaction.redact(text, messages, is_verbatim=is_verbatim)
    if redacted == text:
        return value
    standing = bool(standing_topics(redacted)) or (bool(value.get("standing")) and not standing_topics(text))
    changes: dict[str, Any] = {"text": redacted, "standing": standing}
    if is_message:
        changes["answer"] = ""  # it may repeat anything
    else:
        sources = value.get("sources", ())
        quotes = (redaction.redact_quote(source["quote"]) if is_verbatim else "" for source in sources)
        changes["sources"] = [{**source, "quote": quote} for source, quote in zip(sources, quotes, strict=True)]
    return {**value, **changes} if redacted else None


def _redact_fact(redaction: Redaction, value: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """A fact of which a redaction removes the outdated parts if others are left, or all that came from the words."""
    text, messages = value["text"], source_messages(value, "")
    redacted = redaction.redact(text, messages, is_verbatim=True) if _is_own_sentence(text, quotes_of(value)) else text
    if not redaction.is_forgotten:
        return value if redacted in ("", text) else {**value, "text": redacted}
    sources = []
    for source in value["sources"]:
        quote = redaction.redact_quote(source["quote"]) if source["message"] in redaction.messages else source["quote"]
        if quote == source["quote"] or (quote and not redaction.is_about(redacted)):
            sources.append({**source, "quote": quote})
        elif redacted not in ("", text):
            sources.append({**source, "quote": redacted})
    return {**value, "text": redacted, "sources": sources} if redacted and (sources or not value["sources"]) else None


def _is_own_sentence(text: str, quotes: Sequence[str]) -> bool:
    """Check whether the text of a fact is the user's own sentence, which may state more than the fact."""
    return is_own_text(text, quotes) or any(is_quoted(quote, [text]) for quote in quotes)


def rest_id(user: UserId, fact: str) -> MemoryId:
    """The id of the episode with the rest of a replaced fact."""
    return derived_id(user, "rest", fact)


def rest_of_fact(user: UserId, fact: Memory, outdated: Redaction) -> Memory | None:
    """An episode with what a replaced fact states besides its outdated value, in the user's words; None if nothing."""
    text = outdated.redact_statement(fact.text)
    if text not in ("", fact.text) and not _is_own_sentence(fact.text, [source.quote for source in fact.sources]):
        said = fact.sources[-1].quote if fact.sources and outdated.is_exact else ""
        text = outdated.redact_quote(said) if said else ""
        text = "" if text == said else text
    if text in ("", fact.text) or not (content_of(text).things or content_of(text).persons):  # "ten years old"
        return None
    return Memory(
        id=rest_id(user, fact.id),
        kind="episodic",
        text=text,
        ts=fact.ts,
        source_thread=fact.source_thread,
        sources=tuple(replace(source, quote=text) for source in fact.sources),
        last_seen=fact.last_seen,
        standing=bool(standing_topics(text)),
    )


def confirm(memory: Memory, source: Source, *, confidence: float = 1.0) -> Memory:
    """A memory that the user has stated again or, if an application reported it, for the first time."""
    return replace(
        memory,
        sources=(*memory.sources, source),
        confirmed=1 if memory.reported_by else memory.confirmed + 1,
        confidence=max(memory.confidence, confidence) if memory.reported_by else memory.confidence,
        last_seen=max(memory.last_seen, source.ts, key=parse_timestamp),
        reported_by=None,
    )


def comes_only_from(value: Mapping[str, Any], key: str, messages: Set[str]) -> bool:
    """Check whether all sources of a document are among the messages; False for a memory that the user entered."""
    sources = source_messages(value, key)
    return bool(sources) and sources <= messages


def put_op(user: UserId, memory: Memory) -> PutOp:
    """The operation that writes a memory."""
    return document_op(namespaces.memories(user, memory.kind), memory.id, to_document(memory))


def document_op(namespace: Namespace, key: str, value: Mapping[str, Any]) -> PutOp:
    """The operation that writes a document; the text of memories and of recallable inbox items is indexed."""
    indexed = namespace[-1] not in ("profile", "retired") and value.get("recallable", True)
    return PutOp(namespace, key, dict(value), index=namespaces.INDEXED_FIELDS if indexed else False)


def to_document(memory: Memory) -> dict[str, Any]:
    """Convert a memory to a document."""
    marks = {"not_relevant": [asdict(one) for one in memory.not_relevant]} if memory.not_relevant else {}
    return marks | {
        "text": memory.text,
        "type": memory.kind,
        "source_thread": memory.source_thread,
        "ts": memory.ts,
        "category": memory.category,
        "confidence": memory.confidence,
        "sources": [source.as_dict() for source in memory.sources],
        "confirmed": memory.confirmed,
        "last_seen": memory.last_seen or memory.ts,
        "standing": not memory.reported_by
        and (memory.standing or (memory.kind == "user" and standing_topic(memory.text) is not None)),
        "pinned": memory.pinned,
        "until": memory.until,
        "reported_by": memory.reported_by,
    }


def from_document(key: str, value: Mapping[str, Any], *, score: float | None = None) -> Memory:
    """Convert a document to a memory; missing fields have their defaults, as other writers may omit them."""
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
        standing=value.get("standing", False),
        pinned=value.get("pinned", False),
        until=value.get("until"),
        reported_by=value.get("reported_by"),
        not_relevant=mismatches_of(value),
        score=score,
    )
