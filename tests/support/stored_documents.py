"""What the database holds of memories, read past everything that is ours."""

from typing import Any

import psycopg

DocumentKey = tuple[str, str]
"""What follows the user in a namespace, and the key."""


def documents(database: str) -> dict[DocumentKey, dict[str, Any]]:
    """Return every document of every user."""
    with psycopg.connect(database) as connection:
        rows = connection.execute("SELECT prefix, key, value FROM store").fetchall()
    return {(prefix.split(".", 2)[2], key): value for prefix, key, value in rows}


def current_documents(database: str) -> dict[DocumentKey, dict[str, Any]]:
    """Return every document that is not history."""
    return {place: value for place, value in documents(database).items() if place[0] != "retired"}


def vectors(database: str) -> dict[DocumentKey, str]:
    """Return the vector of everything that can be found by one."""
    with psycopg.connect(database) as connection:
        rows = connection.execute("SELECT prefix, key, embedding::text FROM store_vectors").fetchall()
    return {(prefix.split(".", 2)[2], key): embedding for prefix, key, embedding in rows}


def tables_containing(database: str, word: str) -> list[str]:
    """Return the tables of which a row holds a word, however it is written down there."""
    with psycopg.connect(database) as connection:
        names = connection.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
        ).fetchall()
        found = []
        for (name,) in names:
            rows = connection.execute(psycopg.sql.SQL("SELECT t::text FROM {} t").format(psycopg.sql.Identifier(name)))
            if any(word in text or word.encode().hex() in text for (text,) in rows):
                found.append(str(name))
    return sorted(found)
