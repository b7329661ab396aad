"""Row-level security: a statement without a condition sees only the rows of one user."""

import psycopg
import pytest
from psycopg.rows import dict_row

from agent import AgentSettings, open_agent
from agent.database.pools import open_pool
from agent.database.row_security import ROLE, ScopedPool, scope_of
from agent.errors import InvalidIdError
from agent.memory.records.namespaces import user_root
from agent.types import UserId
from conftest import make_settings, model_settings
from support.client import signed_in
from support.gateway import RunningGateway
from support.pooler import transaction_pooler
from support.row_security import OWNERS_BY_TABLE, run_random_transactions
from support.scripted_openai import ScriptedOpenAI

# Tables of the installation, which contain no data of users.
SHARED_TABLES = {
    "installation",
    "keepsake_migrations",
    "store_migrations",
    "vector_migrations",
    "checkpoint_migrations",
}


async def _chat(gateway: RunningGateway, *names: str) -> list[UserId]:
    """Create users with rows in every table."""
    for name in names:
        async with signed_in(gateway.url, name) as client:
            await client.send(f"I live in {name}town.")
            await client.http.post("/memories", json={"text": f"Plays the {name}"})
    with psycopg.connect(gateway.database) as connection:
        return [UserId(label) for (label,) in connection.execute("SELECT id FROM users ORDER BY created_at")]


def test_every_table_with_user_data_has_a_policy(database: str) -> None:
    with psycopg.connect(database, row_factory=dict_row) as connection:
        tables = connection.execute(
            "SELECT relname, relrowsecurity, "
            "EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid) AS has_policy FROM pg_class "
            "WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace"
        ).fetchall()
    unprotected = {table["relname"] for table in tables if not table["relrowsecurity"] or not table["has_policy"]}
    assert unprotected == SHARED_TABLES
    assert {table["relname"] for table in tables} - SHARED_TABLES == set(OWNERS_BY_TABLE)


def test_the_role_of_users_has_no_privileges_of_its_own(database: str) -> None:
    with psycopg.connect(database, row_factory=dict_row) as connection:
        role = connection.execute("SELECT * FROM pg_roles WHERE rolname = %s", (ROLE,)).fetchone()
        owned = connection.execute(
            "SELECT relname FROM pg_class WHERE pg_get_userbyid(relowner) = %s", (ROLE,)
        ).fetchall()
    assert role is not None
    assert not any(
        role[attribute] for attribute in ("rolsuper", "rolbypassrls", "rolcreaterole", "rolcreatedb", "rolcanlogin")
    )
    assert owned == []


async def test_a_statement_without_a_condition_sees_only_the_users_rows(gateway: RunningGateway) -> None:
    users = await _chat(gateway, "ada", "bob", "cem")
    async with open_pool(gateway.database, size=4, name="test") as pool:
        counts = await run_random_transactions(ScopedPool(pool), users, transactions=2_000, seed=1)
    assert counts["foreign"] == 0
    assert counts["own"] > 1_000
    assert min(counts["failed"], counts["cancelled"]) > 50


async def test_a_transaction_without_a_scope_sees_no_rows(gateway: RunningGateway) -> None:
    await _chat(gateway, "ada")
    with psycopg.connect(gateway.database) as connection:
        connection.execute(f"SET ROLE {ROLE}")
        rows = {table: connection.execute(statement).fetchall() for table, statement in OWNERS_BY_TABLE.items()}
    assert rows == {table: [] for table in OWNERS_BY_TABLE}


async def test_a_user_cannot_write_rows_of_another_user(gateway: RunningGateway) -> None:
    ada, bob = await _chat(gateway, "ada", "bob")
    async with open_pool(gateway.database, size=1, name="test") as pool:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            async with ScopedPool(pool).for_user(ada) as connection:
                await connection.execute(
                    "INSERT INTO store (prefix, key, value) VALUES (%s, 'x', '{}')", (f"users.{bob}.memories.user",)
                )
        async with ScopedPool(pool).for_user(ada) as connection:
            deleted = await connection.execute("DELETE FROM messages WHERE user_id = %s RETURNING id", (bob,))
            assert await deleted.fetchall() == []


async def test_a_scope_that_is_not_the_label_of_a_user_sees_no_rows(gateway: RunningGateway) -> None:
    ada, _ = await _chat(gateway, "ada", "bob")
    general = ["users", "users.", ".", "users..", "users.users", "%", "users.%", "users._", "*", "users.*"]
    near = [ada, f"USERS.{ada}", f"users.{ada}.memories", f"users.{ada[:5]}", f"users.{ada} ", f" users.{ada}"]
    visible = {}
    with psycopg.connect(gateway.database) as connection:
        for scope in (*general, *near, f"users.{ada}\n", f"x\nusers.{ada}", f"users.{ada}"):
            connection.execute(
                "SELECT set_config('role', %s, true), set_config('keepsake.owner', %s, true)", (ROLE, scope)
            )
            visible[scope] = {table for table, query in OWNERS_BY_TABLE.items() if connection.execute(query).fetchall()}
            connection.rollback()
    assert {scope for scope, tables in visible.items() if tables} == {f"users.{ada}"}


@pytest.mark.parametrize("label", ["users", "", ".", "ada.memories", "*", "%", "ADA", "ada/1", "ada ", "a" * 65, "é"])
def test_a_label_with_a_special_meaning_is_refused(label: str) -> None:
    for use in (scope_of, user_root):
        with pytest.raises(InvalidIdError):
            use(UserId(label))


@pytest.mark.pooler
async def test_row_security_works_behind_a_transaction_pooler(database: str, model: ScriptedOpenAI) -> None:
    with transaction_pooler(database) as pooled:
        settings: AgentSettings = make_settings(pooled, **model_settings(model))
        with RunningGateway(settings) as gateway:
            users = await _chat(gateway, "ada", "bob")
            async with signed_in(gateway.url, "ada") as ada:
                assert next(memory["text"] for memory in await ada.memories(q="adatown")).startswith("Plays the ada")
        async with open_agent(settings, start_worker=False), open_pool(pooled, size=8, name="test") as pool:
            counts = await run_random_transactions(ScopedPool(pool), users, transactions=500, seed=2)
    assert counts["foreign"] == 0
    assert counts["own"] > 100
