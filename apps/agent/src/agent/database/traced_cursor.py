"""Spans of SQL statements. Parameters are not recorded, and the text of a statement contains no values.

The official instrumentation of psycopg records the messages of errors, which may quote rows.
"""

from collections.abc import Iterable
from typing import Any, Self

from psycopg import AsyncCursor, sql
from psycopg.abc import Params, Query
from psycopg.rows import DictRow

from agent.opentelemetry import is_traced, traced


class TracedCursor(AsyncCursor[DictRow]):
    """A cursor whose statements are spans of the current trace; in a pipeline, a span ends when it is sent."""

    async def execute(self, query: Query, params: Params | None = None, **options: Any) -> Self:  # noqa: ANN401 - of the base class
        """Execute a statement."""
        if not is_traced():
            return await super().execute(query, params, **options)  # type: ignore[arg-type] # overloaded
        with traced(*_describe(query)):
            return await super().execute(query, params, **options)  # type: ignore[arg-type] # overloaded

    async def executemany(self, query: Query, params_seq: Iterable[Params], **options: Any) -> None:  # noqa: ANN401 - of the base class
        """Execute a statement once for each of several parameters."""
        with traced(*_describe(query)):
            await super().executemany(query, params_seq, **options)


def _describe(query: Query) -> tuple[str, dict[str, str]]:
    """The operation as the span's name, and the attributes of the semantic conventions."""
    attributes = {"db.system.name": "postgresql"}
    if not isinstance(query, str):  # composed of names
        return ("composed" if isinstance(query, sql.Composable) else "query"), attributes
    lines = map(str.strip, query.splitlines())
    first = next((line for line in lines if line and not line.startswith("--")), "")
    operation = first.partition(" ")[0].upper()
    return operation, attributes | {"db.operation.name": operation, "db.query.text": query}
