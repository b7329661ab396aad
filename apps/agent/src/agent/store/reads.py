"""The gets and searches of a batch, sent together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, LiteralString, Self

from langgraph.store.base import GetOp, Item, Result, SearchItem, SearchOp
from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import DictRow, dict_row

from agent.store.indexing import Indexing
from agent.store.operations import Numbered, WordSearchOp
from agent.store.schema import word_search_parameters
from agent.store.search import SQL, Searches, as_item

WIDENING = 8
"""Factor on the number of candidates when a page is not certain."""

Cursors = Sequence[AsyncCursor[DictRow]]


@dataclass(frozen=True, slots=True)
class Reads:
    """Reads of one owner; no statement depends on the result of another."""

    gets: tuple[tuple[int, GetOp], ...]
    word_searches: tuple[tuple[int, WordSearchOp], ...]
    searches: tuple[Searches, ...]
    widening: int = 1
    """Factor on the number of candidates of the searches."""
    expiring: tuple[DictRow, ...] = ()
    """Rows that were read, and whose lifetime is to be extended."""

    @classmethod
    def of(cls, ops: Sequence[Numbered], *, indexed: bool) -> Self:
        """Select the reads among numbered operations; for errors, see `Searches.of`."""
        gets = tuple((n, op) for n, op in ops if isinstance(op, GetOp))
        word_searches = tuple((n, op) for n, op in ops if isinstance(op, WordSearchOp))
        searches = [(n, op) for n, op in ops if isinstance(op, SearchOp) and not isinstance(op, WordSearchOp)]
        return cls(gets, word_searches, tuple(Searches.of(searches, indexed=indexed)))

    @property
    def remain(self) -> bool:
        """Whether results are missing."""
        return bool(self.gets or self.word_searches or self.searches)

    @property
    def queries(self) -> set[str]:
        """The texts whose vectors are searched for."""
        return {search.query for search in self.searches if search.query}

    @property
    def expiring_items(self) -> dict[str, list[str]]:
        """The parameters of the statement that extends lifetimes."""
        prefixes, keys = [row["prefix"] for row in self.expiring], [row["key"] for row in self.expiring]
        return {"prefixes": prefixes, "keys": keys}

    async def execute(
        self,
        connection: AsyncConnection[DictRow],
        vectors: Mapping[str, list[float]],
        indexing: Indexing | None,
        language: str | None,
    ) -> Cursors:
        """Execute the statements in the connection's transaction; pass the result to `fetch`."""
        cursors = []
        if self.gets:
            items = {
                "prefixes": [".".join(op.namespace) for _, op in self.gets],
                "keys": [op.key for _, op in self.gets],
            }
            cursors.append(await _execute(connection, SQL.find_items, items))
        for _, word_search in self.word_searches:
            parameters = word_search_parameters(word_search, indexing, language)
            cursors.append(await _execute(connection, SQL.find_words, parameters))
        for search in self.searches:
            parameters = search.parameters(vectors.get(search.query or ""), language, widening=self.widening)
            cursors.append(await _execute(connection, search.statement(indexing), parameters))
        return cursors

    async def fetch(self, cursors: Cursors, results: list[Result]) -> Self:
        """Store the results by number; return the searches that need more candidates."""
        uncertain, read, unread = [], list(self.expiring), iter(cursors)
        if self.gets:
            rows = {row["n"] - 1: row for row in await next(unread).fetchall()}
            for position, (n, get) in enumerate(self.gets):
                row = rows.get(position)
                results[n] = None if row is None else _item(row)
                read += [row] if row and get.refresh_ttl else []
        for n, word_search in self.word_searches:
            items = await next(unread).fetchall()
            results[n] = list[SearchItem](map(as_item, items))
            read += items if word_search.refresh_ttl else []
        for search, cursor in zip(self.searches, unread, strict=True):
            pages = search.pages(await cursor.fetchall(), widening=self.widening)
            if pages is None:
                uncertain.append(search)
                continue
            for (n, op), page in zip(search.ops, pages, strict=True):
                results[n] = list[SearchItem](map(as_item, page))
                read += page if op.refresh_ttl else []
        expiring = tuple(row for row in read if row["ttl_minutes"] is not None)
        widening = self.widening * WIDENING
        return replace(self, gets=(), word_searches=(), searches=tuple(uncertain), widening=widening, expiring=expiring)


async def _execute(
    connection: AsyncConnection[DictRow], statement: LiteralString, parameters: Mapping[str, Any]
) -> AsyncCursor[DictRow]:
    return await connection.cursor(binary=True, row_factory=dict_row).execute(statement, parameters)


def _item(row: DictRow) -> Item:
    return Item(
        namespace=tuple(row["prefix"].split(".")),
        key=row["key"],
        value=row["value"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )
