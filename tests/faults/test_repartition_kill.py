"""A conversion of the partitions that is killed changes nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import LiteralString

import psycopg

from integration.jobs.conversions import fill
from support.catalogue import catalogue, digests
from support.processes import Process

HELD = 7
# Each entry of this index waits for a lock, so that the command is held after it has copied the rows.
SLOW_INDEX: LiteralString = f"""
CREATE FUNCTION held(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared({HELD});
    RETURN $1;
END $$;
CREATE INDEX held ON store_vectors (held(key));
"""
WAITS: LiteralString = f"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = {HELD} AND NOT granted"
CONNECTED: LiteralString = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()"""


def _repartition(work_dir: Path, database: str) -> Process:
    settings = {"DATABASE_URL": database, "KEEPSAKE_STORE_PARTITIONS": "4"}
    return Process(["python", "-m", "gateway.cli", "repartition"], work_dir=work_dir, **settings)


@contextmanager
def _held(database: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", (HELD,))
        yield connection


def _wait_until(connection: psycopg.Connection, statement: LiteralString, count: int) -> None:
    while connection.execute(statement).fetchone() != (count,):
        connection.execute("SELECT pg_sleep(0.02)")


def test_a_killed_conversion_changes_nothing(work_dir: Path, database: str) -> None:
    fill(database)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(SLOW_INDEX)
    before = digests(database), catalogue(database)
    with _held(database) as connection:
        with _repartition(work_dir, database) as command:
            _wait_until(connection, WAITS, 1)
            command.kill()
        connection.execute("SELECT pg_advisory_unlock(%s)", (HELD,))
        _wait_until(connection, CONNECTED, 0)
    assert (digests(database), catalogue(database)) == before
    with _repartition(work_dir, database) as again:
        assert again.process.wait(30) == 0
    assert "store_vectors: 150 rows in 4 partitions" in "".join(again.output)
    assert digests(database) == before[0]
