"""The statements that search: put together from `search.sql` for what is asked and how the store is configured."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString, cast

from langgraph.store.base import SearchItem, SearchOp
from psycopg.rows import DictRow

from agent.database.statements import load_statements
from agent.store.indexing import Indexing
from agent.store.operations import as_json

SQL = load_statements(__package__, "search.sql")

SLOTS = 12
"""Words of a query that count: the longest, which are the rarest; a column, and a bit, each."""
SURPLUS = 8
"""Rows compared exactly beyond twice those wanted. Half precision errs by some 1e-5, so the nearest are among them."""

# How far what stands around a row in its conversation counts for it, as shares that add up to 1: what the row itself
# covers, what it covers with its neighbours, and so on; (rows before, rows after, share).
AROUND = ((0, 0, 0.2), (1, 0, 0.2), (2, 1, 0.2), (3, 2, 0.4))
WORDS_WEIGHT = 0.6
"""What a row that covers the whole query by itself gains over its cosine."""

CENTRING = 0.5
"""How much of the mean of a user's vectors is taken out of a query: what all of it has in common tells nothing apart."""
SAMPLE = 256
"""Rows of a namespace that the mean is of."""

# A row in no conversation has no neighbours.
_PARTITION = "PARTITION BY rows.prefix, rows.sequence ORDER BY rows.moment, rows.key"
_MEASURES: Mapping[str, tuple[str, str]] = {
    # the distance in half precision (of vectors of length 1 for cosine), and the exact similarity
    "cosine": ("mine.near <#> {half}", "1 - (v.embedding <=> {exact})"),
    "inner_product": ("mine.near <#> {half}", "-(v.embedding <#> {exact})"),
    "l2": ("mine.near <-> {half}", "-(v.embedding <-> {exact})"),
}
_COMPARISONS: Mapping[str, str] = {"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}


@dataclass(frozen=True, slots=True)
class Searches:
    """The search operations of a batch that one statement serves: for one query, or none, under one filter."""

    query: str | None
    filter: Mapping[str, Any]
    ops: tuple[tuple[int, SearchOp], ...]

    @classmethod
    def of(cls, ops: Iterable[tuple[int, SearchOp]], *, indexed: bool) -> list["Searches"]:
        """Group numbered operations; where nothing is `indexed`, queries are not looked at, as in the stock store."""
        groups: dict[tuple[str | None, str, bool], list[tuple[int, SearchOp]]] = {}
        for number, op in ops:
            query = op.query if indexed and op.query and op.query.strip() else None
            same = (query, as_json(op.filter or {}), bool(op.namespace_prefix))
            groups.setdefault(same, []).append((number, op))
        return [cls(query, group[0][1].filter or {}, tuple(group)) for (query, _, _), group in groups.items()]

    def statement(self, indexing: Indexing | None) -> LiteralString:
        """Return the statement; `parameters` has what it wants.

        Raises:
            ValueError: the filter asks for an operator that there is not.
        """
        conditions = "".join(f" AND {part}" for part in filter_conditions(self.filter)[0])
        everywhere = not self.ops[0][1].namespace_prefix
        if self.query is None or indexing is None:
            items = SQL["all_items" if everywhere else "items"].format(conditions=conditions)
            return _ours(SQL["latest"].format(items=items))
        exact = f"%(vector)s::float8[]::vector::{indexing.vector_type}"
        # Normalised before it is halved, as the rows are: only so is the inner product their cosine.
        whole = "l2_normalize(%(vector)s::float8[]::vector)" if indexing.distance == "cosine" else exact
        half = f"{whole}::halfvec({indexing.dims})"
        distance, similarity = _MEASURES[indexing.distance]
        source = "everything" if everywhere else "filtered" if conditions else "mine"
        parts = {
            "mine": SQL[source].format(conditions=conditions),
            "distance": distance.format(half=half),
            "similarity": similarity.format(exact=exact),
        }
        return _ours(
            SQL["nearest"].format(**parts)
            if indexing.language is None
            else SQL["fused"].format(**parts, **_FUSED, whole=whole, half=half, dims=indexing.dims)
        )

    def parameters(self, vector: Sequence[float] | None, language: str | None, *, widened: int) -> dict[str, Any]:
        """Return the statement's parameters.

        Args:
            vector: the query's.
            language: of the words.
            widened: how many times as many rows as usual are compared exactly.
        """
        return filter_conditions(self.filter)[1] | {
            "prefixes": [".".join(op.namespace_prefix) for _, op in self.ops],
            "limits": [op.limit for _, op in self.ops],
            "offsets": [op.offset for _, op in self.ops],
            "mosts": self._mosts(widened),
            "vector": None if vector is None else list(vector),
            "query": self.query,
            "language": language,
            "weight": WORDS_WEIGHT,
            "centring": CENTRING,
            "sample": SAMPLE,
        }

    def found(self, rows: Sequence[DictRow], *, widened: int) -> list[list[DictRow]] | None:
        """Return the rows of each operation's page, best first; None where it takes more rows to be sure of it.

        That is so where what has expired, or several vectors of one item, took the places of other items.
        """
        lists: list[list[DictRow]] = [[] for _ in self.ops]
        for row in rows:
            lists[row["n"] - 1].append(row)
        if self.query is None:
            return lists
        pages = []
        for (_, op), mine, most in zip(self.ops, lists, self._mosts(widened), strict=True):
            best = _best(mine)
            if len(best) < op.offset + op.limit and len(mine) == most:
                return None
            pages.append(best[op.offset : op.offset + op.limit])
        return pages

    def _mosts(self, widened: int) -> list[int]:
        return [widened * (2 * (op.offset + op.limit) + SURPLUS) for _, op in self.ops]


def as_item(row: DictRow) -> SearchItem:
    """Return a row as the item that a search answers."""
    return SearchItem(
        namespace=tuple(row["prefix"].split(".")),
        key=row["key"],
        value=row["value"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        score=row["score"],
    )


def _best(rows: Iterable[DictRow]) -> list[DictRow]:
    """Return the best row of each item that lives, the best item first."""
    ranked = sorted(rows, key=lambda row: (-row["score"] - row["bonus"], row["prefix"], row["key"]))
    items: dict[tuple[str, str], DictRow] = {}
    for row in ranked:
        if row["live"]:
            items.setdefault((row["prefix"], row["key"]), row)
    return list(items.values())


def filter_conditions(asked: Mapping[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """Return the SQL conditions of a filter on `value`, and their parameters.

    Raises:
        ValueError: it asks for an operator that there is not.
    """
    conditions: list[str] = []
    parameters: dict[str, Any] = {}
    for key, value in asked.items():
        comparisons = value.items() if isinstance(value, Mapping) and value else [("$eq", value)]
        for name, operand in comparisons:
            n = len(conditions)
            conditions.append(_condition(name, operand, f"%(key_{n})s", f"%(operand_{n})s"))
            as_text = isinstance(operand, str) and name in _COMPARISONS
            parameters |= {f"key_{n}": key, f"operand_{n}": operand if as_text else json.dumps(operand)}
    return conditions, parameters


def _condition(name: str, operand: object, key: str, placeholder: str) -> str:
    """Return one condition on `value`: numbers compare as numbers, texts as texts, and neither with the other.

    Raises:
        ValueError: there is no operator of that name.
    """
    if name in ("$eq", "$ne"):
        return f"value -> {key} {'=' if name == '$eq' else '!='} {placeholder}::jsonb"
    if name not in _COMPARISONS:
        raise ValueError(f"a filter knows $eq, $ne, $gt, $gte, $lt and $lte, not {name}")
    comparison = _COMPARISONS[name]
    if isinstance(operand, str):
        text = f'(value ->> {key}) COLLATE "C" {comparison} {placeholder}'
        return f"(jsonb_typeof(value -> {key}) = 'string' AND {text})"
    same = f"jsonb_typeof(value -> {key}) = jsonb_typeof({placeholder}::jsonb)"
    return f"({same} AND value -> {key} {comparison} {placeholder}::jsonb)"


def _ours(text: str) -> LiteralString:
    """Say that a statement is made of our own files alone, and of no user's words."""
    return cast("LiteralString", text)


def _fused_parts() -> dict[str, str]:
    """Return the parts of the fused statement that repeat: a slot a word, and a frame a share."""
    slots = range(SLOTS)
    covered = [f"{share} * (worth.low[1 + (has_{n} & 63)] + worth.high[1 + (has_{n} >> 6)])" for n, share in _shares()]
    return {
        "slots": str(SLOTS),
        "slot_columns": ", ".join(f"(max(word) FILTER (WHERE bit = {n}))::tsquery AS w{n}" for n in slots),
        "slot_bits": " | ".join(f"coalesce((mine.words @@ query.w{n})::int << {n}, 0)" for n in slots),
        "unions": ", ".join(
            f"CASE WHEN rows.sequence IS NULL THEN rows.has ELSE bit_or(rows.has) OVER around_{n} END AS has_{n}"
            for n, _ in _shares()
        ),
        "windows": ", ".join(
            f"around_{n} AS ({_PARTITION} ROWS BETWEEN {before} PRECEDING AND {after} FOLLOWING)"
            for n, (before, after, _) in enumerate(AROUND)
        ),
        "covered": " + ".join(covered),
    }


def _shares() -> list[tuple[int, float]]:
    return [(n, share) for n, (_, _, share) in enumerate(AROUND)]


_FUSED = _fused_parts()
