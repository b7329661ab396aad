"""Memory documents as stored, read with plain SQL instead of the store."""

from typing import Any

import psycopg

DocumentKey = tuple[str, str]
"""(namespace after the user label, key)."""


def documents(database: str) -> dict[DocumentKey, dict[str, Any]]:
    """All documents of all users."""
    with psycopg.connect(database) as connection:
        rows = connection.execute("SELECT prefix, key, value FROM store").fetchall()
    return {(prefix.split(".", 2)[2], key): value for prefix, key, value in rows}


def current_documents(database: str) -> dict[DocumentKey, dict[str, Any]]:
    """All documents except retired ones."""
    return {place: value for place, value in documents(database).items() if place[0] != "retired"}


def vectors(database: str) -> dict[DocumentKey, str]:
    """The vector of every indexed document."""
    with psycopg.connect(database) as connection:
        rows = connection.execute("SELECT prefix, key, embedding::text FROM store_vectors").fetchall()
    return {(prefix.split(".", 2)[2], key): embedding for prefix, key, embedding in rows}


def tables_containing(database: str, word: str) -> list[str]:
    """Tables with a row that contains a word, as text or as hex-encoded bytes."""
    with psycopg.connect(database) as connection:
        names = connection.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
        ).fetchall()
        tables = []
        for (name,) in names:
            rows = connection.execute(psycopg.sql.SQL("SELECT t::text FROM {} t").format(psycopg.sql.Identifier(name)))
            if any(word in text or word.encode().hex() in text for (text,) in rows):
                tables.append(str(name))
    return sorted(tables)
