"""Memories are found by the vectors of a local model."""

from pathlib import Path

from langgraph.store.base import PutOp

from agent import AgentSettings
from agent.models.embedder_factory import make_embeddings
from agent.store.factory import open_store
from support.onnx_model import write_onnx_model


async def test_a_memory_is_found_by_a_local_model(new_database: str, tmp_path: Path) -> None:
    folder = write_onnx_model(tmp_path / "words", ["geige", "katze", "regen"])
    settings = AgentSettings(_env_file=None, embedding_model=f"local:{folder}")
    async with open_store(settings, new_database, make_embeddings(settings, None)) as store:
        home = ("users", "ada")
        texts = ("Regen", "Die Katze schläft", "Meine Geige")
        await store.abatch([PutOp(home, str(key), {"text": text}) for key, text in enumerate(texts)])
        found = await store.asearch(home, query="Katze", limit=3)
    assert [(item.key, round(item.score or 0, 1)) for item in found] == [("1", 1.0), ("0", 0.0), ("2", 0.0)]
