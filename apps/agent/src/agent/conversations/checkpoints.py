"""LangGraph checkpoints under row-level security.

Only the latest checkpoint of each thread is kept: it contains the window, the summary and the notes, and nothing reads
older ones.
"""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, LiteralString, Protocol

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.postgres import _ainternal
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import Jsonb

from agent.conversations.commit_gate import commit_gate
from agent.database.pools import Pool
from agent.database.row_security import scope_of, set_scope
from agent.database.statements import Statements
from agent.database.transaction import implicit_transaction, pipelined_transaction
from agent.types import ThreadId, UserId


class SQL(Statements, file="checkpoints.sql"):
    """Statements of `checkpoints.sql`."""

    prune_checkpoints: LiteralString
    prune_writes: LiteralString
    prune_blobs: LiteralString
    index_users: LiteralString
    are_users_indexed: LiteralString


_UNSCOPED = ""
# The base class opens cursors without naming a user. Outside of `_scoped`, `_cursor` raises LookupError.
_operation: ContextVar["_Operation"] = ContextVar("operation")


@dataclass(frozen=True, slots=True)
class _Operation:
    key: str
    """The key of the checkpoints."""
    latest: Mapping[str, Any] | None = None
    """The parameters of the checkpoint that is saved; earlier ones are deleted."""
    is_read: bool = False


def checkpoint_key(user: UserId, thread: ThreadId) -> str:
    """The key of a thread's checkpoints; it contains the user, so that guessing a thread id is not enough."""
    return f"{user}/{thread}"


class ThreadStates(Protocol):
    """The states of threads."""

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete the state of the thread with a checkpoint key."""


class ScopedSaver(AsyncPostgresSaver):
    """LangGraph's saver, with each transaction scoped to the user in the checkpoint's key.

    The operations that are not overridden (`alist`, `aprune`) are not supported.
    """

    async def setup(self) -> None:
        """Create the tables and indexes, as the owner of the database."""
        with _scoped(_Operation(_UNSCOPED)):
            await super().setup()
            async with self._cursor() as cursor:
                if await (await cursor.execute(SQL.are_users_indexed)).fetchone() is None:
                    await cursor.execute(SQL.index_users)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Get a checkpoint, the latest if the config does not name one; a new thread has none."""
        if config["configurable"].get("is_new_thread"):
            return None
        with _scoped(_Operation(config["configurable"]["thread_id"], is_read=True)):
            return await super().aget_tuple(config)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint and delete the earlier ones of its thread, unless the turn was refused."""
        if (gate := commit_gate(config)) and not gate.is_open:
            return config
        configurable = config["configurable"]
        has_earlier = configurable.get("checkpoint_id") is not None
        latest = {
            "thread": configurable["thread_id"],
            "ns": configurable["checkpoint_ns"],
            "checkpoint": checkpoint["id"],
            "versions": Jsonb(checkpoint["channel_versions"]),
        }
        with _scoped(_Operation(configurable["thread_id"], latest if has_earlier else None)):
            return await super().aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save the writes of a node before its step has ended, unless the turn was refused."""
        if (gate := commit_gate(config)) and not gate.is_open:
            return
        with _scoped(_Operation(config["configurable"]["thread_id"])):
            await super().aput_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete a thread's checkpoints."""
        with _scoped(_Operation(thread_id)):
            await super().adelete_thread(thread_id)

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:  # noqa: ARG002
        operation = _operation.get()
        user = UserId(operation.key.partition("/")[0])
        async with self._connection(user) as connection:
            if operation.key == _UNSCOPED:
                async with connection.cursor(row_factory=dict_row) as cursor:
                    yield cursor
                return
            transaction = implicit_transaction if operation.is_read else pipelined_transaction
            async with transaction(connection):
                await set_scope(connection, scope_of(user))
                async with connection.cursor(binary=True, row_factory=dict_row) as cursor:
                    yield cursor
                    if operation.latest is not None:
                        for statement in (SQL.prune_checkpoints, SQL.prune_writes, SQL.prune_blobs):
                            await cursor.execute(statement, operation.latest)

    def _connection(self, user: UserId) -> AbstractAsyncContextManager[AsyncConnection[DictRow]]:
        return self.conn.connection_for(user) if isinstance(self.conn, Pool) else _ainternal.get_connection(self.conn)


@contextmanager
def _scoped(operation: _Operation) -> Iterator[None]:
    """Run an operation as the user in the checkpoint key."""
    token = _operation.set(operation)
    try:
        yield
    finally:
        _operation.reset(token)
