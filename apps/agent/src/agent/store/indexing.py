"""What of an item a search can find: the texts that are embedded, their words, and their place in a conversation."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from langgraph.store.base import get_text_at_path, tokenize_path
from langgraph.store.postgres.base import PostgresIndexConfig

Distance = Literal["cosine", "l2", "inner_product"]

SEQUENCE_CHARS = 100  # of a thread's id and of a moment: both stand in an index row
Index = Literal[False] | Sequence[str] | None


class ExactIndexConfig(PostgresIndexConfig, total=False):
    """The stock store's index configuration, and what exact search adds; `ann_index_config.kind` is not used."""

    language: str | None
    """Of the texts, as Postgres calls it (`english`, `german`); unknown ones are taken as `simple`; None: no words."""
    conversation: tuple[str, str]
    """The fields of a value that say which conversation it belongs to, and when it was said, as text that sorts."""


@dataclass(frozen=True, slots=True)
class Indexing:
    """How items are indexed."""

    dims: int
    fields: tuple[str, ...]
    distance: Distance
    vector_type: Literal["vector", "halfvec"]
    language: str | None
    conversation: tuple[str, str] | None

    @classmethod
    def of(cls, config: ExactIndexConfig) -> Self:
        """Read the configuration.

        Raises:
            ValueError: it asks for a distance or a type of vector that there is not.
        """
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
            # Words are weighed against a cosine; other distances have no scale to do so.
            language=config.get("language", "english") if distance == "cosine" else None,
            conversation=config.get("conversation"),
        )

    def texts(self, value: Mapping[str, Any], index: Index = None) -> dict[str, str]:
        """Return what of a value is embedded, by the name of its field; nothing where there is only white space."""
        if index is False:
            return {}
        found: dict[str, str] = {}
        for field in self.fields if index is None else index:
            texts = get_text_at_path(value, "$" if field == "$" else tokenize_path(field))
            for number, text in enumerate(texts):
                if text.strip():
                    found[f"{field}.{number}" if len(texts) > 1 else field] = text
        return found

    def place(self, value: Mapping[str, Any]) -> tuple[str | None, str | None]:
        """Return the conversation that an item belongs to and its moment there; None, None where it is in none."""
        if self.conversation is None:
            return None, None
        sequence, moment = (value.get(field) for field in self.conversation)
        if not sequence or not isinstance(sequence, str):
            return None, None
        return sequence[:SEQUENCE_CHARS], str(moment or "")[:SEQUENCE_CHARS]

    def columns(self, rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
        """Return what `set_words` wants for rows of `prefix`, `key`, `field_name` and `value`, column by column."""
        columns: dict[str, list[Any]] = {
            name: [] for name in ("prefixes", "keys", "fields", "bodies", "sequences", "moments")
        }
        for row in rows:
            field = row["field_name"]
            path = field.rpartition(".")[0] if field.rpartition(".")[2].isdigit() else field
            body = self.texts(row["value"], [path]).get(field, "")
            given = (row["prefix"], row["key"], field, body, *self.place(row["value"]))
            for column, value in zip(columns.values(), given, strict=True):
                column.append(value)
        return columns
