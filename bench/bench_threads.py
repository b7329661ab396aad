"""What a long thread costs. See README.md, here.

A scripted model that answers at once, the agent in this process on an embedded Postgres. Every message was really said.
"""

import argparse
import asyncio
import json
import os
import platform
import random
import statistics
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import SecretStr

from agent import Agent, AgentSettings, MessageId, ThreadId, User, UserId, UserMessage, open_agent
from agent.conversations.checkpoints import ScopedSaver, checkpoint_key
from agent.database import open_database, open_pool
from support.model_script import Message
from support.scripted_openai import ScriptedOpenAI

HERE = Path(__file__).parent
CHAT = "/v1/chat/completions"
DIMS = 384
LONG, SHORT = 5_000, 50  # messages
SHORT_THREADS = 10
MEASURED = 10  # messages in each of the short threads, and as many in the long one
WORDS = 25  # of a question; an answer has four times as many
PAGE = 100
LOADED = 100  # times
WORD = ["garden", "bicycle", "thesis", "kitchen", "violin", "Oslo", "novel", "Tuesday", "quiet", "because", "the", "a"]


def answer(messages: Sequence[Message]) -> str:
    """Return an answer, or a summary, four times as long as a question; to each message another."""
    pick = random.Random(str(messages[-1]["content"]))  # noqa: S311 (the same words in each run)
    return " ".join(pick.choice(WORD) for _ in range(4 * WORDS))


class Thread:
    """A thread that somebody talks in."""

    def __init__(self, agent: Agent, model: ScriptedOpenAI, user: User) -> None:
        self._agent = agent
        self._model = model
        self.user = user
        self.id = ThreadId(str(uuid.uuid4()))

    async def say(self) -> float:
        """Say something, hear the answer out, and return how long it took until the model was asked, in ms."""
        self._model.reset()
        self._model.script.reply = answer
        text = f"{uuid.uuid4()}: {' '.join(random.choices(WORD, k=WORDS))}"  # noqa: S311 (any words will do)
        began = time.monotonic()
        async for told in await self._agent.send_message(
            self.user, self.id, UserMessage(text, MessageId(str(uuid.uuid4())))
        ):
            event = told.event
        assert event.name == "run.finished", event
        return 1000 * (next(asked for asked in self._model.requests if asked.path == CHAT).received_at - began)

    async def grow(self, messages: int) -> None:
        """Talk until the thread has so many messages."""
        for _ in range(messages // 2):
            await self.say()


def spread(values: Sequence[float]) -> dict[str, float]:
    """Return median and 95th percentile."""
    p95 = statistics.quantiles(values, n=20, method="inclusive")[-1]
    return {"p50": round(statistics.median(values), 2), "p95": round(p95, 2)}


async def timed(work: Callable[[], Awaitable[object]], times: int) -> dict[str, float]:
    """Return how long something takes, in ms."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        await work()
        took.append(1000 * (time.perf_counter() - began))
    return spread(took)


async def loading(saver: ScopedSaver, agent: Agent, thread: Thread) -> dict[str, dict[str, float]]:
    """Return what it takes to load a thread, in ms: for the graph, and a page of it for a reader."""
    config: RunnableConfig = {"configurable": {"thread_id": checkpoint_key(thread.user.id, thread.id)}}
    return {
        "checkpoint (ms)": await timed(lambda: saver.aget_tuple(config), LOADED),
        f"first {PAGE} messages (ms)": await timed(
            lambda: agent.threads.messages(thread.user.id, thread.id, limit=PAGE, cursor=None), LOADED
        ),
    }


def kept(uri: str, thread: Thread) -> dict[str, int]:
    """Return what the database keeps of a thread's state."""
    key = checkpoint_key(thread.user.id, thread.id)
    with psycopg.connect(uri) as connection:
        rows = connection.execute("SELECT count(*) FROM checkpoints WHERE thread_id = %s", (key,)).fetchone()
        size = connection.execute(
            "SELECT sum(length(blob)) FROM checkpoint_blobs WHERE thread_id = %s", (key,)
        ).fetchone()
    return {"checkpoints": int(rows[0]) if rows else 0, "bytes": int(size[0]) if size else 0}


async def run(messages: int) -> dict[str, Any]:
    """Talk, and measure the long thread and the short ones in turn."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="keepsake-bench-")))
        model = stack.enter_context(ScriptedOpenAI())
        settings = AgentSettings(
            _env_file=None, data_dir=folder, openai_api_key="x", openai_base_url=model.base_url, embedding_dims=DIMS
        )
        uri = await stack.enter_async_context(open_database(settings))
        settings = settings.model_copy(update={"database_url": SecretStr(uri)})
        agent = await stack.enter_async_context(open_agent(settings, start_worker=False))
        pool = await stack.enter_async_context(open_pool(uri, size=1, name="bench"))
        saver = ScopedSaver(pool, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        user = await agent.users.sign_in(UserId("bench"), issuer="bench", subject="bench")
        long, *short = [Thread(agent, model, user) for _ in range(1 + SHORT_THREADS)]
        for thread in short:
            await thread.grow(SHORT)
        await long.grow(messages)
        await agent.memories.forget_all(user.id)  # formation, which is off, would have emptied the inbox
        of_long, of_short = [], []
        for n in range(MEASURED * SHORT_THREADS):
            of_long.append(await long.say())
            of_short.append(await short[n % SHORT_THREADS].say())
        return {
            f"{messages} messages": {
                "until the model is asked (ms)": spread(of_long),
                **await loading(saver, agent, long),
                **kept(uri, long),
            },
            f"{SHORT} messages": {
                "until the model is asked (ms)": spread(of_short),
                **await loading(saver, agent, short[0]),
                **kept(uri, short[0]),
            },
        }


def main() -> None:
    """Measure, print, and keep the figures in results/threads.json."""
    parser = argparse.ArgumentParser(description="What a long thread costs.")
    parser.add_argument("--messages", type=int, default=LONG)
    given = parser.parse_args()
    figures = asyncio.run(run(given.messages))
    setting = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
        "words": {"question": WORDS, "answer": 4 * WORDS},
        "measured": MEASURED * SHORT_THREADS,
    }
    results = HERE / "results" / "threads.json"
    results.parent.mkdir(exist_ok=True)
    results.write_text(json.dumps({"setting": setting, "figures": figures}, indent=2) + "\n")
    for thread, of_it in figures.items():
        for what, figure in of_it.items():
            row = [f"{part} {value:>8}" for part, value in figure.items()] if isinstance(figure, dict) else [figure]
            print(f"{thread:16}{what:34}", *row, sep="  ")


if __name__ == "__main__":
    main()
