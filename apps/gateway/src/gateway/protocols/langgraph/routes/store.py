"""The store: items of the client, and the user's memories to read."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from agent import KINDS, Agent, InvalidNamespaceError, Kind, Memory, MemoryId, MemoryNotFoundError, StoredItem, UserId
from gateway.dependencies import SIGNED_IN, CurrentAgent, CurrentUser
from gateway.errors import UnsupportedError
from gateway.protocols.langgraph.schemas import ItemKey, ItemSearch, NamespaceSearch, NewItem

Json = dict[str, Any]
router = APIRouter(prefix="/store", dependencies=[SIGNED_IN])

MEMORIES = "memories"
"""The first label of the namespaces in which memories are read, one for each kind; clients cannot write there."""


@router.put("/items", status_code=204)
async def put_item(body: NewItem, user: CurrentUser, agent: CurrentAgent) -> None:
    """Write an item."""
    _reject_memories(body.namespace)
    await agent.items.put(user, body.namespace, body.key, body.value, index=body.index, ttl_minutes=body.ttl)


@router.get("/items")
async def get_item(
    user: CurrentUser, agent: CurrentAgent, key: str, namespace: Annotated[list[str], Query()]
) -> Json | None:
    """Read an item, or a memory; null if there is none."""
    labels = [label for part in namespace for label in part.split(".")]
    if _is_memories(labels):
        return await _get_memory(agent, user, labels, key)
    item = await agent.items.get(user, labels, key)
    return None if item is None else _item_json(item)


@router.delete("/items", status_code=204)
async def delete_item(body: ItemKey, user: CurrentUser, agent: CurrentAgent) -> None:
    """Delete an item."""
    _reject_memories(body.namespace)
    await agent.items.delete(user, body.namespace, body.key)


@router.post("/items/search")
async def search_items(body: ItemSearch, user: CurrentUser, agent: CurrentAgent) -> Json:
    """Search the items below a prefix, or the memories."""
    if _is_memories(body.namespace_prefix):
        return {"items": await _search_memories(agent, user, body)}
    items = await agent.items.search(
        user,
        body.namespace_prefix,
        query=body.query,
        condition=body.filter,
        limit=body.limit,
        offset=body.offset,
    )
    return {"items": [_item_json(item) for item in items]}


@router.post("/namespaces")
async def list_namespaces(body: NamespaceSearch, user: CurrentUser, agent: CurrentAgent) -> Json:
    """List the namespaces that contain items of clients."""
    namespaces = await agent.items.list_namespaces(
        user,
        prefix=body.prefix or (),
        suffix=body.suffix or (),
        max_depth=body.max_depth,
        limit=body.limit,
        offset=body.offset,
    )
    return {"namespaces": [list(namespace) for namespace in namespaces]}


def _is_memories(labels: list[str]) -> bool:
    return labels[:1] == [MEMORIES]


def _reject_memories(labels: list[str]) -> None:
    if _is_memories(labels):
        raise InvalidNamespaceError("memories are read here; change them with /memories, or in another namespace")


def _kind(labels: list[str]) -> Kind | None:
    """The kind of the memories in a namespace; None for all."""
    kinds: dict[tuple[str, ...], Kind | None] = {(MEMORIES,): None, **{(MEMORIES, kind): kind for kind in KINDS}}
    if tuple(labels) not in kinds:
        raise InvalidNamespaceError(f"the namespaces of memories are memories and one of {', '.join(KINDS)}")
    return kinds[tuple(labels)]


async def _get_memory(agent: Agent, user: UserId, labels: list[str], key: str) -> Json | None:
    kind = _kind(labels)
    try:
        memory = await agent.memories.get(user, MemoryId(key))
    except MemoryNotFoundError:
        return None
    return _memory_json(memory) if memory.kind == kind else None


async def _search_memories(agent: Agent, user: UserId, body: ItemSearch) -> list[Json]:
    if body.filter:
        raise UnsupportedError("filter: memories are searched with a query")
    page = await agent.memories.list_memories(
        user, kind=_kind(body.namespace_prefix), query=body.query, limit=body.limit, cursor=str(body.offset)
    )
    return [_memory_json(memory) for memory in page.items]


def _memory_json(memory: Memory) -> Json:
    value: Json = {
        "text": memory.text,
        "type": memory.kind,
        "category": memory.category,
        "confidence": memory.confidence,
        "source_thread": memory.source_thread,
        "ts": memory.ts,
        "standing": memory.standing,
        "pinned": memory.pinned,
        "until": memory.until,
    }
    times = {"created_at": memory.ts, "updated_at": memory.last_seen or memory.ts}
    namespace = [MEMORIES, memory.kind]
    return {"namespace": namespace, "key": memory.id, "value": value, **times, "score": memory.score}


def _item_json(item: StoredItem) -> Json:
    return {
        "namespace": list(item.namespace),
        "key": item.key,
        "value": item.value,
        "created_at": item.created_at.isoformat(),
        "updated_at": item.updated_at.isoformat(),
        "score": item.score,
    }
