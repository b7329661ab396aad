"""Measure the latency of long threads; see README.md.

The scripted model replies immediately; the agent runs in this process on an embedded Postgres.
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
TURNS_PER_THREAD = 10  # measured messages in each short thread; the long thread gets as many in total
QUESTION_WORDS = 25  # a reply has four times as many
PAGE = 100
LOADS = 100  # repetitions
VOCABULARY = [
    "garden",
    "bicycle",
    "thesis",
    "kitchen",
    "violin",
    "Oslo",
    "novel",
    "Tuesday",
    "quiet",
    "because",
    "the",
    "a",
]


def random_reply(messages: Sequence[Message]) -> str:
    """A reply or summary, four times as long as a question, different for each message."""
    pick = random.Random(str(messages[-1]["content"]))
    return " ".join(pick.choice(VOCABULARY) for _ in range(4 * QUESTION_WORDS))


class Thread:
    """A thread of the measured user."""

    def __init__(self, agent: Agent, model: ScriptedOpenAI, user: User) -> None:
        self._agent = agent
        self._model = model
        self.user = user
        self.id = ThreadId(str(uuid.uuid4()))

    async def send(self) -> float:
        """Send a message and read the reply; returns the time until the model received the request, in ms."""
        self._model.reset()
        self._model.script.reply = random_reply
        text = f"{uuid.uuid4()}: {' '.join(random.choices(VOCABULARY, k=QUESTION_WORDS))}"
        started = time.monotonic()
        async for statements in await self._agent.send_message(
            self.user, self.id, UserMessage(text, MessageId(str(uuid.uuid4())))
        ):
            event = statements.event
        assert event.event_name == "run.finished", event
        return 1000 * (next(asked for asked in self._model.requests if asked.path == CHAT).received_at - started)

    async def grow(self, messages: int) -> None:
        """Send messages until the thread has `messages` messages."""
        for _ in range(messages // 2):
            await self.send()


def summarise(values: Sequence[float]) -> dict[str, float]:
    """Median and 95th percentile."""
    p95 = statistics.quantiles(values, n=20, method="inclusive")[-1]
    return {"p50": round(statistics.median(values), 2), "p95": round(p95, 2)}


async def time_calls(work: Callable[[], Awaitable[object]], times: int) -> dict[str, float]:
    """Duration of repeated calls, in ms."""
    elapsed = []
    for _ in range(times):
        started = time.perf_counter()
        await work()
        elapsed.append(1000 * (time.perf_counter() - started))
    return summarise(elapsed)


async def measure_loading(saver: ScopedSaver, agent: Agent, thread: Thread) -> dict[str, dict[str, float]]:
    """Time to load the checkpoint and a page of messages, in ms."""
    config: RunnableConfig = {"configurable": {"thread_id": checkpoint_key(thread.user.id, thread.id)}}
    return {
        "checkpoint (ms)": await time_calls(lambda: saver.aget_tuple(config), LOADS),
        f"first {PAGE} messages (ms)": await time_calls(
            lambda: agent.threads.messages(thread.user.id, thread.id, limit=PAGE, cursor=None), LOADS
        ),
    }


def stored_state(uri: str, thread: Thread) -> dict[str, int]:
    """Number of checkpoints and bytes stored for a thread's state."""
    key = checkpoint_key(thread.user.id, thread.id)
    with psycopg.connect(uri) as connection:
        rows = connection.execute("SELECT count(*) FROM checkpoints WHERE thread_id = %s", (key,)).fetchone()
        size = connection.execute(
            "SELECT sum(length(blob)) FROM checkpoint_blobs WHERE thread_id = %s", (key,)
        ).fetchone()
    return {"checkpoints": int(rows[0]) if rows else 0, "bytes": int(size[0]) if size else 0}


async def run(messages: int) -> dict[str, Any]:
    """Fill the threads, then alternate between the long one and the short ones."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="keepsake-bench-")))
        model = stack.enter_context(ScriptedOpenAI())
        settings = AgentSettings(
            _env_file=None,
            data_dir=folder,
            openai_api_key="x",
            openai_base_url=model.base_url,
            embedding_dims=DIMS,
            limit_messages_per_minute=0,
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
        await agent.memories.forget_all(user.id)  # formation is off; it would have emptied the inbox
        of_long, of_short = [], []
        for n in range(TURNS_PER_THREAD * SHORT_THREADS):
            of_long.append(await long.send())
            of_short.append(await short[n % SHORT_THREADS].send())
        return {
            f"{messages} messages": {
                "until the model is asked (ms)": summarise(of_long),
                **await measure_loading(saver, agent, long),
                **stored_state(uri, long),
            },
            f"{SHORT} messages": {
                "until the model is asked (ms)": summarise(of_short),
                **await measure_loading(saver, agent, short[0]),
                **stored_state(uri, short[0]),
            },
        }


def main() -> None:
    """Measure, print and write results/threads.json."""
    parser = argparse.ArgumentParser(description="Measure the latency of long threads.")
    parser.add_argument("--messages", type=int, default=LONG)
    arguments = parser.parse_args()
    figures = asyncio.run(run(arguments.messages))
    setting = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
        "words": {"question": QUESTION_WORDS, "answer": 4 * QUESTION_WORDS},
        "measured": TURNS_PER_THREAD * SHORT_THREADS,
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
