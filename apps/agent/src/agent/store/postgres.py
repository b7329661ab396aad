"""LangGraph's store on the same tables, searched exactly."""

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from langgraph.checkpoint.postgres import _ainternal
from langgraph.store.base import Op, PutOp, Result, SearchItem, SearchOp, get_text_at_path, tokenize_path
from langgraph.store.postgres import AsyncPostgresStore
from langgraph.store.postgres.base import Migration
from psycopg import AsyncCursor
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import Jsonb

from agent.database.statements import load_statements

SQL = load_statements(__package__, "search.sql")


class ExactPostgresStore(AsyncPostgresStore):
    """LangGraph's `AsyncPostgresStore`, complete at any size of the table.

    The stock store asks a vector index of all users for its nearest rows, and filters them by namespace afterwards:
    the more users, the fewer rows are left. Here a namespace's rows are found by key and compared one by one.

    Same tables, same constructor, same methods; either can open the other's data. What differs:

    - there is no vector index, so that writes are cheaper too;
    - several searches for one text in an `abatch` are one statement;
    - texts are embedded before a connection is taken;
    - a batch is one transaction.
    """

    # The stock store's third step makes the index that this one does without; its number stays, and so does its table.
    VECTOR_MIGRATIONS = (*AsyncPostgresStore.VECTOR_MIGRATIONS[:2], Migration("SELECT 1"))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations as one transaction; searches with a query take their own statement, one a text."""
        ops = list(ops)
        await self._embed_ahead(ops)
        exact = [(n, op) for n, op in enumerate(ops) if self._is_exact(op)]
        rest = [(n, op) for n, op in enumerate(ops) if not self._is_exact(op)]
        results: list[Result] = [None] * len(ops)
        by_query: dict[str, list[tuple[int, SearchOp]]] = defaultdict(list)
        for n, op in exact:
            assert isinstance(op, SearchOp)  # noqa: S101 - told by _is_exact
            by_query[op.query or ""].append((n, op))
        for query, searches in by_query.items():
            found = await self._nearest(query, [op for _, op in searches])
            for (n, _), items in zip(searches, found, strict=True):
                results[n] = items
        if rest:
            for (n, _), result in zip(rest, await super().abatch([op for _, op in rest]), strict=True):
                results[n] = result
        return results

    async def asearch_words(
        self, namespaces: Sequence[tuple[str, ...]], query: str, *, limit: int, unindexed: bool = False
    ) -> list[list[SearchItem]]:
        """Return up to `limit` items of each namespace that share a word with the query, without a score.

        If `unindexed`, only those that have no vector, and that no other search with a query would find.
        """
        prefixes = [".".join(namespace) for namespace in namespaces]
        parameters = {"prefixes": prefixes, "query": query, "limit": limit, "unindexed": unindexed}
        return await self._select("with_words", parameters, len(namespaces))

    async def aupdate(self, namespace: tuple[str, ...], key: str, value: dict[str, Any]) -> None:
        """Replace a value if its key is still there; its vector stays."""
        async with self._cursor() as cursor:
            await cursor.execute(SQL["update"], {"prefix": ".".join(namespace), "key": key, "value": Jsonb(value)})

    async def aindex(self, namespace: tuple[str, ...], key: str, text: str) -> None:
        """Set the vector of an item to that of a text, if its key is still there."""
        vector = await self._embedded(text)
        async with self._cursor() as cursor:
            await cursor.execute(SQL["index"], {"prefix": ".".join(namespace), "key": key, "vector": vector})

    def _is_exact(self, op: Op) -> bool:
        """Tell whether the exact statement serves an operation; the stock ones, without an index, serve the others."""
        return (
            isinstance(op, SearchOp)
            and bool(op.query)
            and bool(op.namespace_prefix)
            and self.embeddings is not None
            and not op.filter
            and not op.offset
        )

    async def _nearest(self, query: str, ops: Sequence[SearchOp]) -> list[list[SearchItem]]:
        parameters = {
            "prefixes": [".".join(op.namespace_prefix) for op in ops],
            "limits": [op.limit for op in ops],
            "vector": await self._embedded(query),
        }
        return await self._select("nearest", parameters, len(ops))

    async def _select(self, statement: str, parameters: dict[str, Any], lists: int) -> list[list[SearchItem]]:
        found: list[list[SearchItem]] = [[] for _ in range(lists)]
        async with self._cursor() as cursor:
            await cursor.execute(SQL[statement], parameters)
            async for row in cursor:
                found[row["n"] - 1].append(
                    SearchItem(
                        namespace=tuple(row["prefix"].split(".")),
                        key=row["key"],
                        value=row["value"],
                        created_at=row["created_at"],
                        updated_at=row["updated_at"],
                        score=row.get("score"),
                    )
                )
        return found

    async def _embedded(self, text: str) -> str:
        assert self.embeddings is not None  # noqa: S101 - told by _is_exact, and by the index that aupdate needs
        return str(await self.embeddings.aembed_query(text))

    async def _embed_ahead(self, ops: Sequence[Op]) -> None:
        """Embed what will be written, so that the cache has it when the statement is made."""
        if self.embeddings is None:
            return
        texts = [text for op in ops if isinstance(op, PutOp) for text in self._texts(op)]
        if texts:
            await self.embeddings.aembed_documents(texts)

    def _texts(self, op: PutOp) -> list[str]:
        if op.value is None or op.index is False or self.index_config is None:
            return []
        fields = op.index if op.index is not None else self.index_config.get("fields") or ["$"]
        return [text for field in fields for text in get_text_at_path(op.value, tokenize_path(field))]

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        """Open a cursor; `pipeline`, which the stock store asks for around a batch, is a transaction here."""
        if not pipeline:
            async with super()._cursor() as cursor:
                yield cursor
            return
        async with (
            _ainternal.get_connection(self.conn) as connection,
            connection.transaction(),
            connection.cursor(binary=True, row_factory=dict_row) as cursor,
        ):
            yield cursor
