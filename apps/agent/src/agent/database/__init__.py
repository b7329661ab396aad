"""The one Postgres: where it comes from, its schema, its pools and its statements."""

from agent.database.pools import open_database, open_pool

__all__ = ["open_database", "open_pool"]
