"""Forget former values, which newer statements replaced, and which a question for them would recall otherwise."""

from langgraph.store.base import Item

from agent.language.requests.memory_requests import UNCERTAIN, MemoryRequest
from agent.memory.editing.library import Library
from agent.memory.editing.selection import Statement, select
from agent.memory.records import batches, namespaces
from agent.memory.records.changes import Change, commit_change
from agent.memory.records.documents import document_op, source_messages
from agent.memory.records.history import History
from agent.text_process import analyse
from agent.timestamps import now
from agent.types import FACT_KINDS, UserId

_PLACES = (*FACT_KINDS, "episodic")


async def forget_former(library: Library, user: UserId, request: MemoryRequest) -> list[str]:
    """Take the former values that a request certainly means out of recall; they are deleted with what is forgotten.

    Undo does not restore them, because they are no longer true.

    Returns:
        Their texts.
    """
    if request.scope in UNCERTAIN:
        return []
    if not (found := await _find(library, user, request)):
        return []
    if library.purges is not None:
        await library.purges.schedule_purge(user)

    async def plan() -> Change[list[Item]]:
        current = await _find(library, user, request)
        forgotten = {"why": "forgotten", "retired_at": now()}
        ops = [document_op(item.namespace, item.key, {**item.value, **forgotten}) for item in current]
        return Change(ops, batches.read_versions(current), current)

    found = await commit_change(library.store, plan)
    await library.withhold(user, {one for item in found for one in source_messages(item.value, item.value["memory"])})
    return list(dict.fromkeys(str(item.value["text"]) for item in found))


async def _find(library: Library, user: UserId, request: MemoryRequest) -> list[Item]:
    history = await History.load(library.store, user)
    former = {
        item.key: item
        for item in history.items
        if item.namespace == namespaces.retired(user) and item.value.get("why") == "replaced"
        if item.value.get("place") in _PLACES
    }
    statements = [Statement(key, item.value["text"], item.value.get("ts", "")) for key, item in former.items()]
    chars = sum(len(one.text) for one in statements)
    selection = await analyse(select, request, statements, chars=chars) if statements else None
    return [former[one.id] for one in selection.certain] if selection else []
