"""The origin of a memory: the user's own words and when they said them."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.errors import MemoryNotFoundError
from agent.language.references.antecedents import without_antecedent
from agent.language.revision.value_statements import without_marker
from agent.memory.editing.library import Library
from agent.memory.editing.selection import Statement
from agent.types import MemoryId, UserId


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a statement comes from."""

    text: str
    """The statement as it is remembered."""
    quote: str
    """The user's words; empty if it was entered, imported or reported."""
    ts: str
    application: str | None = None
    """The application that reported it; None if the user did."""


async def load_origins(library: Library, user: UserId, statements: Sequence[Statement]) -> list[Origin]:
    """The first origin of each statement; those with the same words are listed once."""
    found = [await _load_origin(library, user, one) for one in statements]
    return list({(one.quote or one.text, one.ts): one for one in found}.values())


async def _load_origin(library: Library, user: UserId, statement: Statement) -> Origin:
    try:
        memory = await library.get(user, MemoryId(statement.id))
    except MemoryNotFoundError:  # a message that is not processed yet
        return Origin(statement.text, without_marker(without_antecedent(statement.text)), statement.said_at)
    if memory.reported_by:
        return Origin(memory.text, "", memory.ts, memory.reported_by)
    source = next((one for one in memory.sources if one.quote), None)
    quote = without_marker(without_antecedent(source.quote)) if source else ""
    return Origin(statement.text, quote, source.ts if source else memory.ts)
