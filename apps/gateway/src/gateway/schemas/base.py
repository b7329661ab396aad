"""The base of every schema, the schema of errors, and field types that several schemas share."""

from datetime import datetime
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

Item = TypeVar("Item")


def _to_text(time: datetime | str) -> str:
    return time.isoformat() if isinstance(time, datetime) else time


Timestamp = Annotated[str, BeforeValidator(_to_text), Field(json_schema_extra={"format": "date-time"})]
"""ISO-8601 with a time zone. Kept as text: clients receive exactly what is stored."""


def text_schema(max_chars: int, *, optional: bool = False) -> dict[str, Any]:
    """The JSON schema of a text without NUL; the agent checks it, to answer with its own problem."""
    return {"maxLength": max_chars} | ({} if optional else {"pattern": r"\S"})


class Schema(BaseModel):
    """A JSON object. Unknown members of a request are ignored."""

    model_config = ConfigDict(frozen=True, from_attributes=True)


class Page(Schema, Generic[Item]):
    """One page of a list."""

    items: list[Item]
    next_cursor: str | None = Field(description="Cursor of the next page; null on the last page.")


class Problem(Schema):
    """An error, sent as `application/problem+json` (RFC 9457)."""

    type: str = Field(description="`urn:keepsake:` followed by the code.")
    title: str = Field(description="A summary for the user; the same for every problem with this code.")
    status: int = Field(description="The HTTP status.")
    code: str = Field(description="A stable identifier for programs.")
    detail: str = Field(description="What is wrong with this request; may be empty.")


def omitted_when_none(description: str) -> Any:  # noqa: ANN401 - the type of `Field` itself
    """Define a field that the JSON object contains only if it has a value.

    Annotate the field with `| SkipJsonSchema[None]`: the document shows it as optional, and never as null.
    """
    return Field(
        default=None,
        description=description,
        exclude_if=lambda value: value is None,
        json_schema_extra=without_default,
    )


def without_default(schema: dict[str, Any]) -> None:
    """Remove the default of an optional field from its JSON schema."""
    schema.pop("default")


def _parse_flag(value: object) -> object:
    """Accept only the words of JSON: pydantic would also accept `0` or `off`, which the document does not allow."""
    if isinstance(value, bool):
        return value
    if value not in {"true", "false"}:
        raise PydanticCustomError("flag", "must be true or false")
    return value == "true"


Flag = Annotated[bool, BeforeValidator(_parse_flag)]
"""A boolean in a query."""
