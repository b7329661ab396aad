"""How an inbox is cut into what a model reads at once."""

from agent.jobs.drain import MAX_BATCH_CHARS, MAX_BATCH_MESSAGES, split_batches
from agent.memory.records.inbox import InboxItem
from agent.types import MessageId, ThreadId


def _item(moment: int, thread: str = "t", text: str = "x") -> InboxItem:
    return InboxItem(MessageId(f"m{moment}"), ThreadId(thread), text, f"2026-01-01T00:00:{moment:03}+00:00")


def test_what_is_new_in_a_thread_is_one_batch_and_what_was_said_first_comes_first() -> None:
    items = [_item(4, "a"), _item(2, "b"), _item(3, "a"), _item(1, "b")]
    assert [[item.message for item in batch] for batch in split_batches(items)] == [["m1", "m2"], ["m3", "m4"]]


def test_an_empty_inbox_is_no_batch() -> None:
    assert split_batches([]) == []


def test_many_messages_of_a_thread_are_several_batches_in_their_order() -> None:
    items = [_item(n) for n in range(MAX_BATCH_MESSAGES + 1)]
    assert [len(batch) for batch in split_batches(items)] == [MAX_BATCH_MESSAGES, 1]
    assert [item for batch in split_batches(items) for item in batch] == items


def test_long_messages_are_read_in_several_batches_each_of_them_whole() -> None:
    items = [_item(n, text="x" * (MAX_BATCH_CHARS // 2)) for n in range(3)]
    assert [len(batch) for batch in split_batches(items)] == [2, 1]
    [[whole]] = split_batches([_item(1, text="x" * (MAX_BATCH_CHARS + 1))])
    assert len(whole.text) == MAX_BATCH_CHARS + 1
