"""Reasoning is removed from answers, whatever marks it; answers that mention tags are kept."""

import pytest

from agent.models.reasoning import strip_fences, strip_reasoning


@pytest.mark.parametrize(
    "text",
    [
        "Answer.",
        "<think>Hm.</think>Answer.",
        "<think>\nHm.\nSo?\n</think>\n\nAnswer.",
        "<THINKING>Hm.</THINKING> Answer.",
        "Hm, no opening tag.\n</think>\nAnswer.",
        "<think>Close with </think> first. No.</think>Answer.",
        "<think>Hm.</think><think>And?</think>Answer.",
        "[THINK]Hm.[/THINK]Answer.",
        "◁think▷Hm.◁/think▷Answer.",
        "<reasoning>Hm.</reasoning>\nAnswer.",
        "<|begin_of_thought|>Hm.<|end_of_thought|>Answer.",
        "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Answer.<|return|>",
    ],
)
def test_the_answer_remains(text: str) -> None:
    assert strip_reasoning(text) == "Answer."


@pytest.mark.parametrize("text", ["<think>Hm.", "Hm.</think>", "  <think>", "<|channel|>analysis<|message|>Hm."])
def test_reasoning_without_an_answer_is_no_answer(text: str) -> None:
    assert strip_reasoning(text) == ""


def test_an_answer_may_mention_an_opening_tag() -> None:
    text = "User asked why <think> appears in the output."
    assert strip_reasoning(text) == text


def test_the_lines_of_fences_are_removed() -> None:
    assert strip_fences("```text\nUser moved.\n\nTo Oslo.\n```") == "User moved.\n\nTo Oslo."
    assert strip_fences("No fence: `x`.") == "No fence: `x`."
