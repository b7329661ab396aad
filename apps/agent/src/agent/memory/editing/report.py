"""Memories that applications report. They are not the user's own words until the user confirms them."""

import re
import uuid

from langgraph.store.base import BaseStore

from agent.errors import InvalidTextError
from agent.language.facts.addressed import is_standing_instruction
from agent.language.grounding.checks import normalise, rejection_reason
from agent.memory.records import lookup, namespaces
from agent.memory.records.changes import Change, commit_change
from agent.memory.records.documents import from_document, put_op
from agent.text import MAX_MEMORY_CHARS, validate_text
from agent.timestamps import now
from agent.types import Memory, MemoryId, UserId

MAX_NAME_CHARS = 64
UNKNOWN_APPLICATION = "an application"
CONFIDENCE = 0.7
"""That of the least certain fact that formation accepts (`KEEPSAKE_MIN_CONFIDENCE`)."""

_NAME = re.compile(r"[\w .,:@/&+'-]+")


async def report(store: BaseStore, user: UserId, text: str, application: str) -> Memory:
    """Add a fact as reported by an application; if the same fact is known already, return it unchanged.

    Raises:
        InvalidTextError: the text is empty or too long, or contains credentials, prompt injection or instructions.
    """
    text = validate_text(text, max_chars=MAX_MEMORY_CHARS)
    reason = rejection_reason(text) or ("instructions" if is_standing_instruction(text) else None)
    if reason:
        raise InvalidTextError(f"this is not kept as a memory ({reason})")
    key, ts = MemoryId(str(uuid.uuid4())), now()
    memory = Memory(
        key, "user", text, ts, confidence=CONFIDENCE, last_seen=ts, reported_by=application_name(application)
    )
    namespace = namespaces.memories(user, "user")

    async def plan() -> Change[Memory]:
        known = await lookup.read_all(store, namespace)
        same = next((item for item in known if normalise(item.value["text"]) == normalise(text)), None)
        if same is not None:
            return Change([], {}, from_document(same.key, same.value))
        return Change([put_op(user, memory)], {(namespace, key): None}, memory)

    return await commit_change(store, plan)


def application_name(name: str) -> str:
    """A name that an application gives itself, as it may appear in a prompt: short, and without instructions."""
    plain = " ".join(" ".join(_NAME.findall(name)).split())[:MAX_NAME_CHARS].strip()
    return UNKNOWN_APPLICATION if not plain or rejection_reason(plain) or is_standing_instruction(plain) else plain
