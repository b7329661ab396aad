"""How much of the stores is measured."""

from dataclasses import dataclass

from .store_data import Population


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured."""

    many: Population
    growing: tuple[Population, ...]
    """As many memories for each user, the most users last."""
    indexed: Population
    one_big: Population
    long: Population
    rounds: int
    searches: int
    """A contestant's, a round."""
    puts: int


FULL = Sizes(
    many=Population(100, 2_000),
    growing=(Population(10, 20), Population(1_000, 20), Population(50_000, 20)),
    indexed=Population(10_000, 20),
    one_big=Population(1_000, 20, of_the_first=50_000),
    long=Population(100, 500, dims=1_536),
    rounds=60,
    searches=5,
    puts=32,
)
QUICK = Sizes(
    many=Population(20, 500),
    growing=(Population(10, 20), Population(100, 20), Population(1_000, 20)),
    indexed=Population(500, 20),
    one_big=Population(100, 20, of_the_first=4_000),
    long=Population(20, 100, dims=1_536),
    rounds=8,
    searches=5,
    puts=16,
)
