"""Lists of memories: of mem0, of Zep, and of a LangGraph store.

References:
    mem0: docs.mem0.ai/api-reference/memory/v1-get-memories (`get_all`).
    Zep: help.getzep.com/sdk-reference/graph/edge/get-user-edges (`EntityEdge`).
    LangGraph: `langgraph.store.base.Item.dict`; LangMem: the `value` of its memory tools and managers.
"""

from agent.memory.transfer.foreign.entries import Entries, ForeignMemory, Record, record_of, text_of, to_utc

_TEXT_FIELDS = ("content", "text", "memory", "data")


def is_mem0(record: Record) -> bool:
    """Check whether a record is a memory of mem0."""
    return isinstance(record.get("memory"), str)


def is_zep(record: Record) -> bool:
    """Check whether a record is a fact of Zep."""
    return isinstance(record.get("fact"), str)


def is_langgraph(record: Record) -> bool:
    """Check whether a record is an item of a LangGraph store."""
    return "namespace" in record and isinstance(record.get("value"), dict)


def read_mem0(record: Record) -> Entries:
    """Read a memory of mem0."""
    yield ForeignMemory(text_of(record.get("memory")), to_utc(record.get("updated_at") or record.get("created_at")))


def read_zep(record: Record) -> Entries:
    """Read a fact of Zep that still holds."""
    if not (record.get("invalid_at") or record.get("expired_at")):
        fact = text_of(record.get("fact")) or text_of(record.get("content"))
        yield ForeignMemory(fact, to_utc(record.get("created_at")))


def read_langgraph(record: Record) -> Entries:
    """Read an item of a LangGraph store; the texts of LangMem are nested in `content`."""
    value = record_of(record.get("value"))
    texts = (text_of(value.get(name)) or text_of(record_of(value.get(name)).get(name)) for name in _TEXT_FIELDS)
    text = next(filter(None, texts), "")
    yield ForeignMemory(text, to_utc(record.get("updated_at") or record.get("created_at")))
