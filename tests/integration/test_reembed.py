"""Another embedding model: refused until the vectors are converted, and nothing is lost by converting."""

import pytest

from agent import SetupError, reembed_database
from conftest import Databases, scripted, settings_for
from support.client import signed_in
from support.gateway import RunningGateway
from support.scripted_openai import ScriptedOpenAI


async def test_memories_move_to_another_model_and_other_dimensions(databases: Databases, model: ScriptedOpenAI) -> None:
    database = databases.make("minilm")
    with RunningGateway(settings_for(database)) as before:
        async with signed_in(before.url, "ada") as ada:
            for text in ("Lives in Oslo", "Plays the violin"):
                await ada.http.post("/memories", json={"text": text})
    changed = settings_for(database, **scripted(model, embedding_dims=768))
    with pytest.raises(SetupError, match="keepsake reembed"):
        RunningGateway(changed).__enter__()
    assert [progress async for progress in reembed_database(changed)][-1] == (2, 2)
    with RunningGateway(changed) as after:
        async with signed_in(after.url, "ada") as ada:
            found = await ada.memories(q="Plays the violin")
            assert [memory["text"] for memory in found] == ["Plays the violin", "Lives in Oslo"]
            assert found[0]["score"] == pytest.approx(1.0)
