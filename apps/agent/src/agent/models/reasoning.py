"""Reasoning that models write before their answers, and the fences around answers."""

import re

# The tags of DeepSeek and Qwen, of Magistral, of Kimi, and of prompts that ask for reasoning.
_NAME = r"(?:seed:)?(?:think|thinking|thought|thoughts|reasoning|reflection|analysis|scratch_?pad)"
_TAG = re.compile(
    rf"(?P<open><{_NAME}>|\[THINK\]|◁think▷|<\|begin_of_thought\|>)"
    rf"|(?P<close></{_NAME}>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>)",
    re.IGNORECASE,
)
_CHANNEL = "<|message|>"  # of gpt-oss: the last channel is the answer
_CHANNEL_END = re.compile(r"<\|(?:return|end)\|>")


def strip_reasoning(text: str) -> str:
    """Remove reasoning, with or without its opening tag, also if it was cut off; the rest is the answer.

    An opening tag in the middle of a line counts only if it is closed, because answers may mention tags.
    """
    if "<|channel|>" in text:
        text = _CHANNEL_END.sub("", text.rpartition(_CHANNEL)[2]) if "<|channel|>final" in text else ""
    answer: list[str] = []
    opened_at: int | None = None
    end = 0
    for tag in _TAG.finditer(text):
        if tag["close"]:
            answer = answer if opened_at is not None else []
            opened_at, end = None, tag.end()
        elif opened_at is None:
            answer.append(text[end : tag.start()])
            opened_at = tag.start()
    if opened_at is None:
        answer.append(text[end:])
    elif text[:opened_at].rpartition("\n")[2].strip():
        answer.append(text[opened_at:])
    return "".join(answer).strip()


def strip_fences(text: str) -> str:
    """Remove the lines that begin and end code blocks."""
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("```")).strip()
