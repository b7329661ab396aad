"""A tolerant parser of structured output: finds JSON in a model's answer, repairs it and fits it to a schema."""

import json
import re
from collections.abc import Iterator
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

from json_repair import repair_json
from pydantic import BaseModel, TypeAdapter

from agent.models.reasoning import strip_reasoning
from agent.text import replace_unstorable_json

Schema = TypeVar("Schema", bound=BaseModel)

# The time of a repair can grow with the square of these. A batch of 50 messages has some 150 objects.
MAX_REPAIRED_CHARS = 24_000
MAX_REPAIRED_BRACKETS = 400
MAX_STARTS = 64  # places where JSON may begin
MAX_REPAIRS = 4
MAX_NESTING = 3  # objects around the expected one, such as {"output": …}

_START = re.compile(r"\{\s{0,99}[\"'“\w}]|\[\s{0,99}[{\[]")
_NULLS = frozenset({"", "null", "none", "nil", "n/a"})
_NUL = "\\u0000"  # an unpaired surrogate is an error for pydantic, a NUL is not
_DECODER = json.JSONDecoder(strict=False)  # accepts line breaks in strings


def parse_exact(text: str, schema: type[Schema]) -> Schema | None:
    """Parse an answer that is exactly what the schema demands; None if it is not, or cannot be stored."""
    if _NUL in text:
        return None
    try:
        return schema.model_validate_json(text)
    except ValueError:
        return None


def parse_tolerant(text: str, schema: type[Schema]) -> Schema | None:
    """Parse an answer that contains JSON in any form: with reasoning or text around it, malformed or cut off.

    Elements of lists that do not fit the schema are dropped, but not all of them. Missing values are null, false or
    empty where the schema leaves no doubt; additional fields are ignored, and characters that cannot be stored are
    replaced. None if nothing fits the schema.
    """
    for value in _find_values(strip_reasoning(text) or text):
        try:
            return _fit_root(schema, replace_unstorable_json(value))
        except ValueError:
            continue
    return None


def _find_values(text: str) -> Iterator[object]:
    """Yield what the text contains as JSON: valid objects, the last one first, what can be repaired, valid arrays."""
    values: list[object] = []
    end = 0
    starts = [match.start() for match, _ in zip(_START.finditer(text), range(MAX_STARTS), strict=False)]
    for start in starts:
        if start >= end:
            try:
                value, end = _DECODER.raw_decode(text, start)
                values.append(value)
            except (ValueError, RecursionError):
                continue
    yield from (value for value in reversed(values) if isinstance(value, dict))
    # What follows the last bracket is text, or an element that was cut off.
    end = max(text.rfind("}"), text.rfind("]")) + 1
    for start in starts[:MAX_REPAIRS]:
        brackets = text.count("{", start, end) + text.count("[", start, end)
        if start < end <= start + MAX_REPAIRED_CHARS and brackets <= MAX_REPAIRED_BRACKETS:
            try:
                yield repair_json(text[start:end], return_objects=True, skip_json_loads=True)
            except (ValueError, RecursionError):
                continue
    yield from reversed(values)
    yield values


def _fit_root(schema: type[Schema], value: object, *, nesting: int = MAX_NESTING) -> Schema:
    """Find the object with the schema's fields: the value itself, in an array, or nested in other objects."""
    lists = [name for name, field in schema.model_fields.items() if get_origin(field.annotation) is list]
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = json.loads(value)
    if isinstance(value, dict) and any(value.get(name) is not None for name in lists or schema.model_fields):
        return _complete_root(schema, value)
    parts = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(parts, list) or not nesting:
        raise ValueError("the fields of the schema are missing")
    for part in parts:
        try:
            return _fit_root(schema, part, nesting=nesting - 1)
        except ValueError:
            continue
    if parts is value and parts and len(lists) == 1:
        return _complete_root(schema, {lists[0]: value})
    raise ValueError("nothing has the fields of the schema")


def _complete_root(schema: type[Schema], value: dict[str, Any]) -> Schema:
    """Fit the fields; what is missing or invalid becomes empty, except lists."""
    fitted: dict[str, object] = {}
    for name, field in schema.model_fields.items():
        try:
            fitted[name] = _fit(field.annotation, value.get(name))
        except ValueError:
            if get_origin(field.annotation) is list:
                raise
            fitted[name] = "" if field.annotation is str else _fit(field.annotation, None)
    return schema.model_validate(fitted)


def _fit_object(schema: type[BaseModel], value: dict[str, Any]) -> BaseModel:
    fields = schema.model_fields.items()
    return schema.model_validate({name: _fit(field.annotation, value.get(name)) for name, field in fields})


def _fit(annotation: Any, value: object) -> object:  # noqa: ANN401 - a type, or an expression such as `int | None`
    """Convert a value to a type, or raise ValueError."""
    if get_origin(annotation) in (Union, UnionType):
        return _fit_nullable(get_args(annotation), value)
    if get_origin(annotation) is list:
        return _fit_list(get_args(annotation)[0], value)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        value = {} if value is None else value
        return _fit_object(annotation, value) if isinstance(value, dict) else annotation.model_validate(value)
    if annotation is bool and value is None:
        return False
    if annotation is str and isinstance(value, int | float):
        return str(value)
    return TypeAdapter(annotation).validate_python(value)


def _fit_nullable(types: tuple[Any, ...], value: object) -> object:
    if value is None or (isinstance(value, str) and value.strip().casefold() in _NULLS):
        return None
    try:
        return _fit(next(kind for kind in types if kind is not type(None)), value)
    except ValueError:
        return None


def _fit_list(kind: Any, value: object) -> list[object]:  # noqa: ANN401 - as for `_fit`
    values = value if isinstance(value, list) else [] if value is None else [value]
    fitted = []
    for one in values:
        try:
            fitted.append(_fit(kind, one))
        except ValueError:
            continue
    if values and not fitted:
        raise ValueError("no element fits the schema")
    return fitted
