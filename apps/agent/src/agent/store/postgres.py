"""LangGraph's store on the same tables, searched exactly."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from typing import Any

from langgraph.checkpoint.postgres import _ainternal
from langgraph.store.base import BaseStore, GetOp, ListNamespacesOp, Op, PutOp, Result, SearchItem, SearchOp, TTLConfig
from langgraph.store.postgres import AsyncPostgresStore
from langgraph.store.postgres.base import PoolConfig
from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from agent.database.errors import translated_errors
from agent.database.pools import check_connection
from agent.database.row_security import set_scope
from agent.database.transaction import pipelined_transaction
from agent.errors import InvalidNamespaceError
from agent.models.embeddings import CachedEmbeddings
from agent.store import schema
from agent.store.indexing import ExactIndexConfig, Indexing
from agent.store.key_locks import KeyLocks
from agent.store.operations import Numbered, as_json, by_owner, check, is_owner
from agent.store.search import SQL as SEARCH
from agent.store.search import Searches, as_item
from agent.store.writes import SQL as WRITES
from agent.store.writes import Writes, as_read, erase, vector_rows

WIDENING = 8
"""How many times as many rows a search compares when it is not sure of its page yet."""


class ExactPostgresStore(AsyncPostgresStore):
    """LangGraph's `AsyncPostgresStore`, complete at any size of the table.

    The stock store asks a vector index of all users for its nearest rows, and filters them by namespace afterwards:
    the more users, the fewer rows are left. Here a namespace's rows are found by key and all compared.

    Same tables, same methods; either can open the other's data. What differs:

    - there is no vector index of everybody's rows, so that writes are cheaper too;
    - a query's words count beside its vector (`index={"language": …}`); `SearchItem.score` stays the similarity;
    - the searches of a batch for one text are one statement;
    - a batch is one transaction per owner, whom a namespace's first two labels name, and a failure is theirs alone;
    - operations run at once, not in a line, and hold no connection while a text is embedded;
    - what has expired is never returned, and what cannot be kept is refused.

    Args:
        conn: a pool, with `autocommit`, or a connection.
        index: how texts are embedded and searched; None, not at all.
        ttl: for how long items live.
        wall: the role that row-level security speaks of (see `agent.database.row_security`); None, there is none.

    Raises:
        UnstorableTextError: from each method, for a NUL or half a surrogate pair; nothing of the owner's is written.
        InvalidNamespaceError: from each method behind a wall, for what reaches over owners.
    """

    def __init__(
        self,
        conn: _ainternal.Conn,
        *,
        index: ExactIndexConfig | None = None,
        ttl: TTLConfig | None = None,
        wall: str | None = None,
    ) -> None:
        super().__init__(conn, index=index, ttl=ttl)
        self.indexing = None if index is None else Indexing.of(index)
        self.wall = wall
        if self.embeddings is not None and not isinstance(self.embeddings, CachedEmbeddings):
            self.embeddings = CachedEmbeddings(self.embeddings.aembed_documents)
        self._turns = KeyLocks()
        self._language = None if self.indexing is None else self.indexing.language

    @classmethod
    @asynccontextmanager
    async def from_conn_string(  # type: ignore[override] # noqa: PLR0913 - the base class's arguments, and one more
        cls,
        conn_string: str,
        *,
        pipeline: bool = False,  # noqa: ARG003 - the base class's; every transaction is one anyway
        pool_config: PoolConfig | None = None,
        index: ExactIndexConfig | None = None,
        ttl: TTLConfig | None = None,
        wall: str | None = None,
    ) -> AsyncIterator["ExactPostgresStore"]:
        """Open a store on a connection of its own, or with `pool_config` on a pool."""
        # A statement prepared once would be planned for no namespace in particular.
        kwargs: dict[str, Any] = {"autocommit": True, "prepare_threshold": None, "row_factory": dict_row}
        async with AsyncExitStack() as stack:
            conn: _ainternal.Conn
            if pool_config is None:
                conn = await stack.enter_async_context(await AsyncConnection.connect(conn_string, **kwargs))
            else:
                given: dict[str, Any] = {"min_size": 1, "check": check_connection, **pool_config}
                kwargs |= given.pop("kwargs", None) or {}
                conn = await stack.enter_async_context(
                    AsyncConnectionPool(conn_string, kwargs=kwargs, open=False, **given)
                )
            yield cls(conn, index=index, ttl=ttl, wall=wall)

    # The base class lets these wait in a line, where they run in one batch with everybody's, and fail with it.
    aget = BaseStore.aget
    asearch = BaseStore.asearch
    aput = BaseStore.aput
    adelete = BaseStore.adelete
    alist_namespaces = BaseStore.alist_namespaces

    @property
    def _omit_expired(self) -> bool:
        return True

    async def setup(self) -> None:
        """Make the tables, bring them up to date, and make sure that they fit; safe when several do so at once.

        Raises:
            SetupError: something is missing or does not fit; the message says what to do.
        """
        async with self._connection() as connection, connection.transaction():
            vector_steps = [] if self.indexing is None else schema.vector_steps(self)
            await schema.create_tables(connection, self.MIGRATIONS, vector_steps, self.indexing)
            if self.wall is not None:
                await schema.enable_store_row_security(connection, self.wall, indexed=self.indexing is not None)
            if self._language is not None:
                self._language = await schema.known_language(connection, self._language)

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations, one transaction per owner; each sees what was there before, and writes come last.

        Raises:
            Exception: the first that an owner's operations raised; those of the other owners are done.
        """
        ops = list(ops)
        results: list[Result] = [None] * len(ops)
        owners = by_owner(ops)
        if len(owners) == 1:
            [(owner, mine)] = owners.items()
            await self._run(owner, mine, results)
            return results
        runs = (self._run(owner, mine, results) for owner, mine in owners.items())
        for outcome in await asyncio.gather(*runs, return_exceptions=True):
            if isinstance(outcome, BaseException):
                raise outcome
        return results

    async def asearch_words(
        self, namespaces: Sequence[tuple[str, ...]], query: str, *, limit: int, unindexed: bool = False
    ) -> list[list[SearchItem]]:
        """Return up to `limit` items of each of an owner's namespaces that share a word with the query, unscored.

        If `unindexed`, only those that have no vector, and that no other search with a query would find.
        """
        ops = [SearchOp(namespace, query=query, limit=limit) for namespace in namespaces]
        [(owner, _)] = by_owner(ops).items()
        parameters = {
            "prefixes": [".".join(namespace) for namespace in namespaces],
            "query": query,
            "limit": limit,
            "unindexed": unindexed,
            "language": self._language or "simple",
            "field": self.indexing.fields[0] if self.indexing else "text",
        }
        found: list[list[SearchItem]] = [[] for _ in namespaces]
        for op in ops:
            check(op)
        async with self._transaction(owner) as cursor:
            await cursor.execute(SEARCH.find_words, parameters)
            for row in await cursor.fetchall():
                found[row["n"] - 1].append(as_item(row))
        return found

    async def afilter_nonempty(self, namespaces: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """Return those of the namespaces that hold something, whoever owns them: for those who look after all."""
        places = {".".join(namespace): namespace for namespace in namespaces}
        async with self._connection() as connection:
            cursor = await connection.execute(SEARCH.non_empty, {"prefixes": list(places)})
            return [places[row["prefix"]] for row in await cursor.fetchall()]

    async def aupdate(self, namespace: tuple[str, ...], key: str, value: Mapping[str, Any]) -> None:
        """Replace a value if its key is still there; its vector stays."""
        op = PutOp(namespace, key, dict(value))
        check(op)
        [owner] = by_owner([op])
        async with self._transaction(owner) as cursor:
            await cursor.execute(WRITES.update, {"prefix": ".".join(namespace), "key": key, "value": as_json(value)})

    async def aindex(self, namespace: tuple[str, ...], key: str, value: Mapping[str, Any]) -> None:
        """Give an item the vectors of a value, if its key is still there."""
        op = PutOp(namespace, key, dict(value))
        check(op)
        [owner] = by_owner([op])
        if self.indexing is None:
            return
        [put] = Writes.of([op], self.indexing).puts
        rows = vector_rows(put, await self._embedded(set(put.texts.values())), self.indexing, self._language)
        async with self._transaction(owner) as cursor:
            await cursor.executemany(WRITES.put_vector, rows)

    async def acommit(
        self, ops: Sequence[PutOp], unchanged: Mapping[tuple[tuple[str, ...], str], datetime | None]
    ) -> bool:
        """Write an owner's operations in one transaction, if what was read before still stands.

        Args:
            ops: of one owner.
            unchanged: by namespace and key, when an item was last updated; None for one that was not there. All of
                the same owner's.

        Returns:
            Whether it was so; if not, nothing is written.
        """
        [owner] = by_owner([*ops, *(GetOp(namespace, key) for namespace, key in unchanged)])
        for op in ops:
            check(op)
        writes = Writes.of(ops, self.indexing)
        read = {(".".join(namespace), key): moment for (namespace, key), moment in unchanged.items()}
        async with self._turns.at(writes.places):
            vectors = await self._embedded(writes.texts)
            async with self._transaction(owner) as cursor:
                if not await as_read(cursor, owner or "", read):
                    return False
                await writes.write(cursor, owner or "", vectors, self.indexing, self._language)
        return True

    async def aerase(self, owner: tuple[str, ...]) -> dict[str, dict[tuple[str, ...], int]]:
        """Delete everything under an owner's labels; return how many rows went, by table and namespace."""
        async with self._transaction(".".join(owner)) as cursor:
            return await erase(cursor, ".".join(owner), indexed=self.indexing is not None)

    async def _run(self, owner: str | None, ops: Sequence[Numbered], results: list[Result]) -> None:
        """Run an owner's operations: check them, embed, and only then take a connection."""
        for _, op in ops:
            check(op)
        writes = Writes.of([op for _, op in ops if isinstance(op, PutOp)], self.indexing)
        asked = [(n, op) for n, op in ops if isinstance(op, SearchOp)]
        searches = Searches.of(asked, indexed=self.indexing is not None)
        texts = writes.texts | {search.query for search in searches if search.query}
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._turns.at(writes.places))
            vectors = await self._embedded(texts)
            alone = len(searches) == 1 and len(asked) == len(ops)
            cursor = await stack.enter_async_context(self._transaction(owner, alone=alone))
            await self._batch_get_ops([(n, op) for n, op in ops if isinstance(op, GetOp)], results, cursor)
            for search in searches:
                await self._search(search, vectors, results, cursor)
            names = [(n, op) for n, op in ops if isinstance(op, ListNamespacesOp)]
            await self._batch_list_namespaces_ops(names, results, cursor)
            await writes.write(cursor, owner or "", vectors, self.indexing, self._language)

    async def _search(
        self, search: Searches, vectors: Mapping[str, list[float]], results: list[Result], cursor: AsyncCursor[DictRow]
    ) -> None:
        """Run the searches for one query, and look further until their pages are sure."""
        statement = search.statement(self.indexing)
        vector = vectors.get(search.query or "")
        widening, pages = 1, None
        while pages is None:
            await cursor.execute(statement, search.parameters(vector, self._language, widening=widening))
            pages = search.pages(await cursor.fetchall(), widening=widening)
            widening *= WIDENING
        for (n, _), page in zip(search.ops, pages, strict=True):
            results[n] = list[SearchItem](map(as_item, page))
        seen = [row for (_, op), page in zip(search.ops, pages, strict=True) if op.refresh_ttl for row in page]
        if lent := [row for row in seen if row["ttl_minutes"] is not None]:
            places = {"prefixes": [row["prefix"] for row in lent], "keys": [row["key"] for row in lent]}
            await cursor.execute(WRITES.refresh, places)

    async def _embedded(self, texts: set[str]) -> dict[str, list[float]]:
        if self.embeddings is None or not texts:
            return {}
        ordered = sorted(texts)
        return dict(zip(ordered, await self.embeddings.aembed_documents(ordered), strict=True))

    @asynccontextmanager
    async def _transaction(self, owner: str | None, *, alone: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        """Open a transaction of an owner's; behind a wall, one that sees no other's rows.

        A statement `alone` is a transaction by itself, where there is no wall to raise before it.

        Raises:
            InvalidNamespaceError: behind a wall, what is asked reaches over owners.
        """
        if self.wall is not None and not is_owner(owner):
            raise InvalidNamespaceError("a namespace begins with whose it is, in two labels")
        async with AsyncExitStack() as stack:
            connection = await stack.enter_async_context(self._connection())
            if self.wall is not None or not alone:
                await stack.enter_async_context(pipelined_transaction(connection))
            if self.wall is not None:
                await set_scope(connection, owner or "", role=self.wall)
            yield await stack.enter_async_context(connection.cursor(binary=True, row_factory=dict_row))

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection[DictRow]]:
        with translated_errors():
            async with AsyncExitStack() as stack:
                if not isinstance(self.conn, AsyncConnectionPool):
                    await stack.enter_async_context(self.lock)  # a connection runs one transaction at a time
                yield await stack.enter_async_context(_ainternal.get_connection(self.conn))
