"""Batches: how many memories a message may become."""

import pytest

from agent.memory.formation.batch import max_memories


@pytest.mark.parametrize(
    ("words", "memories"), [(0, 3), (1, 3), (50, 3), (74, 3), (75, 4), (100, 5), (274, 11), (275, 12), (5_000, 12)]
)
def test_long_messages_may_become_more_memories(words: int, memories: int) -> None:
    assert max_memories("word " * words) == memories


def test_languages_without_spaces_between_words_count_too() -> None:
    sentence = "我下个月要从上海搬到北京开始在一家医院当护士。"
    assert max_memories(sentence) == max_memories("word " * 12)
    assert max_memories(sentence * 10) > max_memories(sentence)
