"""Reads the records of a JSON document while it arrives, with bounded memory."""

from typing import Any

import ijson

from agent.errors import InvalidInputError
from agent.memory.transfer.foreign.entries import Record

MAX_RECORD_BYTES = 32 * 1024 * 1024
"""Maximum size of a record; a conversation with hundreds of long messages has several megabytes."""
MAX_DEPTH = 64
WRAPPERS = frozenset({"results", "memories", "edges", "facts", "relevant_facts", "items"})
"""Members of an object whose elements are the records."""

_STARTS = frozenset({"start_map", "start_array"})
_ENDS = frozenset({"end_map", "end_array"})
_NO_LEVEL = -1


class RecordReader:
    """Yields the elements of a list, of the lists in an object (see `WRAPPERS`), or the objects of JSON lines."""

    def __init__(self) -> None:
        self._events = ijson.sendable_list()
        self._parser = ijson.basic_parse_coro(self._events, multiple_values=True, use_float=True)
        self._builder: ijson.ObjectBuilder | None = None
        """Builds the current record."""
        self._depth = 0
        self._level = 0
        """The depth at which records begin."""
        self._key = ""
        """The latest key of the outermost object."""
        self._bytes = 0
        """Received since the latest complete record."""

    def feed(self, chunk: bytes) -> list[Record]:
        """Parse the next chunk; an empty one ends the document.

        Raises:
            InvalidInputError: the document is not valid JSON, or contains something too large or too deep.
        """
        self._bytes += len(chunk)
        try:
            if chunk:
                self._parser.send(chunk)
            else:
                self._parser.close()
        except (ijson.JSONError, UnicodeDecodeError) as error:
            raise InvalidInputError("the file is not valid JSON") from error
        records = [record for event, value in self._events if (record := self._handle(event, value)) is not None]
        del self._events[:]
        if self._bytes > MAX_RECORD_BYTES:
            raise InvalidInputError(f"a conversation has more than {MAX_RECORD_BYTES} bytes")
        # Lists of facts may consist of texts.
        return [record if isinstance(record, dict) else {"content": record} for record in records]

    def _handle(self, event: str, value: Any) -> Any:  # noqa: ANN401 - any JSON value
        """Handle an event; return a record that is complete."""
        if event in _ENDS:
            self._depth -= 1
        elif event == "map_key" and self._depth == 1:
            self._key = value
        elif self._builder is None and self._depth == self._level and event != "map_key":
            if event == "start_array" and self._depth == 0:
                self._level = 1
            else:
                self._builder = ijson.ObjectBuilder()
        if self._builder is not None:
            self._builder.event(event, value)
        if event in _STARTS:
            self._enter(event)
        return self._leave()

    def _enter(self, event: str) -> None:
        is_wrapped = event == "start_array" and self._depth == 1 and self._level in {0, _NO_LEVEL}
        if is_wrapped and self._key in WRAPPERS:
            self._builder, self._level = None, 2
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise InvalidInputError(f"the file has more than {MAX_DEPTH} nested values")

    def _leave(self) -> Any:  # noqa: ANN401 - any JSON value
        record = None
        if self._builder is not None and self._depth == self._level:
            record, self._builder, self._bytes = self._builder.value, None, 0
        if self._depth == 0:
            self._level = 0
        elif self._level == self._depth + 1 and self._level > 1:
            self._level = _NO_LEVEL  # the list in the object has ended
        return record
