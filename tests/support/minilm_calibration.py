"""The calibration of the built-in model: `python -m support.minilm_calibration` writes `minilm_calibration.npz`."""

import asyncio
from importlib.resources import files
from pathlib import Path

from agent.memory.recall.calibration import Calibration, calibrate
from agent.models.embeddings import CachedEmbeddings
from agent.models.minilm import MiniLM

CALIBRATION = Path(str(files("agent.memory.recall"))) / "minilm_calibration.npz"


async def calibrate_minilm() -> Calibration:
    """Embed the texts of `calibration.toml` with the built-in model."""
    return await calibrate(CachedEmbeddings(MiniLM().aembed_documents))


if __name__ == "__main__":
    with CALIBRATION.open("wb") as file:
        asyncio.run(calibrate_minilm()).save(file)
