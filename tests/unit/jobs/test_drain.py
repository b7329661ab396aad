"""Splitting an inbox into batches."""

from agent.jobs.drain import MAX_BATCH_CHARS, MAX_BATCH_MESSAGES, split_batches
from agent.memory.records.inbox import InboxItem
from agent.types import MessageId, ThreadId


def make_item(second: int, thread: str = "t", text: str = "x") -> InboxItem:
    return InboxItem(MessageId(f"m{second}"), ThreadId(thread), text, f"2026-01-01T00:00:{second:03}+00:00")


def test_each_thread_is_a_batch_and_the_oldest_batch_comes_first() -> None:
    items = [make_item(4, "a"), make_item(2, "b"), make_item(3, "a"), make_item(1, "b")]
    assert [[item.message for item in batch] for batch in split_batches(items)] == [["m1", "m2"], ["m3", "m4"]]


def test_an_empty_inbox_has_no_batches() -> None:
    assert split_batches([]) == []


def test_batches_have_a_maximum_number_of_messages() -> None:
    items = [make_item(n) for n in range(MAX_BATCH_MESSAGES + 1)]
    assert [len(batch) for batch in split_batches(items)] == [MAX_BATCH_MESSAGES, 1]
    assert [item for batch in split_batches(items) for item in batch] == items


def test_batches_have_a_maximum_length_but_messages_are_never_split() -> None:
    items = [make_item(n, text="x" * (MAX_BATCH_CHARS // 2)) for n in range(3)]
    assert [len(batch) for batch in split_batches(items)] == [2, 1]
    [[item]] = split_batches([make_item(1, text="x" * (MAX_BATCH_CHARS + 1))])
    assert len(item.text) == MAX_BATCH_CHARS + 1
