"""Index configuration: which texts of an item are embedded, and where its position in a conversation is found."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from langgraph.store.base import get_text_at_path, tokenize_path
from langgraph.store.postgres.base import PostgresIndexConfig

Distance = Literal["cosine", "l2", "inner_product"]

MAX_POSITION_CHARS = 100  # of a thread id and of a moment, which are both part of an index row
Index = Literal[False] | Sequence[str] | None


class ExactIndexConfig(PostgresIndexConfig, total=False):
    """The stock store's index configuration and two options of exact search; `ann_index_config.kind` is ignored."""

    language: str | None
    """Text search configuration of Postgres (`english`, `german`), `simple` if unknown; None: search vectors only."""
    conversation: tuple[str, str]
    """The fields of a value with the id of its conversation and its time there, as sortable text."""
    passages: Callable[[str], Sequence[str]]
    """Splits a text into passages, which are embedded, too; the nearest one counts half, and the whole text half."""


@dataclass(frozen=True, slots=True)
class Indexing:
    """How items are indexed."""

    dims: int
    fields: tuple[str, ...]
    distance: Distance
    vector_type: Literal["vector", "halfvec"]
    language: str | None
    conversation: tuple[str, str] | None
    passages: Callable[[str], Sequence[str]] | None = None

    @classmethod
    def of(cls, config: ExactIndexConfig) -> Self:
        """Read the configuration; raise ValueError for an unknown distance or vector type."""
        fields = config.get("fields") or ["$"]
        distance = config.get("distance_type", "cosine")
        vector_type = config.get("ann_index_config", {}).get("vector_type", "vector")
        if vector_type not in ("vector", "halfvec"):
            raise ValueError(f"the vector type must be vector or halfvec, not {vector_type}")
        if distance not in ("cosine", "l2", "inner_product"):
            raise ValueError(f"the distance must be cosine, l2 or inner_product, not {distance}")
        return cls(
            dims=int(config["dims"]),
            fields=(fields,) if isinstance(fields, str) else tuple(fields),
            distance=distance,
            vector_type=vector_type,
            # The weights of words are relative to a cosine; other distances have no fixed scale.
            language=config.get("language", "english") if distance == "cosine" else None,
            conversation=config.get("conversation"),
            passages=config.get("passages"),
        )

    def texts(self, value: Mapping[str, Any], index: Index = None) -> dict[str, str]:
        """The texts to embed, by field name, without those that are only white space.

        Several texts of a field are named `tags.0`, `tags.1`, and passages of a text `text#0`, `text#1`.
        """
        if index is False:
            return {}
        embedded: dict[str, str] = {}
        for field in self.fields if index is None else index:
            texts = get_text_at_path(value, "$" if field == "$" else tokenize_path(field))
            for number, text in enumerate(texts):
                name = f"{field}.{number}" if len(texts) > 1 else field
                passages = self.passages(text) if self.passages else ()
                embedded |= {name: text} | {f"{name}#{n}": passage for n, passage in enumerate(passages)}
        return {name: text for name, text in embedded.items() if text.strip()}

    def position(self, value: Mapping[str, Any]) -> tuple[str | None, str | None]:
        """The conversation of an item and its moment in it; None and None without a conversation."""
        if self.conversation is None:
            return None, None
        sequence, moment = (value.get(field) for field in self.conversation)
        if not sequence or not isinstance(sequence, str):
            return None, None
        return sequence[:MAX_POSITION_CHARS], str(moment or "")[:MAX_POSITION_CHARS]

    def columns(self, rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
        """The parameters of `set_words` for rows of `prefix`, `key`, `field_name` and `value`, column by column."""
        columns: dict[str, list[Any]] = {
            name: [] for name in ("prefixes", "keys", "fields", "bodies", "sequences", "moments")
        }
        for row in rows:
            field = row["field_name"]
            name = field.partition("#")[0]
            path = name.rpartition(".")[0] if name.rpartition(".")[2].isdigit() else name
            body = self.texts(row["value"], [path]).get(field, "")
            cells = (row["prefix"], row["key"], field, body, *self.position(row["value"]))
            for column, value in zip(columns.values(), cells, strict=True):
                column.append(value)
        return columns
