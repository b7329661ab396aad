"""LangGraph's store with exact search, on the same tables."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from datetime import datetime
from typing import Any

from langgraph.checkpoint.postgres import _ainternal
from langgraph.store.base import BaseStore, GetOp, ListNamespacesOp, Op, PutOp, Result, TTLConfig
from langgraph.store.postgres import AsyncPostgresStore
from langgraph.store.postgres.base import PoolConfig
from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from agent.database.errors import translated_errors
from agent.database.fair_queue import SYSTEM
from agent.database.pools import Pool, check_connection
from agent.database.returning_pool import ReturningPool
from agent.database.row_security import set_scope
from agent.database.transaction import implicit_transaction, pipelined_transaction
from agent.errors import InvalidNamespaceError
from agent.models.embeddings import CachedEmbeddings
from agent.store import schema
from agent.store.change_log import SQL as CHANGE_LOG
from agent.store.change_log import DescribeChanges, LogUpdate, read_before
from agent.store.change_log import write as write_log
from agent.store.indexing import ExactIndexConfig, Indexing
from agent.store.key_locks import KeyLocks
from agent.store.operations import Numbered, as_json, by_owner, check, is_owner
from agent.store.reads import Reads
from agent.store.writes import SQL as WRITES
from agent.store.writes import Writes, erase, lock_unchanged, split_passages, vector_rows

ReadVersions = Mapping[tuple[tuple[str, ...], str], datetime | None]


class ExactPostgresStore(AsyncPostgresStore):
    """LangGraph's `AsyncPostgresStore` with complete results at any size of the table.

    The stock store takes the nearest rows of all users from a vector index and filters them by namespace: the more
    users, the fewer remain. This one compares all rows of a namespace. Each can open the other's data. It also differs:

    - the words of a query count (`index={"language": …}`), and passages of a text (`passages`); the score is a cosine;
    - a batch runs one transaction per owner (the first two labels of a namespace), and a failure affects one owner;
    - operations run concurrently instead of in a queue, and hold no connection while a text is embedded;
    - expired items are never returned, and values that Postgres cannot store are rejected.

    Args:
        conn: a pool of connections with `autocommit`, or one connection.
        index: how texts are embedded and searched; None if they are not.
        ttl: how long items live.
        role: the role of row-level security (see `agent.database.row_security`); None to disable it.
        partitions: in how many hash partitions `setup` creates the tables; 0: none.

    Raises:
        StoreUnavailableError: from each method, if the database is unreachable, busy or too slow.
        UnstorableTextError: from each method, for a NUL or an unpaired surrogate; nothing of the owner is written.
        InvalidNamespaceError: from each method with row-level security, for operations that span owners.
    """

    searches_words = True
    """A batch may contain `WordSearchOp`."""

    def __init__(  # noqa: PLR0913 - the arguments of the base class, and options with defaults
        self,
        conn: _ainternal.Conn,
        *,
        index: ExactIndexConfig | None = None,
        ttl: TTLConfig | None = None,
        role: str | None = None,
        language: str | None = None,
        partitions: int = 0,
    ) -> None:
        super().__init__(conn, index=index, ttl=ttl)
        self.indexing = None if index is None else Indexing.of(index)
        self.role, self.partitions = role, partitions
        if self.embeddings is not None and not isinstance(self.embeddings, CachedEmbeddings):
            self.embeddings = CachedEmbeddings(self.embeddings.aembed_documents)
        self._key_locks = KeyLocks()
        self.language = language or (None if self.indexing is None else self.indexing.language)
        self._default_ttl = ttl.get("default_ttl") if ttl else None

    @classmethod
    @asynccontextmanager
    async def from_conn_string(  # type: ignore[override] # noqa: PLR0913 - the arguments of the base class, and one more
        cls,
        conn_string: str,
        *,
        pipeline: bool = False,  # noqa: ARG003 - of the base class; every transaction is pipelined anyway
        pool_config: PoolConfig | None = None,
        index: ExactIndexConfig | None = None,
        ttl: TTLConfig | None = None,
        role: str | None = None,
    ) -> AsyncIterator["ExactPostgresStore"]:
        """Open a store on its own connection, or with `pool_config` on its own pool."""
        # The generic plan of a prepared statement would not fit the namespace.
        kwargs: dict[str, Any] = {"autocommit": True, "prepare_threshold": None, "row_factory": dict_row}
        async with AsyncExitStack() as stack:
            conn: _ainternal.Conn
            if pool_config is None:
                conn = await stack.enter_async_context(await AsyncConnection.connect(conn_string, **kwargs))
            else:
                options: dict[str, Any] = {"min_size": 1, "check": check_connection, **pool_config}
                kwargs |= options.pop("kwargs", None) or {}
                conn = await stack.enter_async_context(ReturningPool(conn_string, kwargs=kwargs, open=False, **options))
            yield cls(conn, index=index, ttl=ttl, role=role)

    # The base class queues these, and runs them in one batch with those of other users, which fails as a whole.
    aget = BaseStore.aget
    asearch = BaseStore.asearch
    aput = BaseStore.aput
    adelete = BaseStore.adelete
    alist_namespaces = BaseStore.alist_namespaces

    @property
    def _omit_expired(self) -> bool:
        return True

    async def setup(self) -> None:
        """Create or update the tables, and check that they are compatible; safe to call concurrently.

        Raises:
            SetupError: a requirement is missing or incompatible; the message contains the remedy.
        """
        async with self.unscoped_connection() as connection, connection.transaction():
            steps = [] if self.indexing is None else schema.vector_steps(self)
            await schema.create_tables(connection, self.MIGRATIONS, steps, self.indexing, self.partitions)
            if self.role is not None:
                await schema.enable_store_row_security(connection, self.role, indexed=self.indexing is not None)
            if self.language is not None:
                self.language = await schema.known_language(connection, self.language)
        if self.indexing is not None and self.language is not None:
            async with self.unscoped_connection() as connection:
                await schema.fill_words(connection, self.indexing, self.language)

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations, one transaction per owner; reads see the state before the batch.

        Raises:
            Exception: the first error; the operations of owners without an error take effect.
        """
        owners = by_owner(ops := list(ops))
        results: list[Result] = [None] * len(ops)
        if len(owners) == 1:
            [(owner, numbered)] = owners.items()
            await self._run(owner, numbered, results)
            return results
        outcomes = await asyncio.gather(*(self._run(o, n, results) for o, n in owners.items()), return_exceptions=True)
        if error := next((outcome for outcome in outcomes if outcome is not None), None):
            raise error
        return results

    async def aupdate(self, namespace: tuple[str, ...], key: str, value: Mapping[str, Any]) -> None:
        """Replace the value of an item, if it exists with the same text; its vectors are unchanged."""
        op = PutOp(namespace, key, dict(value))
        check(op)
        [owner] = by_owner([op])
        async with self._statement(owner) as cursor:
            await cursor.execute(WRITES.update, {"prefix": ".".join(namespace), "key": key, "value": as_json(value)})

    async def aindex(self, namespace: tuple[str, ...], key: str, value: Mapping[str, Any]) -> None:
        """Write the vectors of a value to an item, if it exists with the same text; those of its passages last."""
        op = PutOp(namespace, key, dict(value))
        check(op)
        if self.indexing is None:
            return
        [owner] = by_owner([op])
        for put in split_passages(Writes.of([op], self.indexing).puts[0]):
            rows = vector_rows(put, await self._embed(owner, set(put.texts.values())), self.indexing, self.language)
            async with self._statement(owner) if len(rows) <= 1 else self.transaction(owner) as cursor:
                for row in rows:
                    await cursor.execute(WRITES.add_vector, row | {"value": as_json(value)})

    async def acommit(
        self, ops: Sequence[PutOp], unchanged: ReadVersions, describe: DescribeChanges | None = None
    ) -> bool:
        """Write an owner's operations in one transaction; write nothing and return False if an item has changed.

        `unchanged` is when each item was last updated, None if it did not exist. `describe` gives what is logged.
        """
        [owner] = by_owner([*ops, *(GetOp(namespace, key) for namespace, key in unchanged)])
        for op in ops:
            check(op)
        writes = Writes.of(ops, self.indexing)
        expected = {(".".join(namespace), key): updated_at for (namespace, key), updated_at in unchanged.items()}
        async with self._key_locks.acquire(writes.keys):
            vectors = await self._embed(owner, writes.texts)
            async with self.transaction(owner) as cursor:
                if not await lock_unchanged(cursor, owner or "", expected):
                    return False
                update = describe(await read_before(cursor, writes.keys)) if describe and self.indexing else LogUpdate()
                await writes.write(cursor, owner or "", vectors, self.indexing, self.language)
                await write_log(cursor, owner or "", update, self._default_ttl)
        return True

    async def aerase(self, owner: tuple[str, ...]) -> dict[str, dict[tuple[str, ...], int]]:
        """Delete all rows of an owner; count them by table and namespace."""
        async with self.transaction(".".join(owner)) as cursor:
            return await erase(cursor, ".".join(owner), indexed=self.indexing is not None)

    async def sweep_ttl(self) -> int:
        """Delete expired items, and log entries of the same age; return the number of items."""
        if self.indexing is not None and self._default_ttl is not None:
            async with self.unscoped_connection() as connection:
                await connection.execute(CHANGE_LOG.delete_expired, {"minutes": self._default_ttl})
        return await super().sweep_ttl()

    @asynccontextmanager
    async def transaction(self, owner: str | None) -> AsyncIterator[AsyncCursor[DictRow]]:
        """Open a transaction of an owner (its two labels, joined by a dot)."""
        self._check_owner(owner)
        async with self.unscoped_connection(owner or SYSTEM) as connection, pipelined_transaction(connection):
            yield await self._cursor_of(connection, owner)

    @asynccontextmanager
    async def unscoped_connection(self, owner: str = SYSTEM) -> AsyncIterator[AsyncConnection[DictRow]]:
        """Hold a connection that sees the rows of all owners. In the pool, it counts for the share of `owner`."""
        # A connection that is not from a pool runs one transaction at a time.
        lock = nullcontext() if isinstance(self.conn, AsyncConnectionPool) else self.lock
        opening = (
            self.conn.connection_for(owner) if isinstance(self.conn, Pool) else _ainternal.get_connection(self.conn)
        )
        with translated_errors():
            async with lock, opening as connection:
                yield connection

    async def _run(self, owner: str | None, ops: Sequence[Numbered], results: list[Result]) -> None:
        for _, op in ops:
            check(op)
        writes = Writes.of([op for _, op in ops if isinstance(op, PutOp)], self.indexing)
        lists = [(n, op) for n, op in ops if isinstance(op, ListNamespacesOp)]
        reads = Reads.of(ops, indexed=self.indexing is not None)
        async with self._key_locks.acquire(writes.keys):
            vectors = await self._embed(owner, writes.texts | reads.queries)
            if not writes.keys and not lists:
                await self._read(owner, reads, vectors, results)
                return
            async with self.transaction(owner) as cursor:
                while reads.remain:
                    cursors = await reads.execute(cursor.connection, vectors, self.indexing, self.language)
                    reads = await reads.fetch(cursors, results)
                await self._batch_list_namespaces_ops(lists, results, cursor)
                await writes.write(cursor, owner or "", vectors, self.indexing, self.language)
                if reads.expiring:
                    await cursor.execute(WRITES.refresh_ttl, reads.expiring_items)

    async def _read(
        self, owner: str | None, reads: Reads, vectors: Mapping[str, list[float]], results: list[Result]
    ) -> None:
        """Run reads in one round trip, and the searches that need more candidates in further ones."""
        while reads.remain:
            async with self._statement(owner) as cursor:
                cursors = await reads.execute(cursor.connection, vectors, self.indexing, self.language)
            reads = await reads.fetch(cursors, results)
        if reads.expiring:
            async with self._statement(owner) as cursor:
                await cursor.execute(WRITES.refresh_ttl, reads.expiring_items)

    async def _embed(self, owner: str | None, texts: set[str]) -> dict[str, list[float]]:
        if not isinstance(self.embeddings, CachedEmbeddings) or not texts:
            return {}
        ordered = sorted(texts)
        return dict(zip(ordered, await self.embeddings.aembed_documents(ordered, owner=owner or ""), strict=True))

    @asynccontextmanager
    async def _statement(self, owner: str | None) -> AsyncIterator[AsyncCursor[DictRow]]:
        """Open a transaction of an owner for reads, or one write; see `implicit_transaction`."""
        self._check_owner(owner)
        async with self.unscoped_connection(owner or SYSTEM) as connection, implicit_transaction(connection):
            yield await self._cursor_of(connection, owner)

    def _check_owner(self, owner: str | None) -> None:
        if self.role is not None and not is_owner(owner):
            raise InvalidNamespaceError("the namespace must start with the two labels of its owner")

    async def _cursor_of(self, connection: AsyncConnection[DictRow], owner: str | None) -> AsyncCursor[DictRow]:
        if self.role is not None:
            await set_scope(connection, owner or "", role=self.role)
        return connection.cursor(binary=True, row_factory=dict_row)
