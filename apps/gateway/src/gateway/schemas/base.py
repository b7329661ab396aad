"""The base of every schema, and field types that several of them share."""

from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

Item = TypeVar("Item")

Timestamp = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
"""ISO-8601 with a time zone. Kept as text: clients receive exactly what is stored."""


class Schema(BaseModel):
    """A JSON object. Unknown members of a request are ignored."""

    model_config = ConfigDict(frozen=True, from_attributes=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Generate the JSON schema without titles of properties, which only repeat their names."""
        schema = handler(core)
        for member in handler.resolve_ref_schema(schema).get("properties", {}).values():
            member.pop("title", None)
        return schema


class Page(Schema, Generic[Item]):
    """One page of a list."""

    items: list[Item]
    next_cursor: str | None = Field(description="Cursor of the next page; null on the last page.")


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
