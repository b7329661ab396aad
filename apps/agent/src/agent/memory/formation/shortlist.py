"""The shortlist: known facts that new messages may confirm or change, numbered for the extractor's prompt."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby, zip_longest

from langgraph.store.base import BaseStore, SearchOp

from agent.memory.records import batches, namespaces
from agent.memory.records.inbox import InboxItem
from agent.memory.records.profile import CURRENT_FIELDS, Profile
from agent.timestamps import parse_timestamp
from agent.types import FACT_KINDS, Category, Memory, MemoryId, UserId

SHORTLIST_SIZE = 20
DUPLICATE_COSINE = 0.9
"""From this similarity on, a memory and a message say nearly the same."""
MAX_MEMORY_CHARS = 200


@dataclass(frozen=True, slots=True)
class KnownMemories:
    """The memories and the profile that an extractor reads."""

    memories: tuple[Memory, ...] = ()
    """Numbered from 1: near duplicates of the new messages, then the others; each part is sorted by category."""
    near_duplicates: int = 0
    """How many of the memories are near duplicates."""
    profile: Profile = field(default_factory=Profile)

    def resolve(self, number: int | None, category: Category) -> MemoryId | None:
        """Find a memory by its number; None if the number is invalid or the category differs."""
        if number is None or not 1 <= number <= len(self.memories):
            return None
        memory = self.memories[number - 1]
        return memory.id if memory.category == category else None

    def __str__(self) -> str:
        """Format the memories and the profile for a prompt."""
        numbered = list(enumerate(self.memories, 1))
        profile = [f"{name}: {self.profile.text(name)}" for name in CURRENT_FIELDS if self.profile.text(name)]
        sections = {
            "Known, nearly as it is said now:": list(_format_lines(numbered[: self.near_duplicates])),
            "Known:": list(_format_lines(numbered[self.near_duplicates :])),
            "Profile so far:": profile,
        }
        return "\n".join(line for heading, lines in sections.items() if lines for line in (heading, *lines))


async def shortlist(
    store: BaseStore, user: UserId, items: Sequence[InboxItem], facts: Mapping[MemoryId, Memory], profile: Profile
) -> KnownMemories:
    """Choose the facts that are nearest to the new messages; in a store without vectors, the latest facts."""
    if not facts:
        return KnownMemories(profile=profile)
    ops = [
        SearchOp(namespaces.memories(user, kind), query=item.text, limit=SHORTLIST_SIZE, refresh_ttl=False)
        for item in items
        for kind in FACT_KINDS
    ]
    results = await batches.search(store, ops)
    # The best result of each search, then the second best of each, and so on, so that all messages count.
    ranked = (item for rank in zip_longest(*results) for item in rank if item is not None)
    nearest = list(dict.fromkeys(MemoryId(item.key) for item in ranked if item.key in facts))[:SHORTLIST_SIZE]
    scores: dict[str, float] = {}
    for item in chain.from_iterable(results):
        if item.score is not None:
            scores[item.key] = max(item.score, scores.get(item.key, item.score))
    if not scores:
        nearest = sorted(facts, key=lambda key: parse_timestamp(facts[key].last_seen), reverse=True)[:SHORTLIST_SIZE]
    chosen = sorted((facts[key] for key in nearest), key=lambda memory: memory.category)
    duplicates = [memory for memory in chosen if scores.get(memory.id, 0.0) >= DUPLICATE_COSINE]
    others = [memory for memory in chosen if memory not in duplicates]
    return KnownMemories((*duplicates, *others), len(duplicates), profile)


def _format_lines(numbered: Sequence[tuple[int, Memory]]) -> Iterator[str]:
    for category, memories in groupby(numbered, key=lambda pair: pair[1].category):
        yield f"{category}:"
        yield from (f"{number}. {' '.join(memory.text.split())[:MAX_MEMORY_CHARS]}" for number, memory in memories)
