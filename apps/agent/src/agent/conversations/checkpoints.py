"""LangGraph checkpoints under row-level security.

Only the latest checkpoint of each thread is kept: it contains the window, the summary and the notes, and nothing reads
older ones.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Any, LiteralString

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
from agent.database.transaction import pipelined_transaction
from agent.types import ThreadId, UserId


class SQL(Statements, file="checkpoints.sql"):
    """Statements of `checkpoints.sql`."""

    prune_checkpoints: LiteralString
    prune_writes: LiteralString
    prune_blobs: LiteralString


_UNSCOPED = ""
# The base class opens cursors without naming a user. Outside of `_scoped`, `_cursor` raises LookupError.
_operation: ContextVar[tuple[str, dict[str, Any] | None]] = ContextVar("checkpoint key, and checkpoint to be saved")


def checkpoint_key(user: UserId, thread: ThreadId) -> str:
    """The key of a thread's checkpoints; it contains the user, so that guessing a thread id is not enough."""
    return f"{user}/{thread}"


class ScopedSaver(AsyncPostgresSaver):
    """LangGraph's saver, with each transaction scoped to the user in the checkpoint's key.

    The operations that are not overridden (`alist`, `aprune`) are not supported.
    """

    async def setup(self) -> None:
        """Create the tables, as the owner of the database."""
        with _scoped(_UNSCOPED):
            await super().setup()

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Get a checkpoint, the latest if the config does not name one."""
        with _scoped(config["configurable"]["thread_id"]):
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
        with _scoped(configurable["thread_id"], latest if has_earlier else None):
            return await super().aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save the writes of a node before its step has ended, unless the turn was refused."""
        if (gate := commit_gate(config)) and not gate.is_open:
            return
        with _scoped(config["configurable"]["thread_id"]):
            await super().aput_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete a thread's checkpoints."""
        with _scoped(thread_id):
            await super().adelete_thread(thread_id)

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:  # noqa: ARG002
        key, latest = _operation.get()
        user = UserId(key.partition("/")[0])
        async with self._connection(user) as connection:
            if key == _UNSCOPED:
                async with connection.cursor(row_factory=dict_row) as cursor:
                    yield cursor
                return
            async with pipelined_transaction(connection):
                await set_scope(connection, scope_of(user))
                async with connection.cursor(binary=True, row_factory=dict_row) as cursor:
                    yield cursor
                    if latest is not None:
                        for statement in (SQL.prune_checkpoints, SQL.prune_writes, SQL.prune_blobs):
                            await cursor.execute(statement, latest)

    def _connection(self, user: UserId) -> AbstractAsyncContextManager[AsyncConnection[DictRow]]:
        return self.conn.connection_for(user) if isinstance(self.conn, Pool) else _ainternal.get_connection(self.conn)


@contextmanager
def _scoped(key: str, latest: dict[str, Any] | None = None) -> Iterator[None]:
    """Run an operation as the user in a checkpoint key; `latest` are the parameters of the checkpoint that it saves."""
    token = _operation.set((key, latest))
    try:
        yield
    finally:
        _operation.reset(token)
