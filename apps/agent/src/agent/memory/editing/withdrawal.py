"""Withdrawal: what the user asks to forget in a chat moves to history, and is deleted permanently a day later."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from langgraph.store.base import BaseStore, GetOp, Item, SearchOp

from agent.language.grounding.checks import normalise
from agent.language.removal.redaction import Redaction
from agent.language.requests.statement_matching import subject_of
from agent.language.words.stems import Stems
from agent.memory.editing.list_removal import without_part
from agent.memory.editing.selection import Statement
from agent.memory.records import batches, namespaces
from agent.memory.records.changes import Change, ChangeSet
from agent.memory.records.documents import derived_id, document_op, quotes_of, redact_document, source_messages
from agent.memory.records.history import History, Retirement, original_document
from agent.memory.records.lookup import MAX_READ_ITEMS
from agent.timestamps import parse_timestamp
from agent.types import FACT_KINDS, KINDS, UserId

Place = tuple[namespaces.Namespace, str]
UNDO_PERIOD = timedelta(days=1)
"""How long forgetting in a chat can be undone."""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """What a change withdraws."""

    texts: tuple[str, ...]
    messages: frozenset[str]
    """The messages that the statements come from."""


async def withdraw(
    store: BaseStore,
    user: UserId,
    statements: Sequence[Statement],
    retirement: Retirement,
    *,
    spared: Sequence[Statement] = (),
) -> Change[Withdrawal]:
    """Plan to move statements to history, with everything that came from the same words, in one change.

    Statements that no longer exist are skipped. The rest of a document becomes a memory of its own, so that the whole
    can be restored in its place. What is spared remains, even if it has words in common with the statements.
    """
    change_set = await ChangeSet.load(store, user)
    found = [(statement, item) for statement in statements for item in await _find(store, user, statement.id)]
    rests = _rests(user, found, retirement)
    messages: set[str] = set()
    spared_ids = {one.id for one in spared}
    for statement, item in found:
        place, is_fact = _place_of_rest(user, item, retirement), item.namespace[-1] in FACT_KINDS
        is_divided = place in rests
        quotes = quotes_of(item.value) if is_fact and not is_divided else [statement.text]
        redaction = _redaction(statement.text, quotes, source_messages(item.value, item.key))
        messages |= redaction.messages
        if is_divided:
            rest = rests[place]
            redaction = _sparing(redaction, rest["text"] if rest else "")
            change_set.retire([item], replace(retirement, successor=place[1]))
        # A fact is one statement. Another text loses the statement; if that is not found in it, all of it goes.
        elif is_fact or redact_document(redaction, item.value, item.key) in (None, item.value):
            change_set.retire([item], retirement)
        await change_set.redact(redaction, retirement, spared_documents=spared_ids, include_facts=True)
    texts = tuple(dict.fromkeys(statement.text for statement, _ in found))
    change = change_set.build(Withdrawal(texts, frozenset(messages)))
    return replace(change, ops=[*change.ops, *(document_op(*place, rest) for place, rest in rests.items() if rest)])


def _rests(
    user: UserId, found: Sequence[tuple[Statement, Item]], retirement: Retirement
) -> dict[Place, Mapping[str, Any] | None]:
    """The rests of the documents that state more than what is withdrawn, by place; None if nothing is left of one."""
    rests: dict[Place, Mapping[str, Any] | None] = {}
    for statement, item in found:
        place = _place_of_rest(user, item, retirement)
        current = rests.get(place, item.value)
        if current is None or statement.text not in current["text"]:
            continue
        rest = without_part(current, statement.text)
        if rest is not None or place in rests:
            rests[place] = rest
    return rests


async def read_statements(store: BaseStore, user: UserId, ids: Sequence[str]) -> list[Statement]:
    """The memories and pending messages with these ids; unknown ids are skipped."""
    found = [item for key in ids for item in await _find(store, user, key)]
    return [Statement(item.key, item.value["text"], item.value.get("ts", "")) for item in found]


async def read_withdrawn(store: BaseStore, user: UserId, change_id: str) -> Sequence[Item]:
    """The memories and messages that a change has withdrawn; empty if there is no such change."""
    ops = [SearchOp(namespaces.retired(user), filter={"change": change_id}, limit=100, refresh_ttl=False)]
    [items] = await batches.search(store, ops)
    return items


def texts_of(withdrawn: Sequence[Item]) -> list[str]:
    """The distinct texts of what a change has withdrawn."""
    return list(dict.fromkeys(item.value["text"] for item in withdrawn))


@dataclass(frozen=True, slots=True)
class Purge:
    """What a purge deletes."""

    ids: frozenset[str]
    """Ids of the memories and messages."""
    next_at: datetime | None
    """The time of the next purge; None if nothing else is withdrawn."""


async def purge(store: BaseStore, user: UserId, at: datetime) -> Change[Purge]:
    """Plan to delete permanently what was withdrawn before the undo period, also from history."""
    ops = [SearchOp(namespaces.retired(user), filter={"why": "forgotten"}, limit=MAX_READ_ITEMS, refresh_ttl=False)]
    [withdrawn] = await batches.search(store, ops)
    expired = [item for item in withdrawn if _retired_at(item) <= at - UNDO_PERIOD]
    next_at = min((_retired_at(item) + UNDO_PERIOD for item in withdrawn if item not in expired), default=None)
    if not expired:
        return Change([], {}, Purge(frozenset(), next_at))
    change_set = await ChangeSet.load(store, user)
    doomed = _with_versions(expired, await History.load(store, user))
    change_set.delete(doomed)
    return change_set.build(
        Purge(frozenset(item.value["memory"] for item in doomed if "memory" in item.value), next_at)
    )


def _with_versions(expired: Sequence[Item], history: History) -> list[Item]:
    """The expired documents, the versions of their facts, and all others in history that state the same."""
    facts = [item for item in expired if item.value.get("place") in FACT_KINDS]
    doomed: dict[str, Item] = {item.key: item for item in expired}
    doomed |= {item.key: item for item in history.lineage({item.value["memory"] for item in facts})}
    for fact in facts:
        original, text = original_document(fact.value), fact.value["text"]
        messages = source_messages(original, fact.value["memory"])
        redaction = _redaction(text, quotes_of(original), messages)
        for item in history.items:
            key = item.value.get("memory", "")
            is_same = normalise(item.value["text"]) == normalise(text)
            if is_same or redact_document(redaction, item.value, key) != item.value:
                doomed[item.key] = item
    return list(doomed.values())


def _redaction(text: str, quotes: Sequence[str], messages: Set[str]) -> Redaction:
    """The redaction of a statement; what else is known about the person or thing that it is about is kept."""
    redaction = Redaction.forgotten([text], quotes=quotes, messages=messages)
    subjects = Stems.of(*(f"the {subject_of(one)}" for one in (text, *quotes))).words
    return replace(redaction, names=redaction.names - subjects) if redaction.value - subjects else redaction


def _place_of_rest(user: UserId, item: Item, retirement: Retirement) -> Place:
    """Where the rest of a document that lists several things is written: a message keeps its id until it is processed.

    Another document gets a new id, so that the whole can be restored in place of the rest.
    """
    is_message = item.namespace == namespaces.inbox(user)
    return item.namespace, item.key if is_message else derived_id(user, "rest", retirement.change_id, item.key)


def _sparing(redaction: Redaction, rest: str) -> Redaction:
    """A redaction that spares what has words in common with the rest of a document."""
    kept = Stems.of(rest).words
    value = redaction.value - kept or redaction.value
    return replace(redaction, names=redaction.names - kept, words=redaction.words - kept or value, value=value)


async def _find(store: BaseStore, user: UserId, key: str) -> list[Item]:
    spaces = [*(namespaces.memories(user, kind) for kind in KINDS), namespaces.inbox(user)]
    found = await batches.get(store, [GetOp(space, key, refresh_ttl=False) for space in spaces])
    return [item for item in found if item is not None]


def _retired_at(item: Item) -> datetime:
    return parse_timestamp(item.value.get("retired_at", ""))
