"""A map of a user's memories: their vectors projected to two dimensions."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field

import numpy as np
from langgraph.store.base import BaseStore
from numpy.typing import NDArray

from agent.memory.records import namespaces
from agent.store import ExactPostgresStore
from agent.store.vector_reader import read_vectors, read_version
from agent.types import KINDS, UserId

MAX_POINTS = 10_000
CACHED_USERS = 16


@dataclass(frozen=True, slots=True)
class MapPoint:
    """A memory on the map; the coordinates are between -1 and 1."""

    id: str
    kind: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class MemoryMap:
    """The points of a user's memories, similar ones near each other."""

    version: str
    """Differs whenever the points do."""
    points: tuple[MapPoint, ...]


@dataclass(frozen=True, slots=True)
class MemoryMaps:
    """Computes maps, and keeps those of the users who asked last. Only the Postgres store has vectors to read."""

    store: BaseStore
    _cache: OrderedDict[UserId, MemoryMap] = field(default_factory=OrderedDict)

    async def read(self, user: UserId) -> MemoryMap:
        """The current map of a user's memories, at most `MAX_POINTS` of them.

        Raises:
            StoreUnavailableError: the database does not answer.
        """
        if not isinstance(self.store, ExactPostgresStore):
            return MemoryMap("", ())
        owner, spaces = namespaces.user_root(user), [namespaces.memories(user, kind) for kind in KINDS]
        version = await read_version(self.store, owner, spaces)
        if (known := self._cache.get(user)) is None or known.version != version:
            places, vectors = await read_vectors(self.store, owner, spaces, limit=MAX_POINTS)
            coordinates = await asyncio.to_thread(project, vectors)
            points = (
                MapPoint(key, namespace[-1], float(x), float(y))
                for (namespace, key), (x, y) in zip(places, coordinates, strict=True)
            )
            known = self._cache[user] = MemoryMap(version, tuple(points))
        self._cache.move_to_end(user)
        while len(self._cache) > CACHED_USERS:
            self._cache.popitem(last=False)
        return known


def project(vectors: NDArray[np.float16]) -> NDArray[np.float32]:
    """Project vectors on their first two principal components, scaled to between -1 and 1: [N][2].

    The same vectors give the same points: the largest component of each axis is positive.

    Args:
        vectors: [N][D], N may be 0.

    References:
        Pearson: On lines and planes of closest fit to systems of points in space, 1901.
    """
    if len(vectors) <= 1:  # one point has no variance
        return np.zeros((len(vectors), 2), np.float32)
    centred = vectors.astype(np.float32)
    centred -= centred.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)  # in ascending order of variance
    axes = axes[:, :-3:-1]
    axes *= np.sign(axes[np.abs(axes).argmax(axis=0), range(axes.shape[1])])
    points = np.zeros((len(vectors), 2), np.float32)
    points[:, : axes.shape[1]] = centred @ axes
    return points / max(float(np.abs(points).max()), 1e-9)
