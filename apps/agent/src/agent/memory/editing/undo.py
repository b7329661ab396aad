"""Undo: what a change took away comes back exactly, with all that went along, and what came in its place retires.

Whatever undo retires it can bring back: undone once more, the change is made again.
"""

from langgraph.store.base import BaseStore, Item

from agent.errors import MemoryNotFoundError, NothingToUndoError
from agent.memory.records import lookup
from agent.memory.records.change_set import ChangeSet
from agent.memory.records.changes import Change
from agent.memory.records.documents import from_document
from agent.memory.records.history import GAVE_WAY, History, messages_of
from agent.memory.records.retirement import Retirement, original_document
from agent.types import Memory, UserId


async def undo(store: BaseStore, user: UserId, memory: str) -> Change[Memory | None]:
    """Plan to take back what was last done to a memory.

    Args:
        store: where everything is.
        user: whose memory it is.
        memory: one that is known: its latest edit or replacement is taken back; where there is neither, it retires. Or
            one that has retired, or one version of it: that comes back, and what stands in its place retires.

    Returns:
        A change that comes to what is known afterwards, None where there is only less.

    Raises:
        MemoryNotFoundError: the user has none of that id, and never had.
        NothingToUndoError: what is kept of it does not say how it went.
    """
    known, history = await lookup.find_memory(store, user, memory), await History.of(store, user)
    version = history.before(memory) if known else history.latest(memory)
    exchange = await ChangeSet.of(store, user)
    if version is not None:
        await _bring_back(exchange, history, version, await _standing_for(store, user, history, version))
        return exchange.change(from_document(version.value["memory"], original_document(version.value)))
    if known is None:
        raise MemoryNotFoundError("the user has no such memory")
    await _retire(exchange, known, Retirement("user", "undone"))
    return exchange.change(None)


async def _bring_back(exchange: ChangeSet, history: History, version: Item, standing: Item | None) -> None:
    if not version.value.get("change"):
        raise NothingToUndoError("it is not known how this memory went")
    if standing is not None:
        await _retire(exchange, standing, _retirement(version, standing))
    await exchange.restore(history.change_of(version))


async def _retire(exchange: ChangeSet, known: Item, retirement: Retirement) -> None:
    """Let a memory go, and what else came from its messages, unless its own earlier words come back."""
    if (retirement.why, retirement.by) != ("undone", known.key):
        await exchange.retire_derived(messages_of(known.value, known.key), retirement)
    exchange.retire([known], retirement)


def _retirement(version: Item, standing: Item) -> Retirement:
    """Return how goes what stands in a version's place: undone or, if the version was that, as it went before."""
    memory, why = version.value["memory"], version.value["why"]
    if why != "undone":
        return Retirement("user", "undone", by=memory)
    return Retirement("user", "edited" if standing.key == memory else "replaced", by=memory)


async def _standing_for(store: BaseStore, user: UserId, history: History, version: Item) -> Item | None:
    """Return what stands in a version's place: what came for it, or what came for that since."""
    seen: set[str] = set()
    place = version.value["memory"]
    found = await lookup.find_memory(store, user, place)
    by = version.value.get("by")
    while found is None and by and by not in seen:
        seen.add(by)
        found, later = await lookup.find_memory(store, user, by), history.latest(by)
        by = later.value.get("by") if later and later.value["why"] in GAVE_WAY else None
    return found
