"""The Postgres database: embedded server, migrations, pools, row-level security and statements."""

from agent.database.pools import open_database, open_pool

__all__ = ["open_database", "open_pool"]
