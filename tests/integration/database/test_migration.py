"""Databases of earlier versions open; those of newer versions are rejected."""

from typing import Any, LiteralString

import psycopg
import pytest
from psycopg.types.json import Jsonb

from agent import open_agent, repartition_database
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

# Earlier versions had other names for columns and indexes, and other values in the history.
RENAMED: tuple[LiteralString, ...] = (
    "DELETE FROM keepsake_migrations WHERE name IN ('0018_names.sql', 'store_0007_history_values')",
    "ALTER TABLE users RENAME COLUMN compaction_due_at TO upkeep_at",
    "ALTER TABLE users RENAME CONSTRAINT users_compaction_due_at_not_null TO users_upkeep_at_not_null",
    "ALTER INDEX users_compaction RENAME TO users_upkeep",
    "ALTER TABLE messages RENAME COLUMN enqueued TO noted",
    "ALTER TABLE messages RENAME CONSTRAINT messages_enqueued_not_null TO messages_noted_not_null",
    "ALTER INDEX messages_to_enqueue RENAME TO messages_to_note",
    "INSERT INTO users (id, issuer, subject, upkeep_at) VALUES ('ada', 'local', 'ada', '2026-05-01T00:00:00Z')",
    "INSERT INTO threads (id, user_id) VALUES (gen_random_uuid(), 'ada')",
    """INSERT INTO messages (user_id, id, thread_id, role, text, noted)
    SELECT user_id, gen_random_uuid(), id, 'user', CASE WHEN noted THEN 'in the inbox' ELSE 'not yet' END, noted
    FROM threads, unnest('{false,true}'::boolean[]) AS noted""",
)
EVICTED = {"text": "Likes jazz", "who": "formation", "why": "crowded_out", "by": None}
SUMMARISED = {"text": "User asked for tea.", "who": "upkeep", "why": "folded", "by": None}
EDITED = {"text": "The shirts are folded", "who": "user", "why": "edited", "by": "a"}
DOCUMENTS = [
    *((f"users.{user}.retired", EVICTED) for user in ("ada", "bob", "carl", "dora")),
    ("users.ada.retired", SUMMARISED),
    ("users.ada.retired", EDITED),
    ("users.ada.memories.user", {"text": "Likes jazz", "why": "folded"}),
    ("users.ada.items.retired", {"text": "of a client", "who": "upkeep", "why": "folded"}),
]


def execute(uri: str, *statements: LiteralString) -> None:
    with psycopg.connect(uri, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def rows(uri: str, query: LiteralString) -> list[tuple[Any, ...]]:
    with psycopg.connect(uri) as connection:
        return connection.execute(query).fetchall()


async def start(uri: str) -> None:
    async with open_agent(make_settings(uri), start_worker=False):
        pass


async def test_a_database_with_numbered_store_migrations_opens(databases: Databases) -> None:
    uri = databases.create("minilm")
    current = dump_schema(uri)
    execute(uri, *NUMBERED)
    await start(uri)
    assert dump_schema(uri) == current
    applied = rows(uri, "SELECT name FROM keepsake_migrations WHERE name LIKE 'store%' ORDER BY 1")
    assert [name[:10] for (name,) in applied] == [f"store_{number:04}" for number in range(1, 8)]


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


@pytest.mark.parametrize("partitions", [0, 3])
async def test_names_and_values_of_an_earlier_version_are_converted(databases: Databases, partitions: int) -> None:
    uri = databases.create("minilm")
    await repartition_database(make_settings(uri, store_partitions=partitions))
    current = dump_schema(uri)
    execute(uri, *RENAMED)
    with psycopg.connect(uri) as connection:
        for number, (prefix, value) in enumerate(DOCUMENTS):
            parameters = {"prefix": prefix, "key": str(number), "value": Jsonb(value)}
            connection.execute(
                "INSERT INTO store (prefix, key, value) VALUES (%(prefix)s, %(key)s, %(value)s)", parameters
            )
        for number, why in enumerate(("crowded_out", "folded", "edited")):
            change = Jsonb({"type": "memory.retired", "why": why})
            connection.execute("INSERT INTO store_changes VALUES ('users.ada', %s, '{a}', %s)", (number, change))
    await start(uri)
    assert dump_schema(uri) == current
    assert rows(uri, "SELECT compaction_due_at::date::text FROM users") == [("2026-05-01",)]
    assert rows(uri, "SELECT text FROM messages WHERE NOT enqueued") == [("not yet",)]
    assert rows(uri, "SELECT value FROM store ORDER BY key::int") == [
        *((EVICTED | {"why": "evicted"},) for _ in range(4)),
        (SUMMARISED | {"who": "compaction", "why": "summarised"},),
        *((value,) for _, value in DOCUMENTS[-3:]),
    ]
    assert rows(uri, "SELECT data ->> 'why' FROM store_changes ORDER BY seq") == [
        ("evicted",),
        ("summarised",),
        ("edited",),
    ]
