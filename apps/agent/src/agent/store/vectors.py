"""Vectors on their way to Postgres, in pgvector's own binary form: as a list of numbers each would be packed alone."""

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
    """Packs a vector as `vector_send` does: two numbers of 16 bits, its dimensions and 0, then its floats.

    Postgres takes the type from the cast: every database has another number for it.

    References:
        pgvector, src/vector.c, `vector_recv`.
    """

    format = Format.BINARY

    def dump(self, obj: Vector) -> Buffer:
        """Return the bytes."""
        dims = len(obj.numbers)
        return struct.pack(f">HH{dims}f", dims, 0, *obj.numbers)


psycopg.adapters.register_dumper(Vector, _VectorDumper)
