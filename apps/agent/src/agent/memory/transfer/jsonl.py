"""The line format of export and import: one JSON object per line.

A line is the document of a memory with its `id` and `kind`. Other documents have a `place`: `inbox`, `profile` or
`retired`; the `kind` of a retired document is its original location.
"""

import codecs
import json
from collections.abc import Mapping

from langgraph.store.base import SearchItem
from pydantic import ValidationError
from pydantic_core import from_json

from agent.errors import InvalidInputError
from agent.memory.records import profile
from agent.memory.transfer.jsonl_models import (
    InboxLine,
    Line,
    MemoryLine,
    ProfileLine,
    RetiredItemLine,
    RetiredLine,
    RetiredSentenceLine,
)

MAX_LINE_BYTES = 512 * 1024  # an inbox item with a long answer, or a memory with a thousand sources
MAX_ERROR_CHARS = 300

# Not exported: derived from other fields, or about this installation only (`failed`).
_OMITTED_FIELDS = frozenset({"type", "place", "recallable", "failed", *profile.FIELDS})
# Accepted and ignored: `GET /memories` adds these to a memory.
_IGNORED_FIELDS = ("quote", "source_message", "score")
# Valid in JSON strings, but many programs treat them as line breaks.
_LINE_SEPARATORS = str.maketrans({char: f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"})

_MODELS: Mapping[str, type[Line]] = {
    "memories": MemoryLine,
    "inbox": InboxLine,
    "profile": ProfileLine,
    "retired": RetiredLine,
}
_RETIRED_MODELS: Mapping[str, type[Line]] = {"inbox": RetiredItemLine, "profile": RetiredSentenceLine}


def format_line(item: SearchItem, **head: str) -> bytes:
    """Format a document as a line, with the fields of `head` first."""
    fields = {name: value for name, value in item.value.items() if name not in _OMITTED_FIELDS}
    return json.dumps(head | fields, ensure_ascii=False).translate(_LINE_SEPARATORS).encode() + b"\n"


def parse_line(line: bytes) -> Line:
    """Parse and validate a line.

    Raises:
        InvalidInputError: the line is too long, not JSON, or has invalid fields. The message does not repeat the
            line's content, which may be secret.
    """
    if len(line) > MAX_LINE_BYTES:
        raise InvalidInputError(f"the line has more than {MAX_LINE_BYTES} bytes")
    try:
        fields = from_json(line.removeprefix(codecs.BOM_UTF8), allow_inf_nan=False)
        if not isinstance(fields, dict):
            raise InvalidInputError("the line is not a JSON object")
        accepted = {name: value for name, value in fields.items() if name not in _IGNORED_FIELDS}
        return _model(fields).model_validate(accepted)
    except ValidationError as error:
        details = error.errors(include_input=False, include_url=False, include_context=False)
        message = "; ".join(f"{'.'.join(map(str, detail['loc']))}: {detail['msg']}" for detail in details)
        raise InvalidInputError(message[:MAX_ERROR_CHARS]) from error
    except ValueError as error:
        raise InvalidInputError(f"the line is not valid JSON: {str(error).replace('line 1 ', '')}") from error


def _model(fields: Mapping[str, object]) -> type[Line]:
    place = str(fields.get("place", "memories"))
    if place not in _MODELS:
        raise InvalidInputError(f"place: It must be one of {', '.join(_MODELS)}")
    return _RETIRED_MODELS.get(str(fields.get("kind")), RetiredLine) if place == "retired" else _MODELS[place]
