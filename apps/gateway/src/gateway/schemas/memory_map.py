"""Schemas of the map of memories."""

from pydantic import Field

from agent import Kind
from gateway.schemas.base import Schema


class MapPoint(Schema):
    """A memory on the map."""

    id: str
    kind: Kind
    x: float = Field(description="From -1 to 1.")
    y: float = Field(description="From -1 to 1.")


class MemoryMap(Schema):
    """The user's memories as points."""

    version: str = Field(description="Differs whenever the points do.")
    points: list[MapPoint]
