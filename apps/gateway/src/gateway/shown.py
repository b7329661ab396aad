"""What clients see of a memory, over HTTP and on the command line alike."""

from dataclasses import asdict
from typing import Any

from agent import Memory, Version


def shown(memory: Memory) -> dict[str, Any]:
    """Return a memory with the quote and the message of its newest source beside it."""
    newest = memory.sources[-1] if memory.sources else None
    fields = asdict(memory) | {
        "quote": newest.quote if newest else None,
        "source_message": newest.message if newest else None,
        "sources": [source.as_dict() for source in memory.sources],
    }
    if memory.score is None:
        del fields["score"]
    return fields


def shown_version(version: Version) -> dict[str, Any]:
    """Return a memory as it was, and how it ceased to be so; `version` is the id of this state of it."""
    how = {"version": version.id, "retired_at": version.retired_at, "who": version.who, "why": version.why}
    return shown(version.memory) | how | {"by": version.by}
