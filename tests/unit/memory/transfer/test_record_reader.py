"""Records are read from chunks of any size, and never accumulate."""

import json
import tracemalloc
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import InvalidInputError
from agent.memory.transfer.foreign.record_reader import MAX_RECORD_BYTES, RecordReader

JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=5), children, max_size=3),
    max_leaves=10,
)
RECORDS = st.lists(st.dictionaries(st.text(max_size=5), JSON, max_size=3), min_size=1, max_size=5)


def read(chunks: Iterable[bytes]) -> list[Any]:
    reader = RecordReader()
    return [record for chunk in (*chunks, b"") for record in reader.feed(chunk)]


def split(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


@given(RECORDS, st.integers(1, 50))
def test_a_list_is_read_in_chunks_of_any_size(records: list[Any], size: int) -> None:
    assert read(split(json.dumps(records).encode(), size)) == records


@given(RECORDS, JSON, st.integers(1, 50))
def test_a_list_in_an_object_is_read_without_the_rest_of_the_object(records: list[Any], rest: Any, size: int) -> None:  # noqa: ANN401 - any JSON
    data = {"a": rest, "results": records, "z": rest}
    assert read(split(json.dumps(data).encode(), size)) == records


def test_several_lists_in_an_object_are_read_and_texts_are_records() -> None:
    data = {"context": "x", "facts": ["Has two cats"], "other": [1, [2]], "relevant_facts": [{"fact": "Gardens"}]}
    assert read([json.dumps(data).encode()]) == [{"content": "Has two cats"}, {"fact": "Gardens"}]


def test_objects_of_json_lines_are_records() -> None:
    assert read([b'{"a": [1, {"b": 2}]}\n{"a": 3}\n']) == [{"a": [1, {"b": 2}]}, {"a": 3}]


def test_an_export_of_a_hundred_megabytes_needs_little_memory() -> None:
    record = json.dumps({"mapping": {str(n): {"message": "x" * 2_000} for n in range(50)}}).encode() + b","
    reader, count = RecordReader(), 0
    reader.feed(b"[")
    tracemalloc.start()
    try:
        for _ in range(100_000_000 // len(record)):
            count += len(reader.feed(record))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count > 900
    assert peak < 5_000_000


def test_a_record_has_a_maximum_size() -> None:
    with pytest.raises(InvalidInputError, match="bytes"):
        read([b'[{"x": ["', *[b"x" * 1_000_000] * (MAX_RECORD_BYTES // 1_000_000 + 1)])
