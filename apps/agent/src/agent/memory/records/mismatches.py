"""Messages for which a memory is not relevant, as the user has said: their vectors, stored with the memory."""

import base64
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

MAX_MISMATCHES = 8
"""Maximum number of mismatches of a memory; the latest are kept."""
_SCALE = 127


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A message for which a memory is not relevant."""

    message: str
    model: str
    """The embedding model and its dimensions. Vectors of other models are not compared."""
    vector: str
    """The unit vector in steps of 1/127 of its largest component, a byte each, in base64."""

    @classmethod
    def of(cls, message: str, model: str, vector: Sequence[float]) -> "Mismatch":
        """Compress a vector; the error of a cosine is below 0.01."""
        largest = max(map(abs, vector), default=0.0) or 1.0
        steps = bytes(round(component / largest * _SCALE) & 0xFF for component in vector)
        return cls(message, model, base64.b64encode(steps).decode())

    def similarity(self, model: str, vector: Sequence[float]) -> float:
        """The cosine similarity to a vector of a model; 0 if they cannot be compared."""
        steps = memoryview(base64.b64decode(self.vector)).cast("b")
        if self.model != model or len(steps) != len(vector):
            return 0.0
        product = sum(step * component for step, component in zip(steps, vector, strict=True))
        lengths = math.sqrt(sum(step * step for step in steps)) * math.hypot(*vector)
        return product / lengths if lengths else 0.0


def mismatches_of(value: Mapping[str, Any]) -> tuple[Mismatch, ...]:
    """The mismatches in the document of a memory."""
    return tuple(Mismatch(**one) for one in value.get("not_relevant", ()))


def with_mismatch(value: Mapping[str, Any], added: Mismatch) -> dict[str, Any]:
    """Add a mismatch to the document of a memory; an earlier one of the same message is replaced."""
    kept = [one for one in mismatches_of(value) if one.message != added.message]
    return {**value, "not_relevant": [asdict(one) for one in (*kept, added)[-MAX_MISMATCHES:]]}
