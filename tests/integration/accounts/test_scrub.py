"""Scrubbing removes deleted text from all files of the database."""

import asyncio
import uuid
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner
from psycopg import sql

from agent import AgentSettings, MessageId, SetupError, ThreadId, UserMessage, open_agent
from agent.database.embedded import embedded_postgres
from conftest import make_settings
from gateway.auth.local import LOCAL_ISSUER
from gateway.auth.principal import user_label
from gateway.cli import keepsake

CANARY = "Tiriyopteryx"  # occurs in none of Postgres' own files


def files_containing(work_dir: Path, word: str) -> list[str]:
    files = (path for path in work_dir.rglob("*") if path.is_file())
    return sorted(str(path.relative_to(work_dir)) for path in files if word.encode() in path.read_bytes())


async def leave_traces(settings: AgentSettings, name: str, word: str, *, messages: int) -> None:
    """Write a word to every table, to the write-ahead log, and to the planner's statistics."""
    async with open_agent(settings, start_worker=False) as agent:
        user = await agent.users.sign_in(user_label(LOCAL_ISSUER, name), issuer=LOCAL_ISSUER, subject=name)
        for n in range(messages):
            message = UserMessage(
                f"I live in {word} number {n}. I am allergic to {word}.", MessageId(str(uuid.uuid4()))
            )
            async for _ in await agent.send_message(user, ThreadId(str(uuid.uuid4())), message):
                pass
        await agent.formation.flush(user.id)
        for memory in (await agent.memories.list_memories(user.id, kind=None, query=None, limit=5, cursor=None)).items:
            await agent.memories.edit(user.id, memory.id, text=f"Has moved to {word}")


@pytest.mark.timeout(120)
def test_after_scrubbing_no_file_of_the_database_contains_deleted_text(work_dir: Path) -> None:
    data = work_dir / "data"
    settings = AgentSettings(_env_file=None, data_dir=data)
    with embedded_postgres(data / "postgres") as uri:
        asyncio.run(leave_traces(settings, "ada", CANARY, messages=4))
        asyncio.run(leave_traces(settings, "bob", "Xylobates", messages=1))
        with psycopg.connect(uri, autocommit=True) as connection:
            connection.execute("ANALYZE")
            connection.execute("CHECKPOINT")
    assert len(files_containing(data, CANARY)) > 5
    runner = CliRunner(env={"KEEPSAKE_DATA_DIR": str(data)})
    erasure = runner.invoke(keepsake, ["erase", "--user", "ada", "--yes"])
    assert erasure.exit_code == 0, erasure.output
    assert files_containing(data, CANARY) != []
    scrubbing = runner.invoke(keepsake, ["scrub"])
    assert scrubbing.exit_code == 0, scrubbing.output
    assert files_containing(data, CANARY) == []
    assert files_containing(data, "Xylobates") != []
    listing = runner.invoke(keepsake, ["memories", "list", "--user", "bob"])
    assert "Xylobates" in listing.output
    erasure = runner.invoke(keepsake, ["erase", "--user", "bob", "--yes", "--scrub"])
    assert erasure.exit_code == 0, erasure.output
    assert files_containing(data, "Xylobates") == []


@pytest.mark.usefixtures("templates")  # creates the database role of users' transactions
async def test_scrubbing_without_the_rights_of_a_superuser_is_an_error(postgres: str) -> None:
    name = f"plain_{uuid.uuid4().hex}"
    role = sql.Identifier(name)
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN CREATEROLE").format(role))
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(role, role))
    uri = postgres.replace("/postgres?", f"/{name}?")
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute(sql.SQL("GRANT keepsake_user TO {}").format(role))
    async with open_agent(make_settings(uri.replace("postgres:@", f"{name}:@")), start_worker=False) as agent:
        with pytest.raises(SetupError, match="as a superuser"):
            await agent.scrub()
