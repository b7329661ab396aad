"""The processes of `make bench`: one Postgres, the scripted model, and each compared system."""

import shutil
import socket
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import httpx
import psycopg
from psycopg import sql

from agent.database.embedded import embedded_postgres

from .peer_seed import seed_langgraph_dev, seed_langgraph_store, seed_mem0
from .peer_systems import (
    DEV,
    KEEPSAKE,
    LANGMEM,
    MEM0,
    NEWCOMER,
    PLAIN,
    Keepsake,
    LangGraphDev,
    MemorySystem,
    PeerSystem,
)
from .processes import DIMS, HERE, gateway, process, run_command
from .turn_seed import seed

PEERS = HERE / "peers"
PYTHON = PEERS / ".venv" / "bin" / "python"
TIMEOUT_SECONDS = 60.0
PEER_NAMES = {PLAIN: "langgraph", LANGMEM: "langmem", MEM0: "mem0"}
"""Of the systems behind `bench.peers.server`: those of their adapters and databases."""
INDEXED_FIELDS = {PLAIN: "data", LANGMEM: "content.content"}
PEER_ENVIRONMENT = {  # without telemetry
    "PYTHONUNBUFFERED": "1",
    "MEM0_TELEMETRY": "False",
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGSMITH_TRACING": "false",
}
DEV_JOBS = "100"
"""Runs that `langgraph dev` executes at a time; its default of 10 would queue a burst of 50."""
START_SECONDS = 60
LOG = "errors.log"


@dataclass(frozen=True, slots=True)
class Setting:
    """What the systems are started with."""

    model: str
    folder: Path
    users: int
    """With memories; 0: none."""
    active: Sequence[int]
    """The users that send requests."""


def versions() -> dict[str, str]:
    """The versions of the compared packages."""
    names = ("langgraph", "langgraph-checkpoint-postgres", "langgraph-api", "langmem", "mem0ai")
    lines = (PEERS / "requirements.lock").read_text(encoding="utf-8").splitlines()
    locked = dict(line.split(" ")[0].split("==") for line in lines if "==" in line and not line.startswith(" "))
    return {"keepsake": metadata.version("keepsake-agent")} | {name: locked[name] for name in names}


@contextmanager
def model_process(*, minilm: bool = False) -> Iterator[str]:
    """Run the scripted model."""
    options = ["--minilm"] if minilm else []
    with process("bench.peer_model", *options, work_dir=HERE.parent, PYTHONPATH="tests") as url:
        yield url


@asynccontextmanager
async def open_systems(
    setting: Setting, names: Sequence[str]
) -> AsyncIterator[tuple[list[MemorySystem], dict[str, str]]]:
    """Start systems on one Postgres, and insert memories.

    Yields:
        The systems that started, and for each other one why it did not.
    """
    async with AsyncExitStack() as stack:
        databases = _create_databases(stack.enter_context(embedded_postgres(setting.folder / "postgres")))
        systems: list[MemorySystem] = []
        failed: dict[str, str] = {}
        for name in names:
            try:
                systems.append(await _open(name, setting, databases, stack))
            except (SystemExit, httpx.HTTPError, psycopg.Error, OSError) as error:
                failed[name] = f"did not start: {error}"
        yield systems, failed


async def _open(name: str, setting: Setting, databases: dict[str, str], stack: AsyncExitStack) -> MemorySystem:
    if name == KEEPSAKE:
        return await _open_keepsake(setting, databases[KEEPSAKE], stack)
    if name == DEV:
        return await _open_langgraph_dev(setting, stack)
    return await _open_peer(name, setting, databases[name], stack)


async def _open_keepsake(setting: Setting, database: str, stack: AsyncExitStack) -> Keepsake:
    folder = setting.folder / "keepsake"
    folder.mkdir()
    # Recall waits for the embedder, as that of the others, however loaded the machine is.
    env = {"DATABASE_URL": database, "KEEPSAKE_RECALL_DEADLINE_MS": "5000"}
    url = stack.enter_context(gateway(setting.model, folder, **env))
    if setting.users:
        await seed(setting.model, folder, setting.users, database_url=database)
    keepsake = Keepsake(await _http_client(url, stack))
    await keepsake.sign_in([*setting.active, NEWCOMER])
    return keepsake


async def _open_peer(name: str, setting: Setting, database: str, stack: AsyncExitStack) -> PeerSystem:
    folder = setting.folder / PEER_NAMES[name]
    folder.mkdir()
    arguments = ["--model", setting.model, "--database", database, "--folder", str(folder), "--dims", str(DIMS)]
    command = [_python(), "-m", "bench.peers.server", PEER_NAMES[name], *arguments]
    env = {**PEER_ENVIRONMENT, "MEM0_DIR": str(folder)}
    url = stack.enter_context(run_command(command, HERE.parent, env, log=folder / LOG))
    peer = PeerSystem(name, await _http_client(url, stack))
    await peer.settle()  # answered when it is ready
    if setting.users and name == MEM0:
        await seed_mem0(setting.model, database, setting.users)
    elif setting.users:
        await seed_langgraph_store(setting.model, database, setting.users, INDEXED_FIELDS[name])
    return peer


async def _open_langgraph_dev(setting: Setting, stack: AsyncExitStack) -> LangGraphDev:
    folder = setting.folder / "dev"
    shutil.copytree(PEERS / "dev", folder)
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    options = ["--no-browser", "--no-reload", "--server-log-level", "WARNING", "--n-jobs-per-worker", DEV_JOBS]
    command = [_python(), "-m", "langgraph_cli", "dev", "--port", str(port), *options]
    env = {**PEER_ENVIRONMENT, "BENCH_MODEL": setting.model}
    url = f"http://127.0.0.1:{port}"
    stack.enter_context(run_command(command, folder, env, log=folder / LOG, url=url))
    dev = LangGraphDev(await _http_client(url, stack))
    await _wait_until_ready(dev.http, "/ok")
    if setting.users:
        await seed_langgraph_dev(dev, setting.active)
    return dev


async def _wait_until_ready(http: httpx.AsyncClient, path: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            if (await http.get(path)).is_success:
                return
        except httpx.TransportError:
            if time.monotonic() > deadline:
                raise


async def _http_client(url: str, stack: AsyncExitStack) -> httpx.AsyncClient:
    return await stack.enter_async_context(httpx.AsyncClient(base_url=url, trust_env=False, timeout=TIMEOUT_SECONDS))


def _create_databases(server: str) -> dict[str, str]:
    """Create a database per system; returns their URIs.

    Searches of pgvector's HNSW index continue until enough rows pass the filter, which pgvector recommends for filtered
    queries: most searches of one user among many would otherwise find too few rows.
    """
    databases = {KEEPSAKE: "keepsake", **PEER_NAMES}
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")  # defines the setting
        for name, database in databases.items():
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(database)))
            if name != KEEPSAKE:
                scan = sql.SQL("ALTER DATABASE {} SET hnsw.iterative_scan = 'strict_order'")
                connection.execute(scan.format(sql.Identifier(database)))
    return {name: server.replace("/postgres?", f"/{database}?") for name, database in databases.items()}


def _python() -> str:
    if not PYTHON.exists():
        raise SystemExit(f"{PYTHON} is missing: run `make bench`")
    return str(PYTHON)
