"""Searching: the functions that setup makes of the statements here, and the operations that one call of them serves."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

from langgraph.store.base import SearchItem, SearchOp
from psycopg.rows import DictRow

from agent.database.statements import Statements
from agent.store.indexing import Indexing
from agent.store.operations import as_json
from agent.store.vectors import Vector


class SQL(Statements, file="search.sql"):
    """Statements of `search.sql`."""

    matches: LiteralString
    mine: LiteralString
    filtered: LiteralString
    nearest: LiteralString
    nearest_of: LiteralString
    close: LiteralString
    latest: LiteralString
    find_nearest: LiteralString
    find_latest: LiteralString
    find_words: LiteralString
    holding: LiteralString


class FUSED(Statements, file="fused.sql"):
    """Statements of `fused.sql`."""

    fused: LiteralString
    fused_of: LiteralString
    placed_mine: LiteralString
    placed_crowd: LiteralString
    keys: LiteralString
    placed_filtered: LiteralString
    find_fused: LiteralString


SLOTS = 12
"""Words of a query that count: the longest, which are the rarest; a bit each."""
SURPLUS = 4
"""Rows compared exactly beyond one and a half times those wanted."""
CROWD = 20_000
"""From so many rows on, what stands around them in their conversations is left out of account."""
SAMPLED_CROWD = 1_000
"""Rows of a crowd's namespace that tell how near a row without a word must be to be among the first."""
ERROR = 0.0015
"""By how much an estimate may err: two vectors of length 1, or of 1.5 at most, each rounded to 11 bits."""
BEFORE, AFTER = 2, 1
"""How many rows before and after a row in its conversation count for it."""
OWN = 0.4
"""What a row that has all of the query's words gains over its cosine."""
AROUND = 0.5
"""What it gains if it has them together with the rows around it in its conversation."""
CENTRING = 0.5
"""How much of the mean of a user's vectors is taken out of a query: what they all share tells none from another."""
SAMPLE = 32
"""Rows of a namespace that the mean is of."""

_FOUND = (
    "TABLE (n bigint, prefix text, key text, value jsonb, created_at timestamptz, updated_at timestamptz, "
    "ttl_minutes int, score float8, rank float8, estimate float8, live boolean)"
)
_MEASURES: Mapping[str, tuple[str, str, str]] = {
    # the query in half precision (of length 1 for cosine, as the rows are), the operator there, the exact similarity
    "cosine": ("l2_normalize(_vector)", "<#>", "coalesce(nullif(1 - (v.embedding <=> _exact), 'NaN'), 0)"),
    "inner_product": ("_vector", "<#>", "-(v.embedding <#> _exact)"),
    "l2": ("_vector", "<->", "-(v.embedding <-> _exact)"),
}
_COMPARISONS = ("$eq", "$ne", "$gt", "$gte", "$lt", "$lte")


def functions(
    indexing: Indexing | None, *, crowd: int = CROWD, sampled_crowd: int = SAMPLED_CROWD
) -> dict[str, LiteralString]:
    """Return the statements that make the functions, by their names, for how texts are indexed."""
    half, distance, similarity = _MEASURES["cosine" if indexing is None else indexing.distance]
    slots = range(SLOTS)
    bits = " | ".join(f"coalesce((v.words @@ _w{n})::int << {n}, 0)" for n in slots)
    parts = {
        "found": _FOUND,
        "type": "vector" if indexing is None else indexing.vector_type,
        "half": half,
        "distance": distance,
        "similarity": similarity,
        "mine": SQL.mine,
        "slots": str(SLOTS),
        "slot_declarations": " ".join(f"_w{n} tsquery;" for n in slots),
        "slot_assignments": " ".join(f"_w{n} := _words[{n + 1}]::tsquery;" for n in slots),
        "has": f"CASE WHEN v.words @@ _any_word THEN {bits} ELSE 0 END",
        "error": str(ERROR),
        "keys": FUSED.keys,
        "crowd": str(crowd),
        "sampled_crowd": str(sampled_crowd),
        "before": str(BEFORE),
        "after": str(AFTER),
        "beside": "CASE WHEN sequence IS NOT NULL THEN bit_or(has) OVER conversation END",
    }
    parts["close"] = SQL.close.format(**parts)
    for source in ("mine", "filtered"):
        parts[f"nearest_of_{source}"] = SQL.nearest_of.format(**parts | {"mine": getattr(SQL, source)})
    for source in ("mine", "filtered", "crowd"):
        placed = getattr(FUSED, f"placed_{source}").format(**parts, filtered=SQL.filtered)
        parts[f"fused_of_{source}"] = FUSED.fused_of.format(**parts, placed=placed)
    made = {"matches": SQL.matches, "latest": SQL.latest}
    if indexing is not None:
        made |= {"nearest": SQL.nearest, "fused": FUSED.fused}
    return {f"store_{name}": statement.format(**parts) for name, statement in made.items()}


@dataclass(frozen=True, slots=True)
class Searches:
    """The search operations of a batch that one statement serves: for one query, or none, under one filter."""

    query: str | None
    filter: Mapping[str, Any]
    ops: tuple[tuple[int, SearchOp], ...]

    @classmethod
    def of(cls, ops: Iterable[tuple[int, SearchOp]], *, indexed: bool) -> list["Searches"]:
        """Group numbered operations; where nothing is `indexed`, queries are not looked at, as in the stock store.

        Raises:
            ValueError: a filter asks for a comparison that there is not.
        """
        groups: dict[tuple[str | None, str], list[tuple[int, SearchOp]]] = {}
        for number, op in ops:
            _comparisons(op.filter or {})
            query = op.query if indexed and op.query and op.query.strip() else None
            groups.setdefault((query, as_json(op.filter or {})), []).append((number, op))
        return [cls(query, group[0][1].filter or {}, tuple(group)) for (query, _), group in groups.items()]

    def statement(self, indexing: Indexing | None) -> LiteralString:
        """Return the statement; `parameters` has what it wants."""
        if self.query is None or indexing is None:
            return SQL.find_latest
        return SQL.find_nearest if indexing.language is None else FUSED.find_fused

    def parameters(self, vector: Sequence[float] | None, language: str | None, *, widened: int) -> dict[str, Any]:
        """Return the statement's parameters.

        Args:
            vector: the query's.
            language: of the words.
            widened: how many times as many rows as usual are compared exactly.
        """
        asked = _comparisons(self.filter)
        return {
            "roots": [".".join(op.namespace_prefix) for _, op in self.ops],
            "limits": [op.limit for _, op in self.ops],
            "offsets": [op.offset for _, op in self.ops],
            "mosts": self._mosts(widened),
            "leasts": [widened * (op.offset + op.limit) for _, op in self.ops],
            "keys": [key for key, _, _ in asked],
            "comparisons": [comparison for _, comparison, _ in asked],
            "operands": [json.dumps(operand) for _, _, operand in asked],
            "vector": None if vector is None else Vector(vector),
            "query": self.query,
            "language": language,
            "own": OWN,
            "around": AROUND,
            "centring": CENTRING,
            "sample": SAMPLE,
        }

    def found(self, rows: Sequence[DictRow], *, widened: int) -> list[list[DictRow]] | None:
        """Return the rows of each operation's page, best first; None where it takes more rows to be sure of it.

        That is so where what was compared in half precision only may be as good as the last of the page, and where
        what has expired, or several vectors of one item, took the places of other items.
        """
        lists: list[list[DictRow]] = [[] for _ in self.ops]
        for row in rows:
            lists[row["n"] - 1].append(row)
        if self.query is None:
            return lists
        pages = []
        for (_, op), mine, most in zip(self.ops, lists, self._mosts(widened), strict=True):
            best = _best(row for row in mine if row["key"] is not None)
            upto = op.offset + op.limit
            others = _others(mine, full=len(mine) == most)
            if upto and others is not None and (len(best) < upto or best[upto - 1]["rank"] < others):
                return None
            pages.append(best[op.offset : upto])
        return pages

    def _mosts(self, widened: int) -> list[int]:
        return [widened * (3 * (op.offset + op.limit) // 2 + SURPLUS) for _, op in self.ops]


class RankedItem(SearchItem):
    """An item, and what it is ranked by."""

    __slots__ = ("rank",)

    rank: float | None
    """The similarity, and what words and conversation add to it; None without a query."""


def as_item(row: DictRow) -> RankedItem:
    """Return a row as the item that a search answers."""
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


def _others(rows: Sequence[DictRow], *, full: bool) -> float | None:
    """Return the most that an item can rank at that was not read: none of whom is here, None if there is none.

    Args:
        rows: what a search answered; those without a key are only estimated.
        full: whether there may be rows that are not even here.
    """
    estimates = [row["estimate"] for row in rows if row["key"] is None]
    if not estimates and full:
        estimates = [min(row["estimate"] for row in rows)]
    return max(estimate + ERROR * max(1.0, abs(estimate)) for estimate in estimates) if estimates else None


def _best(rows: Iterable[DictRow]) -> list[DictRow]:
    """Return the best row of each item that lives, the best item first."""
    ranked = sorted(rows, key=lambda row: (-row["rank"], row["prefix"], row["key"]))
    items: dict[tuple[str, str], DictRow] = {}
    for row in ranked:
        if row["live"]:
            items.setdefault((row["prefix"], row["key"]), row)
    return list(items.values())


def _comparisons(asked: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    """Return what a filter compares: the key, how, and with what.

    Raises:
        ValueError: it asks for a comparison that there is not.
    """
    found = []
    for key, value in asked.items():
        for name, operand in value.items() if isinstance(value, Mapping) else [("$eq", value)]:
            if name not in _COMPARISONS:
                raise ValueError(f"a filter knows {', '.join(_COMPARISONS)}, not {name}")
            found.append((key, name, operand))
    return found
