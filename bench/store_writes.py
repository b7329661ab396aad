"""Compare writes of several stores."""

import asyncio
import random
import time
import uuid
from collections.abc import Mapping, Sequence

from langgraph.store.base import BaseStore

from .store_data import namespaces, sentence
from .store_open import PreparedEmbedder
from .store_searches import Measurement
from .turn_seed import memory_value

WRITERS = 16
SEQUENTIAL, CONCURRENT = "sequential puts", f"{WRITERS} concurrent writers"


async def write(
    stores: Mapping[str, BaseStore], embedder: PreparedEmbedder, users: int, *, rounds: int, puts: int
) -> dict[str, Measurement]:
    """Let all stores write the same texts, in random order per round.

    Returns:
        Milliseconds per put of each store: `SEQUENTIAL`, and `CONCURRENT` (total time divided by the number of puts).
    """
    pick = random.Random(4)
    measured = {f"{name}, {how}": Measurement() for name in stores for how in (SEQUENTIAL, CONCURRENT)}
    for number in range(-2, rounds):  # negative rounds warm up
        texts = [embedder.add(f"{sentence(pick)} {number} {n}") for n in range(puts + WRITERS * WRITERS)]
        for name in pick.sample(list(stores), len(stores)):
            times = [await _put(stores[name], pick.randrange(users), text) for text in texts[:puts]]
            started = time.perf_counter()
            shares = [texts[puts + n :: WRITERS] for n in range(WRITERS)]
            await asyncio.gather(*(_put_all(stores[name], pick.randrange(users), share) for share in shares))
            elapsed = 1000 * (time.perf_counter() - started)
            if number >= 0:
                measured[f"{name}, {SEQUENTIAL}"].rounds.append(times)
                measured[f"{name}, {CONCURRENT}"].rounds.append([elapsed / sum(map(len, shares))])
    return measured


async def _put_all(store: BaseStore, n: int, texts: Sequence[str]) -> None:
    for text in texts:
        await _put(store, n, text)


async def _put(store: BaseStore, n: int, text: str) -> float:
    """Write a memory; returns the duration in ms."""
    namespace = namespaces(n)[0]
    value, key = memory_value(text, namespace[-1]), str(uuid.uuid4())
    started = time.perf_counter()
    await store.aput(namespace, key, value)
    return 1000 * (time.perf_counter() - started)
