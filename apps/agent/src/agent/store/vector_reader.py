"""Reading all vectors of some namespaces of one owner."""

from collections.abc import Sequence
from typing import LiteralString

import numpy as np
from numpy.typing import NDArray

from agent.database.statements import Statements
from agent.store.postgres import ExactPostgresStore

ItemPlace = tuple[tuple[str, ...], str]
"""The namespace and the key of an item."""


class SQL(Statements, file="vector_reader.sql"):
    """Statements of `vector_reader.sql`."""

    read_version: LiteralString
    read_vectors: LiteralString


HEADER_BYTES = 4
"""Size of the header of a binary `halfvec` (number of dimensions, reserved field), which big-endian halves follow."""


async def read_version(store: ExactPostgresStore, owner: tuple[str, ...], namespaces: Sequence[tuple[str, ...]]) -> str:
    """A text that differs whenever vectors were added, changed or deleted."""
    async with store.transaction(".".join(owner)) as cursor:
        await cursor.execute(SQL.read_version, {"prefixes": [".".join(namespace) for namespace in namespaces]})
        row = await cursor.fetchone()
    return f"{row['vectors']}-{row['changed_at']}" if row else ""


async def read_vectors(
    store: ExactPostgresStore, owner: tuple[str, ...], namespaces: Sequence[tuple[str, ...]], *, limit: int
) -> tuple[list[ItemPlace], NDArray[np.float16]]:
    """Read the items of the vectors, and the vectors: [N] and [N][D], by namespace and key."""
    parameters = {"prefixes": [".".join(namespace) for namespace in namespaces], "limit": limit}
    async with store.transaction(".".join(owner)) as cursor:
        await cursor.execute(SQL.read_vectors, parameters)
        rows = await cursor.fetchall()
    places = [(tuple(row["prefix"].split(".")), row["key"]) for row in rows]
    halves = [np.frombuffer(row["near"], ">f2", offset=HEADER_BYTES) for row in rows]
    return places, np.asarray(halves, np.float16)
