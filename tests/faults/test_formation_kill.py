"""Workers that are killed at random moments: messages are neither lost nor duplicated, and results are never partial.

`KEEPSAKE_SEED` repeats a run.
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
from support.rounds import ROUNDS
from support.scripted_openai import Message, ScriptedOpenAI
from support.tried_and_held import Record

logger = logging.getLogger(__name__)

CHAT = "/v1/chat/completions"
KILLS = 8 * ROUNDS
SEED = int(os.environ.get("KEEPSAKE_SEED", "1"))
USERS = 20 if ROUNDS == 1 else 50
WORKERS = 4
FACTS_PER_MESSAGE = 2
MODEL_SECONDS = 0.1
MAX_KILL_DELAY_SECONDS = 0.3
"""After the model call began: kills hit the model call, the embedding, the writing, and the time after it."""
READY_SHARE = 0.8
"""The share of workers that are killed after their start; the others are killed while they start."""

READY = "The worker is running"
ARTICLES = ("the", "a", "this", "that", "their")
EMPTY_PROFILE = {"work_context": None, "personal_context": None, "top_of_mind": None}


class UniqueExtraction:
    """Returns other words in each of consecutive calls, so that duplicates are visible.

    It records the time of each call by user.
    """

    def __init__(self) -> None:
        self.call_times: dict[str, list[float]] = defaultdict(list)
        self._counter = count(1)

    def __call__(self, messages: list[Message], _: object) -> Mapping[str, Any]:
        _, _, new_messages = str(messages[-1]["content"]).partition("New messages:")
        statements = re.findall(r"I (?:play|like) ((?:horn|tea)(\d+)x\d+)", new_messages)
        [user] = {user for _, user in statements}
        self.call_times[user].append(time.monotonic())
        article = ARTICLES[next(self._counter) % len(ARTICLES)]
        facts = [
            fact_json(f"{'Plays' if 'horn' in object_name else 'Likes'} {article} {object_name}", object_name)
            for object_name, _ in statements
        ]
        return {"memories": facts, "profile": EMPTY_PROFILE, "episode": ""}


def fact_json(text: str, object_name: str) -> dict[str, object]:
    return {
        "text": text,
        "kind": "user",
        "category": "preference",
        "confidence": 0.9,
        "quote": f"I {'play' if 'horn' in object_name else 'like'} {object_name}",
        "standing": False,
        "until": None,
        "same_as": None,
        "replaces": None,
    }


class Users:
    """Simulated users, each with two threads."""

    def __init__(self, agent: Agent, rng: random.Random) -> None:
        self.sent: dict[MessageId, str] = {}
        self._agent = agent
        self._rng = rng
        self._threads = [[ThreadId(str(uuid.uuid4())) for _ in range(2)] for _ in range(USERS)]

    async def sign_in(self) -> None:
        for n in range(USERS):
            await self._agent.users.sign_in(user_id(n), issuer="test", subject=str(n))

    async def send_some(self, users: int) -> None:
        """Send messages from this many random users concurrently."""
        await asyncio.gather(*(self._send(n) for n in self._rng.sample(range(USERS), users)))

    async def _send(self, n: int) -> None:
        object_name = f"{n}x{len(self.sent):06}"
        message = UserMessage(f"I play horn{object_name}, and I like tea{object_name}.", MessageId(str(uuid.uuid4())))
        self.sent[message.id] = object_name
        async for _ in await self._agent.send_message(User(user_id(n)), self._rng.choice(self._threads[n]), message):
            pass


def user_id(n: int) -> UserId:
    return UserId(f"user{n}")


class ConsistencyChecker:
    """Reads the store continuously, and records messages that are lost, duplicated or partly processed."""

    def __init__(self, database: str, sent: Mapping[MessageId, str]) -> None:
        self.violations: dict[str, tuple[bool, int, int]] = {}
        """By message: whether it was in the inbox, and its numbers of facts and episodes, at the first violation."""
        self.formed: set[MessageId] = set()
        self.checks = 0
        self._database = database
        self._sent = sent
        self._seen_in_inbox: set[str] = set()
        self._stopped = threading.Event()

    @classmethod
    @contextmanager
    def running(cls, database: str, sent: Mapping[MessageId, str]) -> Iterator["ConsistencyChecker"]:
        """Check continuously while the block runs, and once more at its end."""
        checker = cls(database, sent)
        thread = threading.Thread(target=checker._run)
        thread.start()
        try:
            yield checker
        finally:
            checker._stopped.set()
            thread.join()

    def _run(self) -> None:
        with psycopg.connect(self._database, autocommit=True) as connection:
            while not self._stopped.wait(0.01):
                self._check(connection)
            self._check(connection)

    def _check(self, connection: psycopg.Connection[Any]) -> None:
        """Check once: a message is either in the inbox, or all of its facts are stored, which cover it."""
        sent = list(self._sent)
        pending, fact_counts, episode_counts = set(), Counter[str](), Counter[str]()
        for prefix, key, value in connection.execute("SELECT prefix, key, value FROM store").fetchall():
            if prefix.endswith(".inbox"):
                pending.add(key)
            for source in value.get("sources", ()):
                (episode_counts if prefix.endswith(".episodic") else fact_counts)[source["message"]] += 1
        for message in sent:
            state = (message in pending, fact_counts[message], episode_counts[message])
            is_new = message not in self._seen_in_inbox and state == (False, 0, 0)
            if not is_new and state not in {(True, 0, 0), (False, FACTS_PER_MESSAGE, 0)}:
                self.violations.setdefault(self._sent[message], state)
        self.formed = {message for message in sent if fact_counts[message]}
        self._seen_in_inbox |= pending
        self.checks += 1


@contextmanager
def run_worker(work_dir: Path, database: str, model: ScriptedOpenAI) -> Iterator[Process]:
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
async def test_killed_workers_neither_lose_nor_duplicate_messages_and_never_share_a_user(
    database: str, model: ScriptedOpenAI, work_dir: Path, record: Record
) -> None:
    rng = random.Random(SEED)
    extraction = model.script.structured = UniqueExtraction()
    model.script.reply = lambda _: "Noted."  # does not repeat the user's message
    model.script.structured_delay_seconds = MODEL_SECONDS
    model.script.embedding_delay_seconds = MODEL_SECONDS / 2
    settings = make_settings(database, **model_settings(model, debounce_seconds=0.05, debounce_max_wait_seconds=1))
    async with AsyncExitStack() as stack:
        workers = [stack.enter_context(run_worker(work_dir, database, model)) for _ in range(WORKERS)]
        users = Users(await stack.enter_async_context(open_agent(settings, start_worker=False)), rng)
        await users.sign_in()
        checker = stack.enter_context(ConsistencyChecker.running(database, users.sent))
        for _ in range(KILLS):
            worker = workers.pop(rng.randrange(WORKERS))
            if rng.random() < READY_SHARE:
                await asyncio.to_thread(worker.wait_for, READY)
            await wait_for_random_moment(model, users, rng)
            worker.kill()
            workers.append(stack.enter_context(run_worker(work_dir, database, model)))
        for worker in workers[1:]:
            assert await asyncio.to_thread(terminate, worker) == 0
        await wait_until_all_processed(database, seconds=90)
        assert await asyncio.to_thread(terminate, workers[0]) == 0
    assert checker.violations == {}
    assert checker.formed == users.sent.keys()
    for times in extraction.call_times.values():
        assert all(later - earlier > MODEL_SECONDS / 2 for earlier, later in pairwise(times))
    calls = sum(map(len, extraction.call_times.values()))
    record(KILLS, KILLS)
    logger.info("%d kills, %d messages, %d calls, %d checks", KILLS, len(users.sent), calls, checker.checks)


async def wait_for_random_moment(model: ScriptedOpenAI, users: Users, rng: random.Random) -> None:
    """Send some messages, and return at a random moment of their processing."""
    before, senders = model.count(CHAT), rng.randint(2, 6)
    await users.send_some(senders)
    with contextlib.suppress(TimeoutError):
        await model.wait_for_request(CHAT, before + senders + 1)  # the first call of formation
    await asyncio.sleep(rng.uniform(0, MAX_KILL_DELAY_SECONDS))  # the test is about random moments


def terminate(worker: Process) -> int:
    """Send SIGTERM to a worker that has started; returns the exit code."""
    if not any(READY in line for line in worker.output):
        worker.wait_for(READY)
    worker.process.send_signal(signal.SIGTERM)
    return worker.process.wait(30)


async def wait_until_all_processed(database: str, *, seconds: float) -> None:
    async with asyncio.timeout(seconds), await psycopg.AsyncConnection.connect(database, autocommit=True) as connection:
        while await (await connection.execute("SELECT 1 FROM formation")).fetchone():
            pass
