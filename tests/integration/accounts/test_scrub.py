"""Scrubbed is gone: not a byte of it is left in the database's files."""

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
from gateway.auth.local import LOCAL_ISSUER, label
from gateway.cli import keepsake

CANARY = "Tiriyopteryx"  # stands in no file of Postgres's own


def _files_with(work_dir: Path, word: str) -> list[str]:
    files = (path for path in work_dir.rglob("*") if path.is_file())
    return sorted(str(path.relative_to(work_dir)) for path in files if word.encode() in path.read_bytes())


async def _talk(settings: AgentSettings, name: str, word: str) -> None:
    """Let somebody leave a word in every table, in the log, and in the planner's statistics."""
    async with open_agent(settings, start_worker=False) as agent:
        user = await agent.users.sign_in(label(LOCAL_ISSUER, name), issuer=LOCAL_ISSUER, subject=name)
        for n in range(20):
            said = UserMessage(f"I live in {word} number {n}. I am allergic to {word}.", MessageId(str(uuid.uuid4())))
            async for _ in await agent.send_message(user, ThreadId(str(uuid.uuid4())), said):
                pass
        await agent.flush(user.id)
        for memory in (await agent.memories.list_memories(user.id, kind=None, query=None, limit=5, cursor=None)).items:
            await agent.memories.edit(user.id, memory.id, text=f"Has moved to {word}")


@pytest.mark.timeout(120)
def test_what_is_scrubbed_is_in_no_file_of_the_database(work_dir: Path) -> None:
    data = work_dir / "data"
    settings = AgentSettings(_env_file=None, data_dir=data)
    with embedded_postgres(data / "postgres") as uri:
        for name, word in (("ada", CANARY), ("bob", "Xylobates")):
            asyncio.run(_talk(settings, name, word))
        with psycopg.connect(uri, autocommit=True) as connection:
            connection.execute("ANALYZE")
            connection.execute("CHECKPOINT")
    assert len(_files_with(data, CANARY)) > 5
    run = CliRunner(env={"KEEPSAKE_DATA_DIR": str(data)})
    erased = run.invoke(keepsake, ["erase", "--user", "ada"])
    assert erased.exit_code == 0, erased.output
    assert _files_with(data, CANARY) != []
    scrubbed = run.invoke(keepsake, ["erase", "--user", "ada", "--scrub"])
    assert scrubbed.exit_code == 0, scrubbed.output
    assert _files_with(data, CANARY) == []
    assert _files_with(data, "Xylobates") != []
    known = run.invoke(keepsake, ["memories", "list", "--user", "bob"])
    assert "Xylobates" in known.output


@pytest.mark.usefixtures("templates")  # they make the role of a user's transactions
async def test_a_role_that_may_not_is_told_so(postgres: str) -> None:
    name = f"plain_{uuid.uuid4().hex}"
    role = sql.Identifier(name)
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN CREATEROLE").format(role))
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(role, role))
    own = postgres.replace("/postgres?", f"/{name}?")
    with psycopg.connect(own, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute(sql.SQL("GRANT keepsake_user TO {}").format(role))
    async with open_agent(make_settings(own.replace("postgres:@", f"{name}:@")), start_worker=False) as agent:
        with pytest.raises(SetupError, match="as a superuser"):
            await agent.scrub()
