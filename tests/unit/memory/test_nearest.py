"""The memories that are most similar to a message."""

from dataclasses import replace

from agent.memory.recall.calibration import UNCALIBRATED
from agent.memory.recall.nearest import MAX_NEAREST, nearest_texts
from support.tips import make_hit


def _nearest(*scored: tuple[str, float | None]) -> tuple[str, ...]:
    return nearest_texts((replace(make_hit(text), score=score) for text, score in scored), UNCALIBRATED)


def test_the_nearest_memories_are_as_similar_as_related_texts_and_nearly_as_similar_as_the_best() -> None:
    assert _nearest(("Likes tea", 0.2), ("Our mortgage is with Lloyds", 0.5), ("Owes Jack 300", 0.36)) == (
        "Our mortgage is with Lloyds",
    )
    assert _nearest(("Likes tea", 0.2), ("Lives in Leeds", None)) == ()


def test_few_memories_are_nearest_and_each_text_is_one_line() -> None:
    assert _nearest(("Has a\ncat", 0.6), ("Has a cat", 0.6)) == ("Has a cat",)
    assert len(_nearest(*((f"Has {n} cats", 0.6) for n in range(9)))) == MAX_NEAREST
