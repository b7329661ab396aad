"""The library of memories: list, search, add, edit, undo and forget."""

import uuid
from collections.abc import Awaitable, Callable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, Protocol

from langgraph.store.base import BaseStore, Item, SearchItem, SearchOp

from agent.errors import InvalidCursorError, InvalidTextError, MemoryNotFoundError
from agent.language.grounding.checks import rejection_reason
from agent.memory.editing import forget, withdrawal
from agent.memory.editing.selection import Selection, Statement, load_statements, select_words
from agent.memory.editing.undo import undo
from agent.memory.editing.withdrawal import Withdrawal
from agent.memory.records import batches, lookup, namespaces
from agent.memory.records.change_log import CLEARED
from agent.memory.records.changes import Change, ChangeSet, T, commit_change, write_memories
from agent.memory.records.documents import derived_id, document_op, from_document, put_op, to_document
from agent.memory.records.history import History, Retirement, Version, is_version, location_of, to_version
from agent.store import ExactPostgresStore
from agent.store.change_reader import append
from agent.text import MAX_MEMORY_CHARS, validate_text
from agent.timestamps import just_before, now
from agent.types import Category, Kind, Memory, MemoryId, MessageId, Page, ThreadId, UserId


class MessageWithholder(Protocol):
    """Keeps messages of the transcript from formation, which would read them again, or as the context of others."""

    async def withhold(self, user: UserId, messages: Sequence[MessageId]) -> None:
        """Withhold messages of the user."""

    async def withhold_all(self, user: UserId) -> None:
        """Withhold all messages of the user."""


class PurgeScheduler(Protocol):
    """Schedules the permanent deletion of what a user has had forgotten."""

    async def schedule_purge(self, user: UserId) -> None:
        """Purge once the undo period of a change that is about to be committed is over."""


@dataclass(frozen=True, slots=True)
class Library:
    """The memories of all users. Each method accesses those of one user.

    Raises:
        MemoryNotFoundError: from each method with the id of a memory, if the user has no such memory. `history`, `undo`
            and `forget` also accept the id of a retired one.
        StoreUnavailableError: from each method, if the database is unavailable.
        ChangedMeanwhileError: from each method that changes existing memories, if they kept changing concurrently.
        InvalidTextError: from `add` and `edit`; see `validate_memory_text`.
    """

    store: BaseStore
    transcript: MessageWithholder | None = None
    """None if there is no transcript from which formation could read forgotten messages again."""
    purges: PurgeScheduler | None = None
    """None if there is no job that purges."""

    async def list_memories(
        self, user: UserId, *, kind: Kind | None, query: str | None, limit: int, cursor: str | None
    ) -> Page[Memory]:
        """List memories, the most recent first; with a query, the most similar first, each with its score.

        Raises:
            InvalidCursorError: the cursor was not returned by this method.
            EmbedderUnavailableError: the query could not be embedded.
        """
        offset = _offset(cursor)
        end = offset + limit
        # The page is sliced here, because not every store supports an offset correctly.
        items = await self._list(user, kind, query, end + 1)
        memories = tuple(from_document(item.key, item.value, score=item.score) for item in items[offset:end])
        return Page(memories, str(end) if len(items) > end else None)

    async def _list(self, user: UserId, kind: Kind | None, query: str | None, limit: int) -> list[SearchItem]:
        namespace = namespaces.memories(user, kind) if kind else namespaces.all_memories(user)
        [items] = await batches.search(self.store, [SearchOp(namespace, query=query, limit=limit)])
        return items

    async def get(self, user: UserId, memory: MemoryId) -> Memory:
        """Get a memory by its id."""
        item = await self.find(user, memory)
        return from_document(item.key, item.value)

    async def add(self, user: UserId, *, kind: Kind, text: str, category: Category, pinned: bool = False) -> Memory:
        """Add a memory."""
        text, ts = validate_memory_text(text), now()
        memory = Memory(MemoryId(str(uuid.uuid4())), kind, text, ts, category=category, last_seen=ts, pinned=pinned)
        put = put_op(user, memory)
        await write_memories(self.store, [put])
        return from_document(put.key, put.value or {})

    async def edit(
        self, user: UserId, memory: MemoryId, *, text: str | None = None, pinned: bool | None = None
    ) -> Memory:
        """Pin or unpin a memory, or change its text; only an earlier text becomes history. None: unchanged.

        Pinning or editing a memory that an application reported confirms it.
        Nothing else changes, even if it contains the earlier text.
        """
        new_text = None if text is None else validate_memory_text(text)

        async def plan() -> Change[Memory]:
            old = await self.find(user, memory)
            value = old.value if pinned is None else {**old.value, "pinned": pinned}
            if pinned or new_text:
                value = _as_own_words(value)
            if new_text is None:
                ops = [] if value == old.value else [document_op(old.namespace, old.key, value)]
                return Change(ops, batches.read_versions([old]), from_document(old.key, value))
            change_set = await ChangeSet.load(self.store, user)
            change_set.retire([old], Retirement("user", "edited", successor=old.key))
            edited = replace(from_document(old.key, value), text=new_text, last_seen=now())
            value = value | to_document(edited)
            change_set.write(old, value)
            return change_set.build(from_document(old.key, value))

        return await self._commit(plan)

    async def history(self, user: UserId, memory: MemoryId) -> list[Version]:
        """List the versions of a memory and of those that it superseded, most recently retired first."""
        current, history = await lookup.find_memory(self.store, user, memory), await History.load(self.store, user)
        versions = history.lineage({memory})
        if current is None and not versions:
            raise MemoryNotFoundError("the user has no such memory")
        return [to_version(item) for item in versions]

    async def undo(self, user: UserId, memory: MemoryId) -> Memory | None:
        """Undo the last change of a memory; see `undo.undo` for the result and the errors."""
        return await self._commit(lambda: undo(self.store, user, memory))

    async def forget(self, user: UserId, memory: MemoryId) -> None:
        """Delete a memory permanently, with its history and everything else that came from the same words."""

        async def plan() -> Change[set[str]]:
            change = await forget.forget(self.store, user, memory)
            await self.withhold(user, change.result)
            return change

        await self._commit(plan)

    async def withdraw(
        self,
        user: UserId,
        statements: Sequence[Statement],
        *,
        spared: Sequence[Statement] = (),
        request: str | None = None,
        requested_at: str | None = None,
    ) -> list[str]:
        """Move statements to history, with everything that came from the same words; undo restores it for a day.

        Args:
            user: their owner.
            statements: what to forget; those that no longer exist are skipped.
            spared: what remains, even if it has words in common with them.
            request: identifies the request, so that repeating it gives the same result; None: it is never repeated.
            requested_at: the time of the message with the request; what else it states is not forgotten. None: now.

        Returns:
            The texts that are forgotten.
        """
        if request is not None and (texts := await self.withdrawn(user, request)):
            return texts
        change_id = str(uuid.uuid4()) if request is None else derived_id(user, "forget", request)
        if self.purges is not None:
            await self.purges.schedule_purge(user)
        retired_at = just_before(requested_at) if requested_at else now()
        retirement = Retirement("user", "forgotten", retired_at=retired_at, change_id=change_id)

        async def plan() -> Change[Withdrawal]:
            change = await withdrawal.withdraw(self.store, user, statements, retirement, spared=spared)
            await self.withhold(user, change.result.messages)
            return change

        return list((await self._commit(plan)).texts)

    async def restore(self, user: UserId, requests: Sequence[str]) -> dict[str, str]:
        """Undo what requests have withdrawn; those that withdrew nothing, or are undone already, are skipped.

        Returns:
            The restored texts, by the ids of their memories or messages.
        """
        restored: dict[str, str] = {}
        for request in requests:
            items = await withdrawal.read_withdrawn(self.store, user, derived_id(user, "forget", request))
            if items:  # undo restores all documents of the change
                document = next((item for item in items if is_version(item.value)), items[0])
                await self.undo(user, document.value["memory"])
                restored |= {item.value.get("memory", item.key): item.value["text"] for item in items}
        return restored

    async def find_statements(self, user: UserId, words: str) -> Selection:
        """Select the statements that the words of a request to forget mean; see `selection.select_words`."""
        return select_words(words, await load_statements(self.store, user))

    async def find_by_ids(self, user: UserId, ids: Sequence[str]) -> list[Statement]:
        """The memories and pending messages with these ids, as statements to forget; unknown ids are skipped."""
        return await withdrawal.read_statements(self.store, user, ids)

    async def withdrawn(self, user: UserId, request: str) -> list[str]:
        """The texts that a request has withdrawn; empty if it was not executed, or undone."""
        return withdrawal.texts_of(
            await withdrawal.read_withdrawn(self.store, user, derived_id(user, "forget", request))
        )

    async def forget_thread(self, user: UserId, thread: ThreadId, message_ids: Set[MessageId]) -> int:
        """Delete what comes only from a thread; return the number of deleted memories."""
        await self.withhold(user, message_ids)
        return await self._commit(lambda: forget.forget_thread(self.store, user, thread, message_ids))

    async def forget_all(self, user: UserId) -> dict[str, int]:
        """Delete a user's memories, inbox, profile and history; return the number of documents by location."""
        if self.transcript is not None:
            await self.transcript.withhold_all(user)
        deleted = await batches.erase(self.store, namespaces.user_root(user))
        if isinstance(self.store, ExactPostgresStore):
            await append(self.store, namespaces.owner(user), CLEARED)
        return {location_of(namespace): count for namespace, count in deleted["store"].items()}

    async def _commit(self, plan: Callable[[], Awaitable[Change[T]]]) -> T:
        return await commit_change(self.store, plan)

    async def find(self, user: UserId, memory: MemoryId) -> Item:
        """The stored item of a memory."""
        item = await lookup.find_memory(self.store, user, memory)
        if item is None:
            raise MemoryNotFoundError("the user has no such memory")
        return item

    async def withhold(self, user: UserId, messages: Set[str]) -> None:
        """Keep messages from formation, which would read them again, or as the context of others."""
        # The sources of imported memories may have any id; those of messages are UUIDs.
        message_ids = [MessageId(message) for message in messages if _is_uuid(message)]
        if self.transcript is not None and message_ids:
            await self.transcript.withhold(user, message_ids)


def _is_uuid(text: str) -> bool:
    try:
        return bool(uuid.UUID(text))
    except ValueError:
        return False


def validate_memory_text(text: str) -> str:
    """Validate the text of a memory and strip it.

    Raises:
        InvalidTextError: the text is empty, too long, or contains credentials or prompt injection.
    """
    stripped = validate_text(text, max_chars=MAX_MEMORY_CHARS)
    if reason := rejection_reason(stripped):
        raise InvalidTextError(f"this is not kept as a memory ({reason})")
    return stripped


def _as_own_words(value: dict[str, Any]) -> dict[str, Any]:
    """A document that the user confirms; unchanged if no application reported it."""
    if not value.get("reported_by"):
        return value
    memory = from_document("", value)
    return {**value, **to_document(replace(memory, reported_by=None, confidence=1.0, last_seen=now()))}


def _offset(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < len("1000000")):
        raise InvalidCursorError("the cursor was not given by this list")
    return int(cursor)
