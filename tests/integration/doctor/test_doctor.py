"""`keepsake doctor` reports faults, and the commands that it names fix them."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent import AgentSettings, Finding, diagnose, open_agent
from conftest import Databases, make_settings, model_settings
from gateway.cli import keepsake
from integration.jobs.conversions import changed, fill, half_done, held_conversion, rows
from support.scripted_openai import ScriptedOpenAI

COMMAND = re.compile(r"run ((?:ALTER|DROP|GRANT|REINDEX|REVOKE|REASSIGN) .*)")
INSERT_USER = "INSERT INTO users (id, issuer, subject) VALUES ('ada', 'x', 'ada');"


async def faults(settings: AgentSettings) -> list[Finding]:
    """All warnings and problems."""
    return [finding async for finding in diagnose(settings) if finding.level != "ok"]


def healthy(database: str, model: ScriptedOpenAI) -> AgentSettings:
    return make_settings(database, **model_settings(model))


async def test_a_healthy_installation_has_no_faults(database: str, model: ScriptedOpenAI) -> None:
    findings = [finding async for finding in diagnose(healthy(database, model))]
    assert {finding.level for finding in findings} == {"ok"}
    report = "\n".join(f"{finding.subject}: {finding.message}" for finding in findings)
    model_name = f"scripted at {model.base_url}"
    for word in ("Postgres: version", "pgvector: version", "DATABASE_URL", model_name, "store_vectors"):
        assert word in report


@pytest.mark.parametrize(
    ("fault", "level", "advice"),
    [
        ("ALTER TABLE threads DISABLE ROW LEVEL SECURITY", "problem", "threads ENABLE ROW LEVEL SECURITY"),
        ("REVOKE INSERT, DELETE ON store FROM keepsake_user", "problem", "GRANT INSERT, DELETE ON store"),
        ("CREATE POLICY gate ON store USING (true)", "problem", "DROP POLICY gate ON store"),
        ("GRANT SELECT ON installation TO PUBLIC", "problem", "REVOKE ALL ON installation"),
        ("CREATE TABLE mine (); ALTER TABLE mine OWNER TO keepsake_user", "problem", "REASSIGN OWNED BY keepsake_user"),
        ("ALTER ROLE keepsake_user BYPASSRLS", "problem", "ALTER ROLE keepsake_user NOSUPERUSER NOBYPASSRLS"),
        (
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'store_prefix_idx'::regclass",
            "problem",
            "REINDEX INDEX CONCURRENTLY store_prefix_idx",
        ),
        (
            "CREATE INDEX global ON store_vectors USING hnsw (embedding vector_cosine_ops)",
            "warning",
            "DROP INDEX CONCURRENTLY global",
        ),
        (
            "CREATE INDEX global ON store_vectors USING hnsw (embedding vector_cosine_ops);"
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'global'::regclass",
            "problem",
            "DROP INDEX CONCURRENTLY global",
        ),
    ],
)
async def test_the_named_command_fixes_the_fault(
    database: str, model: ScriptedOpenAI, fault: str, level: str, advice: str
) -> None:
    rows(database, fault)
    findings = await faults(healthy(database, model))
    assert (level, True) in [(finding.level, advice in finding.message) for finding in findings]
    for finding in findings:
        command = COMMAND.search(finding.message)
        assert command, finding
        rows(database, command[1])
    assert await faults(healthy(database, model)) == []


@pytest.mark.parametrize(
    ("fault", "advice"),
    [
        (
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'store_vectors_together_p1'::regclass",
            "REINDEX INDEX CONCURRENTLY store_vectors_together_p1",
        ),
        (
            "DROP INDEX store_vectors_together; CREATE INDEX store_vectors_together ON ONLY store_vectors (prefix)",
            "DROP INDEX store_vectors_together; CREATE INDEX store_vectors_together ON public.store_vectors USING",
        ),
        ("CREATE INDEX global ON store_vectors USING hnsw (embedding vector_cosine_ops)", "run DROP INDEX global"),
        (
            "CREATE INDEX part ON store_vectors_p0 USING hnsw (embedding vector_cosine_ops)",
            "run DROP INDEX CONCURRENTLY part",
        ),
        (
            "ALTER TABLE store_p0 DISABLE ROW LEVEL SECURITY; GRANT SELECT ON store_p0 TO keepsake_user",
            "REVOKE ALL ON store_p0",
        ),
    ],
)
async def test_faults_of_partitions_are_found_and_fixed(
    empty_database: str, model: ScriptedOpenAI, fault: str, advice: str
) -> None:
    settings = make_settings(empty_database, store_partitions=2, **model_settings(model))
    async with open_agent(settings, start_worker=False):
        pass
    assert await faults(settings) == []
    rows(empty_database, fault)
    [finding] = await faults(settings)
    assert advice in finding.message
    command = COMMAND.search(finding.message)
    assert command
    rows(empty_database, command[1])
    assert await faults(settings) == []


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("DROP POLICY own_rows ON messages", "messages has no policy"),
        ("REVOKE ALL ON messages FROM keepsake_user", "users cannot access their rows of messages"),
        ("REVOKE ALL ON store FROM keepsake_user", "users cannot access their rows of store"),
        (
            "DELETE FROM keepsake_migrations WHERE name = 'store_0005_wordless_index'",
            "the migration store_0005_wordless_index is missing",
        ),
        ("DELETE FROM checkpoint_migrations WHERE v = 9", "a migration is missing .checkpoint_migrations has 8 of 9"),
    ],
)
async def test_a_restart_fixes_the_fault(database: str, model: ScriptedOpenAI, fault: str, message: str) -> None:
    rows(database, fault)
    [finding] = await faults(healthy(database, model))
    assert finding.level == "problem"
    assert re.search(f"{message}.*start `keepsake serve`", finding.message)
    async with open_agent(healthy(database, model), start_worker=False):
        pass
    assert await faults(healthy(database, model)) == []


async def test_a_restart_adds_missing_words(database: str, model: ScriptedOpenAI) -> None:
    fill(database)
    [finding] = await faults(healthy(database, model))
    assert (finding.level, finding.subject) == ("warning", "recall")
    assert "150 vectors have no words: restart `keepsake serve`" in finding.message
    async with open_agent(healthy(database, model), start_worker=False):
        pass
    assert await faults(healthy(database, model)) == []


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO keepsake_migrations VALUES ('9999_of_the_future.sql')",
        "INSERT INTO vector_migrations VALUES (99)",
        "INSERT INTO checkpoint_migrations VALUES (99)",
    ],
)
async def test_a_database_of_a_newer_version_is_reported(database: str, model: ScriptedOpenAI, statement: str) -> None:
    rows(database, statement)
    [finding] = await faults(healthy(database, model))
    assert finding.level == "problem"
    assert "update" in finding.message


async def test_documents_without_vectors_are_counted(database: str, model: ScriptedOpenAI) -> None:
    rows(
        database,
        """INSERT INTO store (prefix, key, value, updated_at) VALUES
            ('users.ada.memories.user', 'a', '{"text": "Lives in Oslo"}', now() - interval '1 hour'),
            ('users.ada.inbox', 'b', '{"text": "I moved.", "recallable": true}', now() - interval '1 hour'),
            ('users.ada.inbox', 'c', '{"text": "Where am I?", "recallable": false}', now() - interval '1 hour'),
            ('users.ada.inbox', 'd', '{"text": "Just now.", "recallable": true}', now()),
            ('users.ada.retired', 'e', '{"text": "Lived in Rome"}', now() - interval '1 hour')""",
    )
    messages = [finding.message for finding in await faults(healthy(database, model))]
    assert [message.partition(" have ")[0] for message in messages] == ["1 messages", "1 memories"]


async def test_another_embedding_model_requires_a_conversion(database: str, model: ScriptedOpenAI) -> None:
    findings = await faults(changed(database, model))
    assert [finding.level for finding in findings] == ["problem", "problem"]
    assert all("run `keepsake reembed`" in finding.message for finding in findings)


async def test_running_and_unfinished_conversions_are_reported(database: str, model: ScriptedOpenAI) -> None:
    fill(database)
    async with open_agent(healthy(database, model), start_worker=False):
        pass
    async with held_conversion(model, changed(database, model)):
        messages = [finding.message async for finding in diagnose(make_settings(database, embedding_dims=384))]
        assert "`keepsake reembed` is converting to text-embedding-3-small/768" in messages
    await half_done(changed(database, model, dims=512))
    [finding] = [finding for finding in await faults(changed(database, model)) if finding.subject == "embedder"]
    assert finding.level == "warning"
    assert re.search("text-embedding-3-small/512 is unfinished: run `keepsake reembed`", finding.message)


@pytest.mark.parametrize(
    ("fail", "subject", "advice"),
    [
        (lambda script: setattr(script, "chat_status", 500), "chat model", "answers with an error"),
        (lambda script: setattr(script, "chat_status", 401), "chat model", "OPENAI_API_KEY"),
        (lambda script: setattr(script, "chat_status", 404), "chat model", "does not provide this model"),
        (lambda script: setattr(script, "embeddings_status", 401), "embedding model", "OPENAI_API_KEY"),
        (lambda script: setattr(script, "embeddings_status", 500), "embedding model", "answers with an error"),
    ],
)
async def test_a_failing_model_is_reported_with_its_url_and_without_the_key(
    database: str, model: ScriptedOpenAI, fail: Callable[[object], None], subject: str, advice: str
) -> None:
    fail(model.script)
    address = model.base_url.replace("http://", "http://me:secret@")
    settings = make_settings(database, **model_settings(model, openai_base_url=address, openai_api_key="sk-secret"))
    findings = await faults(settings)
    assert {(finding.level, finding.subject) for finding in findings} == {("problem", subject)}
    assert all(advice in finding.message and model.base_url in finding.message for finding in findings)
    assert "secret" not in str(findings)


async def test_an_unreachable_model_is_reported(databases: Databases) -> None:
    settings = make_settings(
        databases.create("minilm"), openai_base_url="http://127.0.0.1:9/v1", embedding_model="minilm"
    )
    findings = await faults(settings)
    assert {(finding.level, finding.subject) for finding in findings} == {("problem", "chat model")}
    assert "it cannot be reached: check OPENAI_BASE_URL" in findings[0].message


async def test_failed_and_overdue_formation_is_reported(database: str, model: ScriptedOpenAI) -> None:
    rows(
        database,
        INSERT_USER + "INSERT INTO formation (user_id, due_at, attempts, last_error) VALUES "
        "('ada', now() - interval '1 hour', 3, 'model_unavailable: the model did not answer')",
    )
    failed, overdue = await faults(healthy(database, model))
    assert failed.level == "problem"
    assert "the inbox of 1 user could not" in failed.message
    assert "model_unavailable: the model did not answer" in failed.message
    assert overdue.level == "warning"
    assert "check that `keepsake serve` runs" in overdue.message


@pytest.mark.parametrize(("users", "message"), [(1, "1 user pending"), (2, "2 users pending")])
async def test_pending_users_are_counted(database: str, model: ScriptedOpenAI, users: int, message: str) -> None:
    rows(
        database,
        f"INSERT INTO users (id, issuer, subject) SELECT n, 'x', n FROM generate_series(1, {users}) AS n;"
        "INSERT INTO formation (user_id, due_at) SELECT id, now() FROM users",
    )
    findings = [finding async for finding in diagnose(healthy(database, model))]
    assert Finding("ok", f"{message}, none overdue", "formation") in findings


async def test_set_aside_batches_are_reported_and_not_overdue(database: str, model: ScriptedOpenAI) -> None:
    rows(
        database,
        INSERT_USER + "INSERT INTO formation (user_id, due_at, set_aside, last_error) VALUES "
        "('ada', NULL, 2, 'formation_failed: the model gave no usable answer')",
    )
    [finding] = await faults(healthy(database, model))
    assert finding.level == "problem"
    assert "2 batches of 1 user set aside" in finding.message
    assert "formation_failed: the model gave no usable answer" in finding.message


async def test_an_unreachable_or_new_database_is_reported(
    empty_database: str, model: ScriptedOpenAI, tmp_path: Path
) -> None:
    [unreachable] = await faults(healthy("postgresql://me:secret@127.0.0.1:9/x", model))
    assert (unreachable.level, unreachable.subject) == ("problem", "database")
    assert "secret" not in unreachable.message
    [new] = await faults(healthy(empty_database, model))
    assert (new.level, new.subject) == ("warning", "tables")
    [none] = await faults(AgentSettings(_env_file=None, data_dir=tmp_path / "data"))
    assert (none.level, none.subject) == ("warning", "database")
    assert not (tmp_path / "data").exists()


async def test_a_separate_store_database_is_checked(databases: Databases) -> None:
    memories = databases.create("minilm")
    settings = make_settings(databases.create("minilm"), store_postgres_dsn=memories)
    assert await faults(settings) == []
    rows(memories, "DROP POLICY own_rows ON store")
    [finding] = await faults(settings)
    assert "store has no policy" in finding.message


def test_the_command_exits_with_1_if_there_is_a_problem(databases: Databases) -> None:
    database = databases.create("minilm")
    environment = {"DATABASE_URL": database}
    healthy_run = CliRunner().invoke(keepsake, ["doctor"], env=environment)
    assert healthy_run.exit_code == 0, healthy_run.output
    assert "ok       chat model: the offline model, in this process" in healthy_run.output
    rows(database, "DROP POLICY own_rows ON store")
    faulty_run = CliRunner().invoke(keepsake, ["doctor"], env=environment)
    assert faulty_run.exit_code == 1
    assert "problem  row security: store has no policy: restart `keepsake serve`, which creates it" in faulty_run.output
