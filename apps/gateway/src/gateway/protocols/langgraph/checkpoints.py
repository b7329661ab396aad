"""References to checkpoints: each message of a thread is followed by one, whose id is that of the message."""

from collections.abc import Sequence
from typing import Any

from agent import Message
from gateway.errors import UnsupportedError

Json = dict[str, Any]


def checkpoint_id_of(checkpoint: Json | str | None, checkpoint_id: str | None = None) -> str | None:
    """The id in a reference to a checkpoint; None for the latest.

    Raises:
        UnsupportedError: the checkpoint is one of a subgraph.
    """
    if isinstance(checkpoint, str):
        return checkpoint
    if checkpoint is None:
        return checkpoint_id
    if checkpoint.get("checkpoint_ns"):
        raise UnsupportedError("checkpoint_ns: there are no subgraphs")
    found = checkpoint.get("checkpoint_id")
    return found if isinstance(found, str) else checkpoint_id


def check_is_latest(messages: Sequence[Message], checkpoint_id: str | None) -> None:
    """Reject a change that starts from an earlier state.

    Raises:
        UnsupportedError: the checkpoint is not the latest one.
    """
    if checkpoint_id is not None and checkpoint_id not in {message.id for message in messages[-1:]}:
        raise UnsupportedError("checkpoint: a thread continues from its latest state; it has no branches")
