"""The second wall: even a statement that forgot whose rows it wants sees one user's only."""

import psycopg
import pytest
from psycopg.rows import dict_row

from agent import AgentSettings, open_agent
from agent.database.pools import open_pool
from agent.database.row_security import ROLE, ScopedPool
from agent.types import UserId
from conftest import make_settings, model_settings
from support.client import signed_in
from support.gateway import RunningGateway
from support.pooler import transaction_pooler
from support.scripted_openai import ScriptedOpenAI
from support.wall import STATEMENTS, storm

# What belongs to the installation, and says nothing of any user.
NOBODYS = {"installation", "keepsake_migrations", "store_migrations", "vector_migrations", "checkpoint_migrations"}


async def _chat(gateway: RunningGateway, *names: str) -> list[UserId]:
    """Let people say and remember something, so that every table has rows of theirs; return their labels."""
    for name in names:
        async with signed_in(gateway.url, name) as client:
            await client.send(f"I live in {name}town.")
            await client.http.post("/memories", json={"text": f"Plays the {name}"})
    with psycopg.connect(gateway.database) as connection:
        return [UserId(label) for (label,) in connection.execute("SELECT id FROM users ORDER BY created_at")]


def test_every_table_with_a_users_data_has_a_policy(database: str) -> None:
    with psycopg.connect(database, row_factory=dict_row) as connection:
        tables = connection.execute(
            "SELECT relname, relrowsecurity, "
            "EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid) AS has_policy FROM pg_class "
            "WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace"
        ).fetchall()
    open_to_all = {table["relname"] for table in tables if not table["relrowsecurity"] or not table["has_policy"]}
    assert open_to_all == NOBODYS
    assert {table["relname"] for table in tables} - NOBODYS == set(STATEMENTS)


def test_the_role_of_a_users_transaction_owns_nothing_and_bypasses_nothing(database: str) -> None:
    with psycopg.connect(database, row_factory=dict_row) as connection:
        role = connection.execute("SELECT * FROM pg_roles WHERE rolname = %s", (ROLE,)).fetchone()
        owned = connection.execute(
            "SELECT relname FROM pg_class WHERE pg_get_userbyid(relowner) = %s", (ROLE,)
        ).fetchall()
    assert role is not None
    assert not any(role[might] for might in ("rolsuper", "rolbypassrls", "rolcreaterole", "rolcreatedb", "rolcanlogin"))
    assert owned == []


async def test_without_any_condition_a_user_sees_their_own_rows_only(gateway: RunningGateway) -> None:
    users = await _chat(gateway, "ada", "bob", "cem")
    async with open_pool(gateway.database, size=4, name="test") as pool:
        seen = await storm(ScopedPool(pool), users, transactions=2_000, seed=1)
    assert seen["foreign"] == 0
    assert seen["own"] > 1_000
    assert min(seen["failed"], seen["cancelled"]) > 50


async def test_nobody_in_particular_sees_nothing(gateway: RunningGateway) -> None:
    await _chat(gateway, "ada")
    with psycopg.connect(gateway.database) as connection:
        connection.execute(f"SET ROLE {ROLE}")
        seen = {table: connection.execute(statement).fetchall() for table, statement in STATEMENTS.items()}
    assert seen == {key: [] for key in STATEMENTS}


async def test_nobody_can_write_into_anothers_rows(gateway: RunningGateway) -> None:
    ada, bob = await _chat(gateway, "ada", "bob")
    async with open_pool(gateway.database, size=1, name="test") as pool:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            async with ScopedPool(pool).for_user(ada) as connection:
                await connection.execute(
                    "INSERT INTO store (prefix, key, value) VALUES (%s, 'x', '{}')", (f"users.{bob}.memories.user",)
                )
        async with ScopedPool(pool).for_user(ada) as connection:
            gone = await connection.execute("DELETE FROM messages WHERE user_id = %s RETURNING id", (bob,))
            assert await gone.fetchall() == []


@pytest.mark.pooler
async def test_everything_works_behind_a_transaction_pooler(database: str, model: ScriptedOpenAI) -> None:
    with transaction_pooler(database) as pooled:
        settings: AgentSettings = make_settings(pooled, **model_settings(model))
        with RunningGateway(settings) as gateway:
            users = await _chat(gateway, "ada", "bob")
            async with signed_in(gateway.url, "ada") as ada:
                assert next(memory["text"] for memory in await ada.memories(q="adatown")).startswith("Plays the ada")
        async with open_agent(settings, start_worker=False), open_pool(pooled, size=8, name="test") as pool:
            seen = await storm(ScopedPool(pool), users, transactions=500, seed=2)
    assert seen["foreign"] == 0
    assert seen["own"] > 100
