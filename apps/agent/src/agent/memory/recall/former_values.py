"""Recall of former values: what newer statements replaced, for a question for what was true earlier.

The replaced statements are in the history, which is not searched otherwise. A question for a former value is most
similar to the current one ("Where did I live before?", "Moved to Harrogate"), and the history says what this replaced.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from langgraph.store.base import BaseStore, GetOp, SearchItem, SearchOp

from agent.language.grounding.checks import significant_stems
from agent.language.references.antecedents import contains_statement
from agent.language.requests.attributes import asked_attributes, asked_own_attributes, states_asked
from agent.language.said.former_values import asks_for_former_value
from agent.memory.records import batches, namespaces
from agent.types import Hit, HitKind, Kind, RecallResult, UserId

MAX_SEARCHED = 500
"""Replaced documents to read, the most recently retired first."""
MAX_FORMER = 4
"""Former values for a question."""
NEAREST = 3
"""The recalled memories of which the former values count without words in common with the question."""
_PLACES: tuple[Kind, ...] = ("user", "episodic")


async def with_former_values(store: BaseStore, user: UserId, text: str, result: RecallResult) -> RecallResult:
    """Add what the recalled memories replaced, before them, if a message asks for that.

    What was replaced by a memory that is forgotten now is not recalled.
    """
    if not asks_for_former_value(text):
        return result
    op = SearchOp(namespaces.retired(user), filter={"why": "replaced"}, limit=MAX_SEARCHED, refresh_ttl=False)
    [found] = await batches.search(store, [op])
    retired = [item for item in found if item.value.get("place") in _PLACES]
    successors = {str(item.value["memory"]): str(item.value.get("by") or "") for item in retired}
    current = {item.key: _current(successors, str(item.value.get("by") or "")) for item in retired}
    spaces = [namespaces.memories(user, kind) for kind in _PLACES]
    gets = [GetOp(space, key, refresh_ttl=False) for key in sorted(set(current.values())) for space in spaces if key]
    known = {item.key for item in await batches.get(store, gets) if item is not None}
    former = _former(text, [(item, current[item.key]) for item in retired if current[item.key] in known], result)
    return replace(result, hits=(*former, *result.hits)) if former else result


def _former(text: str, retired: Sequence[tuple[SearchItem, str]], result: RecallResult) -> list[Hit]:
    """The former values that concern a message, given each replaced document and the memory that replaced it last.

    Those with the words or the attribute of the question come first.
    """
    shown = [hit.text for hit in (*result.hits, *result.standing)]
    places = {hit.id: place for place, hit in enumerate(result.hits[:NEAREST])}
    asked, named = asked_attributes(text) | asked_own_attributes(text), significant_stems(text)
    found: list[tuple[bool, int, SearchItem]] = []
    for item, successor in retired:
        stated = str(item.value["text"])
        is_about = states_asked(stated, asked) if asked else not named.isdisjoint(significant_stems(stated))
        is_shown = any(contains_statement(one, stated) for one in shown)
        if (is_about or successor in places) and not is_shown:
            found.append((not is_about, places.get(successor, NEAREST), item))
    ordered = (item for _, _, item in sorted(found, key=lambda one: one[:2]))
    distinct = {str(item.value["text"]).casefold(): item for item in ordered}
    return [_to_hit(item.value) for item in distinct.values()][:MAX_FORMER]


def _current(successors: Mapping[str, str], memory: str) -> str:
    """The memory that replaced another one last."""
    for _ in successors:
        if memory not in successors:
            break
        memory = successors[memory]
    return memory


def _to_hit(value: Mapping[str, Any]) -> Hit:
    """A hit that says until when it was true: the day on which it was replaced."""
    day = str(value.get("retired_at", ""))[: len("2026-11-29")]
    kind: HitKind = "user" if value.get("place") == "user" else "episodic"
    seen = str(value.get("last_seen") or "")
    thread, ts = str(value.get("source_thread", "")), str(value.get("ts", ""))
    return Hit(str(value["memory"]), kind, str(value["text"]), None, thread, ts, seen, until=day or None)
