"""Search operations: their statements, parameters and pages."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

from langgraph.store.base import SearchItem, SearchOp
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from agent.database.statements import Statements
from agent.store.indexing import Indexing
from agent.store.operations import as_json
from agent.store.vectors import Vector


class SQL(Statements, file="search.sql"):
    """Statements of `search.sql`."""

    matches: LiteralString
    vectors_in: LiteralString
    vectors_between: LiteralString
    cosine: LiteralString
    inner_product: LiteralString
    l2: LiteralString
    nearest: LiteralString
    latest: LiteralString
    sharing: LiteralString
    find_nearest: LiteralString
    find_latest: LiteralString
    find_words: LiteralString
    find_items: LiteralString


class WORDS(Statements, file="words.sql"):
    """Statements of `words.sql`."""

    folded: LiteralString
    ngrams: LiteralString
    separated: LiteralString
    is_ngram: LiteralString
    quoted: LiteralString
    language: LiteralString
    words: LiteralString
    query: LiteralString


class FUSED(Statements, file="fused.sql"):
    """Statements of `fused.sql`."""

    word_bits: LiteralString
    fused: LiteralString
    find_fused: LiteralString


EXTRA_CANDIDATES = 4
"""Rows compared exactly beyond one and a half times those wanted."""
ESTIMATE_ERROR = 0.0015
"""Error of a similarity in half precision, also in `search.sql`: vectors of length up to 1.5, rounded to 11 bits."""
OWN_WORDS_WEIGHT = 0.4
"""Added to the cosine of a row that contains all words of the query."""
NEARBY_WORDS_WEIGHT = 0.5
"""Added if the row and its neighbours in the conversation together contain them."""
CENTRING = 0.5
"""Share of the mean of a user's vectors that is subtracted from a query: it distinguishes no memory from another."""
MEAN_SAMPLE_ROWS = 32
"""Rows of a namespace from which the mean is computed."""

WORD_FUNCTIONS: dict[str, LiteralString] = {
    "store_folded": WORDS.folded,
    "store_ngrams": WORDS.ngrams,
    "store_separated": WORDS.separated,
    "store_is_ngram": WORDS.is_ngram,
    "store_quoted": WORDS.quoted,
    "store_language": WORDS.language,
    "store_words": WORDS.words,
    "store_query": WORDS.query,
}
"""The statements that create the functions of words, by name, in the order of their dependencies."""

_COMPARISONS = ("$eq", "$ne", "$gt", "$gte", "$lt", "$lte")


def functions(indexing: Indexing | None) -> dict[str, LiteralString]:
    """The statements that create the functions which a search calls, by name, in the order of their dependencies."""
    created: dict[str, LiteralString] = {"matches": SQL.matches, "latest": SQL.latest}
    if indexing is not None:
        measures = {"cosine": SQL.cosine, "inner_product": SQL.inner_product, "l2": SQL.l2}
        created |= {"vectors_in": SQL.vectors_in, "vectors_between": SQL.vectors_between}
        created |= {"similarity": measures[indexing.distance], "nearest": SQL.nearest, "sharing": SQL.sharing}
        created |= {"word_bits": FUSED.word_bits, "fused": FUSED.fused}
    return WORD_FUNCTIONS | {f"store_{name}": statement for name, statement in created.items()}


@dataclass(frozen=True, slots=True)
class Searches:
    """The search operations of a batch that share a statement: those without a query, or with one query and filter."""

    query: str | None
    ops: tuple[tuple[int, SearchOp], ...]

    @classmethod
    def of(cls, ops: Iterable[tuple[int, SearchOp]], *, indexed: bool) -> list["Searches"]:
        """Group numbered operations by statement; without vectors, ignore queries, as the stock store does.

        Raises:
            ValueError: a filter contains an unknown comparison.
        """
        groups: dict[tuple[str | None, str], list[tuple[int, SearchOp]]] = {}
        for number, op in ops:
            _comparisons(op.filter or {})
            query = op.query if indexed and op.query and op.query.strip() else None
            shared_filter = as_json(op.filter or {}) if query else ""
            groups.setdefault((query, shared_filter), []).append((number, op))
        return [cls(query, tuple(group)) for (query, _), group in groups.items()]

    def statement(self, indexing: Indexing | None) -> LiteralString:
        """The statement to execute with `parameters`."""
        if self.query is None or indexing is None:
            return SQL.find_latest
        return SQL.find_nearest if indexing.language is None else FUSED.find_fused

    def parameters(self, vector: Sequence[float] | None, language: str | None, *, widening: int) -> dict[str, Any]:
        """The parameters of the statement; `widening` is a factor on the number of candidates."""
        if self.query is None:
            return {"searches": Jsonb([_latest(n, op) for n, (_, op) in enumerate(self.ops, start=1)])}
        comparisons = _comparisons(self.ops[0][1].filter or {})
        return {
            "roots": [".".join(op.namespace_prefix) for _, op in self.ops],
            "candidates": self._candidates(widening),
            "page_ends": [widening * (op.offset + op.limit) for _, op in self.ops],
            "keys": [key for key, _, _ in comparisons],
            "comparisons": [comparison for _, comparison, _ in comparisons],
            "operands": [json.dumps(operand) for _, _, operand in comparisons],
            "vector": None if vector is None else Vector(vector),
            "query": self.query,
            "language": language,
            "own_weight": OWN_WORDS_WEIGHT,
            "nearby_weight": NEARBY_WORDS_WEIGHT,
            "centring": CENTRING,
            "mean_sample": MEAN_SAMPLE_ROWS,
        }

    def pages(self, rows: Sequence[DictRow], *, widening: int) -> list[list[DictRow]] | None:
        """Select the page of each operation, best row first.

        Returns:
            The pages; None if more candidates are needed, because a row that was only estimated may belong on a page,
            or because expired items or several vectors of one item took places among the candidates.
        """
        lists: list[list[DictRow]] = [[] for _ in self.ops]
        for row in rows:
            lists[row["n"] - 1].append(row)
        if self.query is None:
            return lists
        pages = []
        for (_, op), candidates, limit in zip(self.ops, lists, self._candidates(widening), strict=True):
            best = _best(row for row in candidates if row["key"] is not None)
            page_end = op.offset + op.limit
            bound = _upper_bound(candidates, is_full=len(candidates) == limit)
            if page_end and bound is not None and (len(best) < page_end or best[page_end - 1]["rank"] < bound):
                return None
            pages.append(best[op.offset : page_end])
        return pages

    def _candidates(self, widening: int) -> list[int]:
        return [widening * (3 * (op.offset + op.limit) // 2 + EXTRA_CANDIDATES) for _, op in self.ops]


class RankedItem(SearchItem):
    """A search result with its rank."""

    __slots__ = ("rank",)

    rank: float | None
    """The similarity plus what words and conversation add; None without a query."""


def as_item(row: DictRow) -> RankedItem:
    """Convert a row into a search result."""
    item = RankedItem(
        namespace=tuple(row["prefix"].split(".")),
        key=row["key"],
        value=row["value"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        score=row["score"],
    )
    item.rank = row["rank"]
    return item


def _upper_bound(candidates: Sequence[DictRow], *, is_full: bool) -> float | None:
    """The highest rank that a row which was not compared exactly can have; None if there is no such row.

    Candidates without a key are only estimated. If their list is full, there may be further rows.
    """
    estimates = [row["estimate"] for row in candidates if row["key"] is None]
    if not estimates and is_full:
        estimates = [min(row["estimate"] for row in candidates)]
    bounds = [estimate + ESTIMATE_ERROR * max(1.0, abs(estimate)) for estimate in estimates]
    return max(bounds, default=None)


def _best(rows: Iterable[DictRow]) -> list[DictRow]:
    items: dict[tuple[str, str], DictRow] = {}
    for row in sorted(rows, key=lambda row: (-row["rank"], row["prefix"], row["key"])):
        if row["live"]:
            items.setdefault((row["prefix"], row["key"]), row)
    return list(items.values())


def _latest(n: int, op: SearchOp) -> dict[str, Any]:
    return {
        "n": n,
        "root": ".".join(op.namespace_prefix),
        "size": op.limit,
        "start": op.offset,
        "conditions": _comparisons(op.filter or {}),
    }


def _comparisons(filters: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    """Split a filter into key, comparison and operand."""
    comparisons = []
    for key, value in filters.items():
        for name, operand in value.items() if isinstance(value, Mapping) else [("$eq", value)]:
            if name not in _COMPARISONS:
                raise ValueError(f"a filter supports {', '.join(_COMPARISONS)}, not {name}")
            comparisons.append((key, name, operand))
    return comparisons
