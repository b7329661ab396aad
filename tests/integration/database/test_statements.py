"""Every SQL statement is described, and valid as it stands."""

import importlib
import pkgutil
import re
from collections.abc import Iterator

import psycopg
import pytest

import agent
from agent.database.statements import Statements
from conftest import Databases

# What the statements of a conversion refer to exists only while one is under way.
CONVERSION = "CREATE TABLE store_vectors_next (LIKE store_vectors INCLUDING ALL)"
_PLACEHOLDER = re.compile(r"%\(\w+\)[sb]")
_NOT_IN_TRANSACTIONS = ("VACUUM", "ALTER SYSTEM", "CHECKPOINT")
_EXPLAINED = ("SELECT", "WITH", "INSERT", "UPDATE", "DELETE")


def statements() -> Iterator[tuple[str, str]]:
    """Names and texts of all statements of the package."""
    for module in pkgutil.walk_packages(agent.__path__, "agent."):
        importlib.import_module(module.name)
    for statements_class in Statements.__subclasses__():
        for name in statements_class.__annotations__:
            yield f"{statements_class.__module__}.{name}", getattr(statements_class, name)


ALL = dict(statements())


@pytest.fixture(scope="module")
def migrated(databases: Databases) -> str:
    """A migrated database in which a conversion of vectors is under way."""
    uri = databases.create("minilm")
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute(CONVERSION)
        connection.execute(ALL["agent.store.conversion.record_changes"])
    return uri


@pytest.mark.parametrize("name", ALL)
def test_every_statement_is_described(name: str) -> None:
    assert ALL[name].startswith("-- "), f"{name} needs a line `-- …` with its purpose"


@pytest.mark.parametrize("name", ALL)
def test_every_statement_is_valid(migrated: str, name: str) -> None:
    # Postgres infers the type of NULL as it does that of a parameter.
    statement = _PLACEHOLDER.sub("NULL", ALL[name]).replace("%%", "%")
    code = "\n".join(line for line in statement.splitlines() if not line.startswith("--")).lstrip()
    if code.startswith(_NOT_IN_TRANSACTIONS):
        code = f"DO $do$ BEGIN IF false THEN {code} END IF; END $do$"
    with psycopg.connect(migrated) as connection:
        connection.execute(f"EXPLAIN {code}" if code.startswith(_EXPLAINED) else code)
        connection.rollback()
