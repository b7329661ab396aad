"""The calibration of an embedding model by a running agent."""

from agent import open_agent
from conftest import make_settings, model_settings
from support.scripted_openai import ScriptedOpenAI

CALIBRATION = "calibration 1 of text-embedding-3-small/384"


async def test_an_agent_calibrates_the_model_of_a_new_installation(empty_database: str, model: ScriptedOpenAI) -> None:
    settings = make_settings(empty_database, **model_settings(model))
    async with open_agent(settings, start_worker=False) as agent:
        while await agent.users.find_installation_value(CALIBRATION) is None:
            pass
    assert len(model.embedded_texts()) > 100
