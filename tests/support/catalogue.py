"""What the store's tables consist of: their definitions, and digests of their rows."""

from typing import Any, LiteralString

import psycopg

Rows = list[tuple[Any, ...]]


def catalogue(database: str, *kinds: str) -> dict[str, Rows]:
    """Read the definitions of tables, indexes, constraints, policies, triggers and functions, or of some kinds."""
    return {kind: _read(database, CATALOGUE[kind]) for kind in kinds or CATALOGUE}


def digests(database: str) -> Rows:
    """The number of rows of each table, and a digest of all their columns."""
    return [row for statement in DIGESTS for row in _read(database, statement)]


def _read(database: str, statement: LiteralString) -> Rows:
    with psycopg.connect(database, autocommit=True) as connection:
        return connection.execute(statement).fetchall()


# The tables of the store and their partitions.
OF_STORE = r"::regclass::text ~ '^store(_vectors)?(_p\d+)?$'"

CATALOGUE: dict[str, LiteralString] = {
    "tables": """
        SELECT relname, relkind::text, relrowsecurity, relforcerowsecurity, relacl::text, relowner,
            pg_get_expr(relpartbound, oid), pg_get_partkeydef(oid)
        FROM pg_class
        WHERE relnamespace = 'public'::regnamespace ORDER BY relname""",
    "columns": f"""
        SELECT attrelid::regclass::text, attname, attnum, format_type(atttypid, atttypmod), attnotnull,
            attgenerated::text, attstorage::text, attcollation::regcollation::text, pg_get_expr(adbin, adrelid),
            col_description(attrelid, attnum)
        FROM pg_attribute LEFT JOIN pg_attrdef ON (attrelid, attnum) = (adrelid, adnum)
        WHERE attrelid{OF_STORE} ORDER BY 1, attnum""",
    "indexes": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname",
    "validity": f"SELECT indexrelid::regclass::text, indisvalid FROM pg_index WHERE indrelid{OF_STORE} ORDER BY 1",
    "constraints": f"""
        SELECT conrelid::regclass::text, conname, contype::text, pg_get_constraintdef(oid), convalidated
        FROM pg_constraint WHERE conrelid{OF_STORE} ORDER BY 1, 2""",
    "policies": f"""
        SELECT polrelid::regclass::text, polname, polcmd::text, polpermissive, polroles::regrole[]::text,
            pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid), obj_description(oid, 'pg_policy')
        FROM pg_policy WHERE polrelid{OF_STORE} ORDER BY 1""",
    "triggers": f"""
        SELECT tgrelid::regclass::text, tgtype, tgfoid::regproc::text FROM pg_trigger
        WHERE tgrelid{OF_STORE} ORDER BY 1, 2, 3""",
    "functions": """
        SELECT oid::regprocedure::text, obj_description(oid, 'pg_proc') FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace ORDER BY 1""",
    "migrations": """
        SELECT name FROM keepsake_migrations UNION ALL SELECT v::text FROM vector_migrations ORDER BY 1""",
    "installation": "SELECT name FROM installation ORDER BY name",
}

DIGESTS: tuple[LiteralString, ...] = (
    "SELECT 'store', count(*), md5(string_agg(store::text, '|' ORDER BY prefix, key)) FROM store",
    "SELECT 'store_vectors', count(*), md5(string_agg(store_vectors::text, '|' ORDER BY prefix, key, field_name)) "
    "FROM store_vectors",
)
