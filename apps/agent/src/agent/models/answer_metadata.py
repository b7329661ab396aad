"""What the metadata of an answer say, or of a chunk of one, in the APIs of OpenAI-compatible servers."""

from collections.abc import Mapping
from typing import Any

from agent.types import FinishReason

CITATIONS = "annotations"
"""The key of a message's citations among its `additional_kwargs`, as `[{"type": "url_citation", …}]`."""

_FINISH_REASONS: dict[str, FinishReason] = {
    "length": "length",
    "max_output_tokens": "length",
    "content_filter": "content_filter",
}


def finish_reason(metadata: Mapping[str, Any]) -> FinishReason | None:
    """Read why a model ended its answer from the metadata of a message, or of a chunk; None if they do not say.

    The chat completions API says so in `finish_reason`, the responses API in `status` and `incomplete_details`.
    """
    if reason := metadata.get("finish_reason"):
        return _FINISH_REASONS.get(reason, "stop")
    if metadata.get("status") == "incomplete":
        details = metadata.get("incomplete_details") or {}
        return _FINISH_REASONS.get(details.get("reason", ""), "length")
    return "stop" if metadata.get("status") == "completed" else None
