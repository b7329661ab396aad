"""The part of a prompt that the next turn's prompt repeats, which a model server can cache; see README.md."""

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from support.scripted_openai import ScriptedOpenAI

from . import tip_sets
from .tip_figures import Figure, Result
from .tip_service import running

REPLY = "Noted, thank you."
Messages = Sequence[dict[str, Any]]


async def prefix() -> list[Result]:
    """One thread of a user with many memories; the model is scripted, embeddings and formation are as offline."""
    with ScriptedOpenAI() as model:
        model.script.reply = lambda _: REPLY
        options = {
            "OPENAI_API_KEY": "x",
            "OPENAI_BASE_URL": model.base_url,
            "KEEPSAKE_EMBEDDING_MODEL": "minilm",
            "KEEPSAKE_EXTRACTOR": "rules",
        }
        async with running(**options) as service:
            user = await service.user()
            for text in tip_sets.statements("en"):
                await user.say(text)
            await user.flush()
            before = len(model.chat_requests())
            thread, texts = "5f1c7a52-5c0e-4b7e-9d0a-3a8b7f0e6c11", tip_sets.thread()
            for text in texts:
                await user.say(text, thread)
            requests = model.chat_requests()[before:]
    prompts: list[Messages] = [request.body["messages"] for request in requests]
    assert len(prompts) == len(texts), "a turn is one request"
    return [_figure(prompts)]


def repeated(prompt: Messages, following: Messages) -> tuple[int, int]:
    """How much of a prompt the next turn's prompt repeats.

    Messages are serialised as JSON, one per line. Of prompt n, these bytes are expected to be repeated: the prompt
    without its last user message, what follows that message, and the system message directly before it, unless that
    is the first message of the prompt (it contains the memories recalled for the user message). Repeated are the
    bytes that these have in common with prompt n + 1, from the start up to the first difference.

    Returns:
        (bytes repeated, bytes expected to be repeated)
    """
    expected, actual = _serialise(_stable(prompt)), _serialise(following)
    differing = (n for n, (one, other) in enumerate(zip(expected, actual, strict=False)) if one != other)
    return next(differing, min(len(expected), len(actual))), len(expected)


def _stable(prompt: Messages) -> Messages:
    last = max(n for n, message in enumerate(prompt) if message["role"] == "user")
    has_recalled_part = last > 1 and prompt[last - 1]["role"] == "system"
    return prompt[: last - 1 if has_recalled_part else last]


def _serialise(messages: Messages) -> bytes:
    return "".join(f"{json.dumps(message, ensure_ascii=False)}\n" for message in messages).encode()


def _figure(prompts: Sequence[Messages]) -> Figure:
    pairs = [repeated(prompt, following) for prompt, following in pairwise(prompts)]
    sizes = [len(_serialise(prompt)) for prompt in prompts]
    return Figure(
        "prompt prefix repeated by the next turn",
        {
            "turns": round(sum(same == total for same, total in pairs) / len(pairs), 4),
            "bytes": round(sum(same for same, _ in pairs) / sum(total for _, total in pairs), 4),
            "of turns": len(pairs),
            "mean prompt bytes": round(sum(sizes) / len(sizes)),
        },
    )
