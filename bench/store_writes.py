"""Writes of several stores side by side."""

import asyncio
import random
import time
import uuid
from collections.abc import Mapping, Sequence

from langgraph.store.base import BaseStore

from .store_data import namespaces, sentence
from .store_open import Prepared
from .store_searches import Measured
from .turn_seed import memory

WRITERS = 16
ONE_BY_ONE, AT_ONCE = "puts one by one", f"puts of {WRITERS} at once"


async def write(
    stores: Mapping[str, BaseStore], embedder: Prepared, users: int, *, rounds: int, puts: int
) -> dict[str, Measured]:
    """Let stores write in turns: in each round the same texts, but in another order.

    Returns:
        How long a put took in each store: `ONE_BY_ONE`, and `AT_ONCE`, which is the time of all by their number.
    """
    pick = random.Random(4)  # noqa: S311 (the same in each run)
    measured = {f"{name}, {how}": Measured() for name in stores for how in (ONE_BY_ONE, AT_ONCE)}
    for number in range(-2, rounds):  # the first ones are to warm up
        texts = [embedder.learn(f"{sentence(pick)} {number} {n}") for n in range(puts + WRITERS * WRITERS)]
        for name in pick.sample(list(stores), len(stores)):
            times = [await _put(stores[name], pick.randrange(users), text) for text in texts[:puts]]
            began = time.perf_counter()
            shares = [texts[puts + n :: WRITERS] for n in range(WRITERS)]
            await asyncio.gather(*(_put_all(stores[name], pick.randrange(users), share) for share in shares))
            took = 1000 * (time.perf_counter() - began)
            if number >= 0:
                measured[f"{name}, {ONE_BY_ONE}"].rounds.append(times)
                measured[f"{name}, {AT_ONCE}"].rounds.append([took / sum(map(len, shares))])
    return measured


async def _put_all(store: BaseStore, n: int, texts: Sequence[str]) -> None:
    for text in texts:
        await _put(store, n, text)


async def _put(store: BaseStore, n: int, text: str) -> float:
    """Write a memory, and return how long it took, in ms."""
    namespace = namespaces(n)[0]
    value, key = memory(text, namespace[-1]), str(uuid.uuid4())
    began = time.perf_counter()
    await store.aput(namespace, key, value)
    return 1000 * (time.perf_counter() - began)
