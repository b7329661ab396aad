"""Calibration: what the cosines of an embedding model mean, learnt once per model from fixed texts.

Cosines of different models are not comparable: unrelated sentences have about 0.1 with one model and 0.7 with another.
"""

import asyncio
import base64
import io
import logging
import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import IO, Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from agent.errors import AgentError
from agent.models.embeddings import CachedEmbeddings
from agent.settings import MINILM, MINILM_DIMS

logger = logging.getLogger(__name__)

Vectors = NDArray[np.float32]

NEIGHBOURS = 2
"""How many of the nearest examples decide whether a statement is standing."""
STANDING_MARGIN = 0.12
"""How much nearer they must be to the standing examples, relative to the spread of cosines."""
PERSONAL_FLOOR, GENERAL_FLOOR = (0.05, 0.52), (0.4, 0.7)
"""Minimum relevance for a message that concerns the user, and for any other, with 0 and with `MANY_ROWS` memories; 0:
unrelated, 1: typically related. The more memories there are, the more similar is the best of the unrelated ones."""
MANY_ROWS = 24

_FOLDER = files("agent.memory.recall")


@dataclass(frozen=True, slots=True)
class Calibration:
    """The scale of cosines, and vectors of example statements."""

    unrelated: float
    """Mean cosine of a statement and a question that it does not concern."""
    related: float
    """Mean cosine of a statement and a question for which it matters."""
    standing: Vectors
    """[S][D] statements that matter for every message."""
    other: Vectors
    """[O][D] statements that matter for some messages."""

    @property
    def spread(self) -> float:
        """The distance between unrelated and related texts."""
        return max(self.related - self.unrelated, 0.01)

    def floor(self, *, personal: bool, rows: int, centring: float) -> float:
        """The minimum rank of a relevant memory.

        Args:
            personal: whether the message concerns the user.
            rows: the number of memories that were compared.
            centring: the share of the mean of the user's vectors that the store subtracts from a query.
        """
        few, many = PERSONAL_FLOOR if personal else GENERAL_FLOOR
        share = few + (many - few) * min(1.0, math.log1p(rows) / math.log1p(MANY_ROWS))
        return self.unrelated * (1 - centring) + share * self.spread

    def is_standing(self, vector: Sequence[float]) -> bool:
        """Check whether a statement is more similar to standing examples than to others."""
        if not len(self.standing):
            return False
        unit = np.asarray(vector, np.float32) / max(float(np.linalg.norm(vector)), 1e-9)
        margin = _nearest(self.standing, unit) - _nearest(self.other, unit)
        return margin > STANDING_MARGIN * self.spread

    def save(self, file: IO[bytes]) -> None:
        """Write the calibration to a file, the vectors in half precision."""
        scale = np.array([self.unrelated, self.related])
        standing, other = self.standing.astype(np.float16), self.other.astype(np.float16)
        np.savez_compressed(file, scale=scale, standing=standing, other=other)

    @classmethod
    def load(cls, file: IO[bytes]) -> Self:
        """Read what `save` wrote."""
        with np.load(file, allow_pickle=False) as arrays:
            unrelated, related = map(float, arrays["scale"])
            standing, other = arrays["standing"].astype(np.float32), arrays["other"].astype(np.float32)
            return cls(unrelated, related, standing, other)

    @classmethod
    def of_minilm(cls, dims: int = MINILM_DIMS) -> Self:
        """The calibration of the built-in model, which is part of the package (`make calibration`)."""
        with _FOLDER.joinpath("minilm_calibration.npz").open("rb") as file:
            part = cls.load(file)
        padding = ((0, 0), (0, dims - MINILM_DIMS))
        return cls(part.unrelated, part.related, np.pad(part.standing, padding), np.pad(part.other, padding))


UNCALIBRATED = Calibration(0.1, 0.4, np.zeros((0, 0), np.float32), np.zeros((0, 0), np.float32))
"""Typical cosines, for the first messages with a new model."""


async def calibrate(embeddings: CachedEmbeddings) -> Calibration:
    """Embed the texts of `calibration.toml`, about 300 short ones.

    Raises:
        EmbedderUnavailableError: the model failed.
    """
    texts = await asyncio.to_thread(_read_texts)
    statements, questions = zip(*texts["pairs"], strict=True)
    standing, other = await _embed(embeddings, texts["standing"]), await _embed(embeddings, texts["other"])
    cosines = await _embed(embeddings, statements) @ (await _embed(embeddings, questions)).T
    related = np.eye(len(cosines), dtype=bool)
    return Calibration(
        unrelated=float(np.mean(cosines[~related])),
        related=float(np.mean(cosines[related])),
        standing=_rounded(standing),
        other=_rounded(other),
    )


class KeptValues(Protocol):
    """Values of the installation, by name."""

    async def find_installation_value(self, name: str) -> str | None:
        """The value; None if there is none."""

    async def installation_value(self, name: str, candidate: str) -> str:
        """The value; the candidate is stored if there is none."""
        ...


class Calibrator:
    """Holds the calibration of the configured embedding model."""

    def __init__(self, embeddings: CachedEmbeddings, embedder: str, dims: int) -> None:
        self._embeddings = embeddings
        self.model = f"{embedder}/{dims}"
        self.name = f"calibration 1 of {self.model}"
        """The name under which an installation keeps the calibration; the number is the version of the texts."""
        self.current = Calibration.of_minilm(dims) if embedder == MINILM else UNCALIBRATED

    @property
    def is_complete(self) -> bool:
        """Whether the model is calibrated."""
        return self.current is not UNCALIBRATED

    async def calibrate(self, kept: KeptValues | None = None) -> None:
        """Calibrate the model, once per installation; if it does not answer, typical values apply."""
        if self.is_complete:
            return
        try:
            stored = await kept.find_installation_value(self.name) if kept else None
            if stored is not None:
                self.current = Calibration.load(io.BytesIO(base64.b64decode(stored)))
                return
            self.current = await calibrate(self._embeddings)
            if kept:
                self.current.save(buffer := io.BytesIO())
                await kept.installation_value(self.name, base64.b64encode(buffer.getvalue()).decode())
        except AgentError as error:
            logger.warning("the embedding model is not calibrated; typical values apply (%s)", error)


def _read_texts() -> dict[str, Any]:
    return tomllib.loads(_FOLDER.joinpath("calibration.toml").read_text(encoding="utf-8"))


async def _embed(embeddings: CachedEmbeddings, texts: Sequence[str]) -> Vectors:
    vectors = np.array(await embeddings.aembed_documents(list(texts)), np.float32)
    unit: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return unit


def _rounded(vectors: Vectors) -> Vectors:
    """Round to half precision, in which the vectors are stored: all processes decide alike."""
    return vectors.astype(np.float16).astype(np.float32)


def _nearest(examples: Vectors, vector: Vectors) -> float:
    cosines = np.sort(examples @ vector)
    return float(np.mean(cosines[-NEIGHBOURS:]))
