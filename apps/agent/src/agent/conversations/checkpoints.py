"""LangGraph's checkpoints behind the wall: whoever's thread it is, their transaction reads and writes it.

Of each thread only the latest is kept: it holds the window, the summary and the notes, and nobody goes back.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Any, LiteralString

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.postgres import _ainternal
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncCursor
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import Jsonb

from agent.database.row_security import scope_of, set_scope
from agent.database.statements import Statements
from agent.database.transaction import pipelined_transaction
from agent.types import ThreadId, UserId


class SQL(Statements, file="checkpoints.sql"):
    """Statements of `checkpoints.sql`."""

    prune_checkpoints: LiteralString
    prune_writes: LiteralString
    prune_blobs: LiteralString


_EVERYONE = ""
# The base class asks for a cursor without saying for whom. Without a value there is none to be had.
_owner: ContextVar[str] = ContextVar("owner of the checkpoint at hand")
_latest: ContextVar[dict[str, Any] | None] = ContextVar("the checkpoint that is being put", default=None)


def checkpoint_key(user: UserId, thread: ThreadId) -> str:
    """Return the key of a thread's checkpoints: it holds the user, so that no guessed id reaches another's."""
    return f"{user}/{thread}"


class ScopedSaver(AsyncPostgresSaver):
    """LangGraph's saver; each of its transactions belongs to the user whom the checkpoint's key names.

    What reaches over users (`alist` without a thread, `aprune`) is not there.
    """

    async def setup(self) -> None:
        """Make the tables, as the database's user."""
        with _owned_by(_EVERYONE):
            await super().setup()

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint, the latest if the config names none."""
        with _owned_by(_owner_in(config)):
            return await super().aget_tuple(config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - the base class's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Yield a thread's checkpoints, the latest first."""
        with _owned_by(_owner_in(config or {})):
            found = [item async for item in super().alist(config, filter=filter, before=before, limit=limit)]
        for item in found:
            yield item

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep a checkpoint, and none before it."""
        named = config["configurable"]
        latest = {
            "thread": named["thread_id"],
            "ns": named["checkpoint_ns"],
            "checkpoint": checkpoint["id"],
            "versions": Jsonb(checkpoint["channel_versions"]),
        }
        token = _latest.set(latest)
        try:
            with _owned_by(_owner_in(config)):
                return await super().aput(config, checkpoint, metadata, new_versions)
        finally:
            _latest.reset(token)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Keep what a node wrote before its step has ended."""
        with _owned_by(_owner_in(config)):
            await super().aput_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete a thread's checkpoints."""
        with _owned_by(_owner_of_key(thread_id)):
            await super().adelete_thread(thread_id)

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:  # noqa: ARG002
        owner = _owner.get()
        async with _ainternal.get_connection(self.conn) as connection:
            if owner == _EVERYONE:
                async with connection.cursor(row_factory=dict_row) as cursor:
                    yield cursor
                return
            async with pipelined_transaction(connection):
                await set_scope(connection, owner)
                async with connection.cursor(binary=True, row_factory=dict_row) as cursor:
                    yield cursor
                    if latest := _latest.get():
                        for statement in (SQL.prune_checkpoints, SQL.prune_writes, SQL.prune_blobs):
                            await cursor.execute(statement, latest)


@contextmanager
def _owned_by(owner: str) -> Iterator[None]:
    token = _owner.set(owner)
    try:
        yield
    finally:
        _owner.reset(token)


def _owner_in(config: RunnableConfig) -> str:
    return _owner_of_key(config["configurable"]["thread_id"])


def _owner_of_key(key: str) -> str:
    return scope_of(UserId(key.partition("/")[0]))
