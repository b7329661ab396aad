"""What a process without a model server does not load."""

import os
import subprocess
import sys

from conftest import Databases

OPEN = """
import asyncio, sys
from agent import AgentSettings, open_agent

async def main():
    async with open_agent(AgentSettings(), warm_up=False):
        print(*{name.partition(".")[0] for name in sys.modules})

asyncio.run(main())
"""


def test_without_a_model_server_its_client_is_not_imported(databases: Databases) -> None:
    environment = {**os.environ, "DATABASE_URL": databases.create("minilm")}
    modules = subprocess.check_output([sys.executable, "-c", OPEN], env=environment, text=True).split()
    assert {"agent", "httpx2", "langgraph"} <= set(modules)
    assert not {"openai", "langchain_openai"} & set(modules)
