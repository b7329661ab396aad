"""Vectors as query parameters in pgvector's binary format, which is cheaper than a list of numbers."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Dumper
from psycopg.pq import Format


@dataclass(frozen=True, slots=True)
class Vector:
    """A parameter for `%b::vector`."""

    numbers: Sequence[float]


class _VectorDumper(Dumper):
    """Packs a vector: its dimensions and 0 as 16-bit integers, then its elements as 32-bit floats.

    The parameter needs a cast, because the OID of the type differs between databases.

    References:
        pgvector, src/vector.c, `vector_recv`.
    """

    format = Format.BINARY

    def dump(self, obj: Vector) -> Buffer:
        dims = len(obj.numbers)
        return struct.pack(f">HH{dims}f", dims, 0, *obj.numbers)


psycopg.adapters.register_dumper(Vector, _VectorDumper)
