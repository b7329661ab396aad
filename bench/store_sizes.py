"""Sizes of the store measurement."""

from dataclasses import dataclass

from .store_data import Population


@dataclass(frozen=True, slots=True)
class Sizes:
    """Populations, rounds and searches."""

    many_memories: Population
    many_users: tuple[Population, ...]
    """The same number of memories per user, for increasing numbers of users."""
    indexed: Population
    large_user: Population
    long_vectors: Population
    rounds: int
    searches: int
    """Searches per contestant and round."""
    puts: int


FULL = Sizes(
    many_memories=Population(100, 2_000),
    many_users=(Population(10, 20), Population(1_000, 20), Population(50_000, 20)),
    indexed=Population(10_000, 20),
    large_user=Population(1_000, 20, first_user_memories=50_000),
    long_vectors=Population(100, 500, dims=1_536),
    rounds=60,
    searches=5,
    puts=32,
)
QUICK = Sizes(
    many_memories=Population(20, 500),
    many_users=(Population(10, 20), Population(100, 20), Population(1_000, 20)),
    indexed=Population(500, 20),
    large_user=Population(100, 20, first_user_memories=4_000),
    long_vectors=Population(20, 100, dims=1_536),
    rounds=8,
    searches=5,
    puts=16,
)
