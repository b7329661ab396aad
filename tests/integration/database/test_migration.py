"""Databases of earlier versions open; those of newer versions are rejected."""

from typing import LiteralString

import psycopg
import pytest

from agent import open_agent
from agent.errors import SetupError
from conftest import Databases, make_settings
from support.schema_dump import dump_schema

# Earlier versions recorded the store's additions by number.
NUMBERED: tuple[LiteralString, ...] = (
    "DELETE FROM keepsake_migrations WHERE name LIKE 'store\\_%'",
    "CREATE TABLE exact_migrations (v INTEGER PRIMARY KEY)",
    "INSERT INTO exact_migrations SELECT generate_series(0, 4)",
    "DROP FUNCTION store_vectors_in, store_vectors_between, store_similarity, store_distance, store_halved",
)


def execute(uri: str, *statements: LiteralString) -> None:
    with psycopg.connect(uri, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


async def start(uri: str) -> None:
    async with open_agent(make_settings(uri), start_worker=False):
        pass


async def test_a_database_with_numbered_store_migrations_opens(databases: Databases) -> None:
    uri = databases.create("minilm")
    current = dump_schema(uri)
    execute(uri, *NUMBERED)
    await start(uri)
    assert dump_schema(uri) == current
    with psycopg.connect(uri) as connection:
        applied = connection.execute(
            "SELECT name FROM keepsake_migrations WHERE name LIKE 'store%' ORDER BY 1"
        ).fetchall()
    assert [name[:10] for (name,) in applied] == [f"store_{number:04}" for number in range(1, 7)]


async def test_interrupted_numbered_migrations_are_completed(databases: Databases) -> None:
    uri = databases.create("minilm")
    current = dump_schema(uri)
    execute(uri, *NUMBERED, "DELETE FROM exact_migrations WHERE v > 2", "DROP INDEX store_vectors_together")
    await start(uri)
    assert dump_schema(uri) == current


@pytest.mark.parametrize("name", ["9999_of_the_future.sql", "store_9999_of_the_future"])
async def test_a_database_of_a_newer_version_is_rejected(databases: Databases, name: str) -> None:
    uri = databases.create("minilm")
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute("INSERT INTO keepsake_migrations VALUES (%s)", (name,))
    with pytest.raises(SetupError, match=f"newer Keepsake .it has {name}"):
        await start(uri)
