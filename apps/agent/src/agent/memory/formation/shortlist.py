"""The shortlist: what is known already that new messages may say again or change, under short numbers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby, zip_longest

from langgraph.store.base import BaseStore, SearchItem, SearchOp

from agent.memory.records import batches, namespaces
from agent.memory.records.inbox import InboxItem
from agent.memory.records.profile import NOW, Profile
from agent.timestamps import parse_timestamp
from agent.types import FACTS, Category, Memory, MemoryId, UserId

SHORTLISTED = 20
SAME_COSINE = 0.9
"""From here on a memory and a message say nearly the same."""
SHOWN_CHARS = 200  # of a memory


@dataclass(frozen=True, slots=True)
class KnownMemories:
    """What an extractor is told of a user."""

    memories: tuple[Memory, ...] = ()
    """The nearest to the new messages, numbered from 1: first those that say nearly the same, each part by category."""
    near: int = 0
    """How many say nearly the same."""
    profile: Profile = field(default_factory=Profile)

    def named(self, number: int | None, category: Category) -> MemoryId | None:
        """Return the memory that a number and a category name together; None where the number is made up."""
        if number is None or not 1 <= number <= len(self.memories):
            return None
        memory = self.memories[number - 1]
        return memory.id if memory.category == category else None

    def __str__(self) -> str:
        """Return what is known as lines of a prompt."""
        numbered = list(enumerate(self.memories, 1))
        told = [f"{name}: {self.profile.text(name)}" for name in NOW if self.profile.text(name)]
        parts = {
            "Known, nearly as it is said now:": list(_lines(numbered[: self.near])),
            "Known:": list(_lines(numbered[self.near :])),
            "Profile so far:": told,
        }
        return "\n".join(line for head, lines in parts.items() if lines for line in (head, *lines))


async def shortlist(
    store: BaseStore,
    user: UserId,
    items: Sequence[InboxItem],
    facts: Mapping[MemoryId, Memory],
    profile: Profile,
) -> KnownMemories:
    """Choose of a user's facts those that are nearest to new messages; in a store without vectors, the latest."""
    if not facts:
        return KnownMemories(profile=profile)
    places = [namespaces.memories(user, kind) for kind in FACTS]
    ops = [SearchOp(place, query=item.text, limit=SHORTLISTED, refresh_ttl=False) for item in items for place in places]
    found = await batches.search(store, ops)
    nearest = list(dict.fromkeys(MemoryId(item.key) for item in _in_turn(found) if item.key in facts))[:SHORTLISTED]
    scores: dict[str, float] = {}
    for item in chain.from_iterable(found):
        if item.score is not None:
            scores[item.key] = max(item.score, scores.get(item.key, item.score))
    if not scores:
        nearest = sorted(facts, key=lambda key: parse_timestamp(facts[key].last_seen), reverse=True)[:SHORTLISTED]
    chosen = sorted((facts[key] for key in nearest), key=lambda memory: memory.category)
    near = [memory for memory in chosen if scores.get(memory.id, 0.0) >= SAME_COSINE]
    others = [memory for memory in chosen if memory not in near]
    return KnownMemories((*near, *others), len(near), profile)


def _in_turn(found: Sequence[Sequence[SearchItem]]) -> Iterator[SearchItem]:
    """Yield the best of each search, then the second of each, and so on: no message takes all the places."""
    return (item for each in zip_longest(*found) for item in each if item is not None)


def _lines(numbered: Sequence[tuple[int, Memory]]) -> Iterator[str]:
    """Yield a line for each category, and below it one for each memory of it."""
    for category, memories in groupby(numbered, key=lambda one: one[1].category):
        yield f"{category}:"
        yield from (f"{number}. {' '.join(memory.text.split())[:SHOWN_CHARS]}" for number, memory in memories)
