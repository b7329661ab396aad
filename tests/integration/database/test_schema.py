"""The dump of the schema is current."""

from conftest import Databases
from support.schema_dump import SCHEMA, dump_schema


def test_the_dump_is_the_schema_of_a_migrated_database(databases: Databases) -> None:
    assert dump_schema(databases.create("minilm")) == SCHEMA.read_text(encoding="utf-8"), "run `make schema`"
