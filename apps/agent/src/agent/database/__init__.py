"""The one Postgres: where it comes from, its schema, its pools and its statements."""

from agent.database.pools import open_database, open_pool
from agent.database.statements import Statements, load_statements

__all__ = ["Statements", "load_statements", "open_database", "open_pool"]
