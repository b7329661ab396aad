"""LangGraph checkpoints under row-level security.

Only the latest checkpoint of each thread is kept: it contains the window, the summary and the notes, and nothing reads
older ones.
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


_UNSCOPED = ""
# The base class opens cursors without naming a user. Without a scope, `_cursor` raises LookupError.
_scope: ContextVar[str] = ContextVar("scope of the current operation")
_latest: ContextVar[dict[str, Any] | None] = ContextVar("checkpoint that is being saved", default=None)


def checkpoint_key(user: UserId, thread: ThreadId) -> str:
    """The key of a thread's checkpoints; it contains the user, so that guessing a thread id is not enough."""
    return f"{user}/{thread}"


class ScopedSaver(AsyncPostgresSaver):
    """LangGraph's saver, with each transaction scoped to the user in the checkpoint's key.

    Operations across users (`alist` without a thread, `aprune`) are not supported.
    """

    async def setup(self) -> None:
        """Create the tables, as the owner of the database."""
        with _scoped(_UNSCOPED):
            await super().setup()

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Get a checkpoint, the latest if the config does not name one."""
        with _scoped(_scope_in(config)):
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
        with _scoped(_scope_in(config or {})):
            checkpoints = [item async for item in super().alist(config, filter=filter, before=before, limit=limit)]
        for item in checkpoints:
            yield item

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint and delete the earlier ones of its thread."""
        configurable = config["configurable"]
        latest = {
            "thread": configurable["thread_id"],
            "ns": configurable["checkpoint_ns"],
            "checkpoint": checkpoint["id"],
            "versions": Jsonb(checkpoint["channel_versions"]),
        }
        token = _latest.set(latest)
        try:
            with _scoped(_scope_in(config)):
                return await super().aput(config, checkpoint, metadata, new_versions)
        finally:
            _latest.reset(token)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save the writes of a node before its step has ended."""
        with _scoped(_scope_in(config)):
            await super().aput_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete a thread's checkpoints."""
        with _scoped(_scope_of_key(thread_id)):
            await super().adelete_thread(thread_id)

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:  # noqa: ARG002
        scope = _scope.get()
        async with _ainternal.get_connection(self.conn) as connection:
            if scope == _UNSCOPED:
                async with connection.cursor(row_factory=dict_row) as cursor:
                    yield cursor
                return
            async with pipelined_transaction(connection):
                await set_scope(connection, scope)
                async with connection.cursor(binary=True, row_factory=dict_row) as cursor:
                    yield cursor
                    if latest := _latest.get():
                        for statement in (SQL.prune_checkpoints, SQL.prune_writes, SQL.prune_blobs):
                            await cursor.execute(statement, latest)


@contextmanager
def _scoped(scope: str) -> Iterator[None]:
    token = _scope.set(scope)
    try:
        yield
    finally:
        _scope.reset(token)


def _scope_in(config: RunnableConfig) -> str:
    return _scope_of_key(config["configurable"]["thread_id"])


def _scope_of_key(key: str) -> str:
    return scope_of(UserId(key.partition("/")[0]))
