"""Gateways as processes that share one database and one scripted model."""

import asyncio
import signal
from dataclasses import dataclass
from pathlib import Path

from agent import AgentSettings
from support.processes import Process
from support.scripted_openai import ScriptedOpenAI

EXIT_WITHIN_SECONDS = 10.0


@dataclass(frozen=True)
class Installation:
    """Starts gateways as processes, on one database and without limits per user."""

    work_dir: Path
    database: str
    model: ScriptedOpenAI

    def serve(self, *, port: int = 0, **environment: str) -> Process:
        limits = {f"KEEPSAKE_{name.upper()}": "0" for name in AgentSettings.model_fields if name.startswith("limit_")}
        return Process(
            ["keepsake", "serve", "--port", str(port)],
            work_dir=self.work_dir,
            DATABASE_URL=self.database,
            KEEPSAKE_EMBEDDING_DIMS="384",
            OPENAI_API_KEY="x",
            OPENAI_BASE_URL=self.model.base_url,
            **limits,
            **environment,
        )


def address_of(server: Process) -> str:
    """Wait until a gateway is ready and return its URL."""
    return server.wait_for(r"Keepsake is running at (http://127\.0\.0\.1:\d+)")[1]


async def terminate(server: Process) -> int:
    """Stop a gateway with SIGTERM and return its exit code."""
    server.process.send_signal(signal.SIGTERM)
    return await asyncio.to_thread(server.process.wait, EXIT_WITHIN_SECONDS)
