"""Workers that are killed at any moment lose nothing, double nothing, show nothing by halves, and never share a user.

`KEEPSAKE_KILLS=200` kills more often, and lets 50 users speak instead of 20; `KEEPSAKE_SEED` repeats a run.
"""

import asyncio
import contextlib
import logging
import os
import random
import re
import signal
import threading
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import psycopg
import pytest

from agent import Agent, MessageId, ThreadId, User, UserId, UserMessage, open_agent
from conftest import DIMS, make_settings, model_settings
from support.processes import Process
from support.scripted_openai import Message, ScriptedOpenAI

logger = logging.getLogger(__name__)

CHAT = "/v1/chat/completions"
KILLS = int(os.environ.get("KEEPSAKE_KILLS", "20"))
SEED = int(os.environ.get("KEEPSAKE_SEED", "1"))
USERS = 50 if KILLS > 20 else 20
WORKERS = 4
FACTS = 2
"""In every message."""
MODEL_SECONDS = 0.1
KILLED_WITHIN_SECONDS = 0.3
"""After the model was asked: while it thinks, while the facts are embedded, while they are written, and after that."""

STARTED = 0.8
"""The share of the workers that are killed once they are at work, not while they start."""

READY = "The worker is running"
NOBODY = {"work_context": None, "personal_context": None, "top_of_mind": None}


class Extraction:
    """A model that never says the same twice, so that what is formed twice is two memories; and who asked it when."""

    def __init__(self) -> None:
        self.answered: dict[str, list[float]] = defaultdict(list)
        self._call = count(1)

    def __call__(self, messages: list[Message], _: object) -> Mapping[str, Any]:
        told = re.findall(r"I (?:play|like) ((?:horn|tea)(\d+)x\d+)", str([m["content"] for m in messages]))
        [user] = {user for _, user in told}
        self.answered[user].append(time.monotonic())
        call = next(self._call)
        facts = [_fact(f"{'Plays' if 'horn' in thing else 'Likes'} {thing} ({call})", thing) for thing, _ in told]
        return {"memories": facts, "profile": NOBODY, "episode": f"User told what they play and like ({call})."}


def _fact(text: str, thing: str) -> dict[str, object]:
    return {
        "text": text,
        "kind": "user",
        "category": "preference",
        "confidence": 0.9,
        "quote": f"I {'play' if 'horn' in thing else 'like'} {thing}",
        "same_as": None,
        "replaces": None,
    }


class Crowd:
    """Users who go on talking, each in two threads."""

    def __init__(self, agent: Agent, dice: random.Random) -> None:
        self.said: dict[MessageId, str] = {}
        self._agent = agent
        self._dice = dice
        self._threads = [[ThreadId(str(uuid.uuid4())) for _ in range(2)] for _ in range(USERS)]

    async def arrive(self) -> None:
        for n in range(USERS):
            await self._agent.users.sign_in(_user(n), issuer="test", subject=str(n))

    async def speak(self, voices: int) -> None:
        """Let some of them say something at once."""
        await asyncio.gather(*(self._say(n) for n in self._dice.sample(range(USERS), voices)))

    async def _say(self, n: int) -> None:
        thing = f"{n}x{len(self.said):06}"
        said = UserMessage(f"I play horn{thing}, and I like tea{thing}.", MessageId(str(uuid.uuid4())))
        self.said[said.id] = thing
        async for _ in await self._agent.send_message(User(_user(n)), self._dice.choice(self._threads[n]), said):
            pass


def _user(n: int) -> UserId:
    return UserId(f"user{n}")


class Watcher:
    """Somebody who reads everything all the time, and takes down whatever is not as it must be."""

    def __init__(self, database: str, said: Mapping[MessageId, str]) -> None:
        self.faults: dict[str, tuple[bool, int, int]] = {}
        """What was waiting, and how many facts and episodes it had, when it first should not have had so many."""
        self.formed: set[MessageId] = set()
        self.looks = 0
        self._database = database
        self._said = said
        self._noted: set[str] = set()
        self._ended = threading.Event()

    @classmethod
    @contextmanager
    def watching(cls, database: str, said: Mapping[MessageId, str]) -> Iterator["Watcher"]:
        """Watch until the block ends, and take a last look then."""
        watcher = cls(database, said)
        thread = threading.Thread(target=watcher._watch)
        thread.start()
        try:
            yield watcher
        finally:
            watcher._ended.set()
            thread.join()

    def _watch(self) -> None:
        with psycopg.connect(self._database, autocommit=True) as connection:
            while not self._ended.wait(0.01):
                self._look(connection)
            self._look(connection)

    def _look(self, connection: psycopg.Connection[Any]) -> None:
        """Take one look: what was said is in the inbox, or else its whole batch is in the memories."""
        said = list(self._said)
        waiting, known, told = set(), Counter[str](), Counter[str]()
        for prefix, key, value in connection.execute("SELECT prefix, key, value FROM store").fetchall():
            if prefix.endswith(".inbox"):
                waiting.add(key)
            for source in value.get("sources", ()):
                (told if prefix.endswith(".episodic") else known)[source["message"]] += 1
        for message in said:
            state = (message in waiting, known[message], told[message])
            fresh = message not in self._noted and state == (False, 0, 0)
            if not fresh and state not in {(True, 0, 0), (False, FACTS, 1)}:
                self.faults.setdefault(self._said[message], state)
        self.formed = {message for message in said if known[message]}
        self._noted |= waiting
        self.looks += 1


@contextmanager
def _worker(work_dir: Path, database: str, model: ScriptedOpenAI) -> Iterator[Process]:
    settings = {
        "DATABASE_URL": database,
        "OPENAI_BASE_URL": model.base_url,
        "OPENAI_API_KEY": "x",
        "KEEPSAKE_CHAT_MODELS": "scripted",
        "KEEPSAKE_EMBEDDING_DIMS": str(DIMS),
    }
    with Process(["keepsake", "worker"], work_dir=work_dir, **settings) as process:
        yield process


@pytest.mark.timeout(180 + 10 * KILLS)
async def test_killed_workers_lose_nothing_double_nothing_and_never_share_a_user(
    database: str, model: ScriptedOpenAI, work_dir: Path
) -> None:
    dice = random.Random(SEED)
    extraction = model.script.structured = Extraction()
    model.script.reply = lambda _: "Noted."  # it repeats nothing that somebody said
    model.script.structured_delay_seconds = MODEL_SECONDS
    model.script.embedding_delay_seconds = MODEL_SECONDS / 2
    settings = make_settings(database, **model_settings(model, debounce_seconds=0.05, debounce_max_wait_seconds=1))
    async with AsyncExitStack() as stack:
        workers = [stack.enter_context(_worker(work_dir, database, model)) for _ in range(WORKERS)]
        crowd = Crowd(await stack.enter_async_context(open_agent(settings, start_worker=False)), dice)
        await crowd.arrive()
        watcher = stack.enter_context(Watcher.watching(database, crowd.said))
        for _ in range(KILLS):
            victim = workers.pop(dice.randrange(WORKERS))
            if dice.random() < STARTED:
                await asyncio.to_thread(victim.wait_for, READY)
            await _a_moment(model, crowd, dice)
            victim.kill()
            workers.append(stack.enter_context(_worker(work_dir, database, model)))
        for worker in workers[1:]:
            assert await asyncio.to_thread(_stops, worker) == 0
        await _until_all_is_formed(database, seconds=90)
        assert await asyncio.to_thread(_stops, workers[0]) == 0
    assert watcher.faults == {}
    assert watcher.formed == crowd.said.keys()
    for moments in extraction.answered.values():
        assert all(later - earlier > MODEL_SECONDS / 2 for earlier, later in pairwise(moments))
    calls = sum(map(len, extraction.answered.values()))
    logger.info("%d kills, %d messages, %d calls, %d looks", KILLS, len(crowd.said), calls, watcher.looks)


async def _a_moment(model: ScriptedOpenAI, crowd: Crowd, dice: random.Random) -> None:
    """Let some of the crowd speak, and return at any moment of what comes of it."""
    before, voices = model.count(CHAT), dice.randint(2, 6)
    await crowd.speak(voices)
    with contextlib.suppress(TimeoutError):
        await model.wait_for_request(CHAT, before + voices + 1)  # somebody's inbox is being distilled
    await asyncio.sleep(dice.uniform(0, KILLED_WITHIN_SECONDS))  # it is the moment that is tested


def _stops(worker: Process) -> int:
    """Ask a worker to stop as an operator's machine does, and return its exit code."""
    if not any(READY in line for line in worker.output):
        worker.wait_for(READY)
    worker.process.send_signal(signal.SIGTERM)
    return worker.process.wait(30)


async def _until_all_is_formed(database: str, *, seconds: float) -> None:
    async with asyncio.timeout(seconds), await psycopg.AsyncConnection.connect(database, autocommit=True) as connection:
        while await (await connection.execute("SELECT 1 FROM formation")).fetchone():
            pass
