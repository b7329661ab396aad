"""Batches: how messages are split into them, how they are formatted, and how many memories a message may become."""

from dataclasses import replace

import pytest

from agent.memory.formation.batch import (
    MAX_BATCH_CHARS,
    MAX_BATCH_MESSAGES,
    MAX_CONTEXT_CHARS,
    TIMED_OUT,
    Batch,
    ContextMessage,
    max_memories,
    split_batches,
)
from agent.memory.records.inbox import Failure, InboxItem
from agent.types import MessageId, ThreadId


def make_item(second: int, thread: str = "t", text: str = "x", answer: str = "", time_zone: str = "") -> InboxItem:
    ts = f"2026-11-22T22:30:{second:02}+00:00"
    return InboxItem(MessageId(f"m{second}"), ThreadId(thread), text, ts, answer, time_zone=time_zone)


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


def test_a_batch_counts_the_answers_as_the_model_reads_them() -> None:
    items = [make_item(n, text="x" * (MAX_BATCH_CHARS // 2), answer="a" * 20_000) for n in range(2)]
    assert [len(batch) for batch in split_batches(items)] == [1, 1]
    assert len(split_batches([make_item(n, answer="a" * 20_000) for n in range(5)])) == 1


@pytest.mark.parametrize(("times", "sizes"), [(1, [8]), (3, [6, 2]), (4, [3, 3, 2]), (6, [1] * 8)])
def test_a_batch_that_took_too_long_is_retried_in_smaller_ones(times: int, sizes: list[int]) -> None:
    failed = Failure(times, "2026-11-22T22:31:00+00:00", f"formation_failed: {TIMED_OUT}")
    items = [replace(make_item(n), failed=failed) for n in range(8)]
    assert [len(batch) for batch in split_batches(items)] == sizes
    unavailable = [replace(item, failed=replace(failed, error="formation_failed: no answer")) for item in items]
    assert len(split_batches(unavailable)) == 1


def test_a_prompt_has_the_context_and_the_local_time_of_each_numbered_message() -> None:
    context = [ContextMessage("user", "We are\nengaged!"), ContextMessage("assistant", "When is the wedding?")]
    items = [make_item(1, text="June 12", answer="Lovely.", time_zone="Europe/Oslo"), make_item(2, text="In Bergen.")]
    assert str(Batch(items, context)).splitlines() == [
        "Earlier in this conversation, for understanding only:",
        "user: We are engaged!",
        "assistant: When is the wedding?",
        "",
        "New messages:",
        "",
        "[1] Sunday 22 November 2026, 23:30 (Europe/Oslo)",
        "user: June 12",
        "assistant: Lovely.",
        "",
        "[2] Sunday 22 November 2026, 22:30 (UTC)",
        "user: In Bergen.",
    ]


def test_without_context_the_prompt_has_no_such_section() -> None:
    assert str(Batch([make_item(1)])).startswith("New messages:")


def test_long_context_keeps_its_beginning_and_its_closing_question_and_new_messages_are_complete() -> None:
    lengthy = f"Congratulations! {'word ' * 1_000} When is the wedding?"
    statement = "I will be there. " * 500
    prompt = str(Batch([make_item(1, text=statement, answer=lengthy)], [ContextMessage("assistant", lengthy)]))
    assert prompt.count("Congratulations!") == prompt.count("When is the wedding?") == 2
    assert statement in prompt
    assert len(prompt) < len(statement) + 2 * MAX_CONTEXT_CHARS + 200


@pytest.mark.parametrize(
    ("words", "memories"), [(0, 3), (1, 3), (50, 3), (74, 3), (75, 4), (100, 5), (274, 11), (275, 12), (5_000, 12)]
)
def test_long_messages_may_become_more_memories(words: int, memories: int) -> None:
    assert max_memories("word " * words) == memories


def test_languages_without_spaces_between_words_count_too() -> None:
    sentence = "我下个月要从上海搬到北京开始在一家医院当护士。"
    assert max_memories(sentence) == max_memories("word " * 12)
    assert max_memories(sentence * 10) > max_memories(sentence)
