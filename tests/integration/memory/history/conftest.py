"""Users of an agent without background jobs, whose history is summarised."""

import json
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agent import Agent, MemoryId, UserId, open_agent
from conftest import make_settings, model_settings
from support.scripted_openai import ScriptedOpenAI

Json = dict[str, Any]
HISTORY = ("recent_months", "earlier_context", "long_term_background")


@dataclass
class AgentUser:
    """A user of an agent without background jobs."""

    agent: Agent
    id: UserId

    async def add_episode(self, text: str, *, days_ago: float, **other: object) -> MemoryId:
        """Add an episode with one source message."""
        memory = str(uuid.uuid4())
        ts = (datetime.now(UTC) - timedelta(days=days_ago)).isoformat()
        source = {"thread": str(uuid.uuid4()), "message": str(uuid.uuid4()), "quote": "", "ts": ts}
        line = {"id": memory, "kind": "episodic", "text": text, "ts": ts, "sources": [source], **other}
        await self.import_lines(line)
        return MemoryId(memory)

    async def import_lines(self, *lines: Json) -> None:
        async def body() -> AsyncIterator[bytes]:
            yield "\n".join(map(json.dumps, lines)).encode()

        await self.agent.import_memories(self.id, body())

    async def summarise(self) -> datetime:
        """Summarise the old episodes now, and return when to summarise again."""
        return await self.agent.compaction.summariser.summarise(self.agent.memories.store, self.id, datetime.now(UTC))

    async def history(self) -> list[str]:
        profile = await self.agent.profile(self.id)
        return [profile[name] for name in HISTORY]

    async def episodes(self) -> set[str]:
        page = await self.agent.memories.list_memories(self.id, kind="episodic", query=None, limit=1_000, cursor=None)
        return {memory.text for memory in page.items}


@asynccontextmanager
async def open_user(database: str, model: ScriptedOpenAI, **settings: object) -> AsyncIterator[AgentUser]:
    async with open_agent(make_settings(database, **model_settings(model, **settings)), start_worker=False) as agent:
        user = UserId(f"user-{uuid.uuid4()}")
        await agent.users.sign_in(user, issuer="test", subject=user)
        yield AgentUser(agent, user)


@pytest.fixture
async def ada(database: str, model: ScriptedOpenAI) -> AsyncIterator[AgentUser]:
    async with open_user(database, model) as user:
        yield user


def digest_response(**periods: Sequence[tuple[str, list[int]]]) -> Any:  # noqa: ANN401 - what a Script holds
    digest = {name: [{"text": text, "of": of} for text, of in periods.get(name, ())] for name in HISTORY}
    return lambda *_: digest
