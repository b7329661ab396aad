"""Commands for the data of one user."""

import asyncio
import json
import os
import pty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psycopg
import pytest
from click.testing import CliRunner, Result

from agent import AgentError, User, open_agent
from conftest import Databases, make_settings
from gateway.auth.local import LOCAL_ISSUER
from gateway.auth.principal import user_label
from gateway.cli import keepsake
from support.foreign_exports import MEM0
from support.processes import BIN, Process
from support.stored_documents import documents, tables_containing
from support.terminal import interrupt, open_terminal, read_until

Keepsake = Callable[..., Result]

ADA = user_label(LOCAL_ISSUER, "ada")


@pytest.fixture(scope="module")
def template(databases: Databases) -> Iterator[str]:
    """A database in which Ada has an account; tests use copies of it."""
    uri = databases.create("minilm")

    async def sign_in() -> None:
        async with open_agent(make_settings(uri), start_worker=False) as agent:
            await agent.users.sign_in(ADA, issuer=LOCAL_ISSUER, subject="ada")

    asyncio.run(sign_in())
    yield uri
    databases.drop(uri)


@pytest.fixture
def database(databases: Databases, template: str) -> Iterator[str]:
    uri = databases.copy(template)
    yield uri
    databases.drop(uri)


@pytest.fixture
def run(database: str) -> Keepsake:
    """Runs a command on `database`, by default for Ada."""

    def invoke(*arguments: str, user: str = "ada", stdin: str | IO[bytes] | None = None) -> Result:
        command = [*arguments, "--user", user]
        return CliRunner(env={"DATABASE_URL": database}).invoke(keepsake, command, input=stdin)

    return invoke


def _lines(result: Result) -> list[str]:
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def _json_lines(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in _lines(result)]


def test_memories_are_added_listed_searched_edited_and_forgotten(run: Keepsake) -> None:
    for text in ("Lives in Oslo", "Plays the violin"):
        run("memories", "add", text)
    run("memories", "add", "Prefers short answers", "--kind", "procedural", "--category", "preference")
    listed = _json_lines(run("memories", "list", "--json"))
    assert [memory["text"] for memory in listed] == ["Prefers short answers", "Plays the violin", "Lives in Oslo"]
    [line] = _lines(run("memories", "list", "--kind", "procedural"))
    assert line == f"{listed[0]['id']}  procedural  Prefers short answers"
    found = _lines(run("memories", "search", "Which instrument?", "--limit", "1"))
    assert found == [f"{listed[1]['id']}  user        Plays the violin"]
    edited = _json_lines(run("memories", "edit", str(listed[1]["id"]), "Plays the cello", "--json"))
    assert [memory["text"] for memory in edited] == ["Plays the cello"]
    assert _lines(run("memories", "forget", str(listed[2]["id"]))) == ["Forgotten: Lives in Oslo"]
    assert len(_lines(run("memories", "list"))) == 2


def test_words_forget_one_memory_or_list_several(run: Keepsake) -> None:
    for text in ("Lives in Oslo", "Likes jazz", "Likes jazz clubs in Bergen"):
        run("memories", "add", text)
    assert _lines(run("memories", "forget", "that I live in Oslo")) == ["Forgotten: Lives in Oslo"]
    several = run("memories", "forget", "jazz")
    assert several.exit_code == 1
    assert [line.partition("  ")[2] for line in several.output.splitlines()[:2]] == [
        "Likes jazz clubs in Bergen",
        "Likes jazz",
    ]
    assert run("memories", "forget", "that I like chess").exit_code == 1
    assert len(_lines(run("memories", "list"))) == 2
    assert len(_lines(run("memories", "forget", "everything about jazz"))) == 2


def test_a_forgotten_memory_is_restored_or_deleted_at_once(run: Keepsake, database: str) -> None:
    [memory] = _json_lines(run("memories", "add", "Lives in Oslo", "--json"))
    run("memories", "forget", str(memory["id"]))
    assert _lines(run("memories", "undo", str(memory["id"])))[0].endswith("Lives in Oslo")
    assert _lines(run("memories", "forget", "--now", str(memory["id"]))) == []
    assert documents(database) == {}


def test_memories_are_pinned_and_unpinned(run: Keepsake) -> None:
    [memory] = _json_lines(run("memories", "add", "Lives in Oslo", "--json"))
    for command, pinned in (("pin", True), ("unpin", False)):
        assert _lines(run("memories", command, str(memory["id"]))) == []
        assert [listed["pinned"] for listed in _json_lines(run("memories", "list", "--json"))] == [pinned]


def test_history_is_listed_and_changes_are_undone(run: Keepsake) -> None:
    [memory] = _json_lines(run("memories", "add", "Plays the violin", "--json"))
    run("memories", "edit", str(memory["id"]), "Plays the cello")
    [line] = _lines(run("memories", "history", str(memory["id"])))
    assert line.endswith("edited by user: Plays the violin")
    assert _lines(run("memories", "undo", str(memory["id"])))[0].endswith("Plays the violin")
    assert "retired" in _lines(run("memories", "undo", str(memory["id"])))[0]
    assert _lines(run("memories", "list")) == []
    version = line.split()[0]
    assert isinstance(run("memories", "undo", version).exception, AgentError)  # the undo removed it from the history
    past = _json_lines(run("memories", "history", str(memory["id"]), "--json"))
    undone = {one["text"]: str(one["version"]) for one in past}
    assert _lines(run("memories", "undo", undone["Plays the cello"]))[0].endswith("Plays the cello")


def test_an_export_of_another_application_is_shown_and_imported(run: Keepsake, tmp_path: Path) -> None:
    file = tmp_path / "mem0.json"
    file.write_text(json.dumps(MEM0), encoding="utf-8")
    shown = _lines(run("import", "--from", "mem0", "--dry-run", str(file)))
    assert shown[0] == "2026-01-01  user        Has two cats"
    assert shown[1:] == [
        "1 memories and messages of mem0 would be imported, 0 unchanged.",
        "1 skipped: credentials",
    ]
    assert _lines(run("memories", "list")) == []
    assert _lines(run("import", str(file)))[0] == "1 memories and messages of mem0 imported, 0 unchanged."
    assert len(_lines(run("memories", "list"))) == 1


def test_an_export_can_be_imported(run: Keepsake, database: str, tmp_path: Path) -> None:
    run("memories", "add", "Lives in Oslo")
    file = tmp_path / "memories.jsonl"
    assert _lines(run("export", "-o", str(file))) == []
    assert file.read_text(encoding="utf-8") == run("export").output
    before = documents(database)
    assert _lines(run("import", str(file))) == ["0 lines imported, 1 unchanged."]
    [memory] = _json_lines(run("memories", "list", "--json"))
    run("memories", "forget", "--now", str(memory["id"]))
    assert _lines(run("import", "-", stdin=file.read_text(encoding="utf-8"))) == ["1 lines imported, 0 unchanged."]
    assert documents(database) == before


def test_memory_is_paused_and_resumed(run: Keepsake, database: str) -> None:
    async def account() -> User | None:
        async with open_agent(make_settings(database), start_worker=False) as agent:
            return await agent.users.find(ADA)

    assert _lines(run("pause")) == ["Memory is paused for ada."]
    assert asyncio.run(account()) == User(ADA, memory_enabled=False)
    assert _lines(run("resume")) == ["Memory is on for ada."]
    assert asyncio.run(account()) == User(ADA, memory_enabled=True)


def test_the_command_for_a_token_is_printed_as_it_was_started(run: Keepsake, database: str, tmp_path: Path) -> None:
    environment = {"DATABASE_URL": database, "KEEPSAKE_DATA_DIR": str(tmp_path)}
    with Process(["keepsake", "serve", "--port", "0"], work_dir=tmp_path, **environment) as server:
        command = server.wait_for("run: (.+) token --user NAME")[1]
    assert command == str(BIN / "keepsake")
    [token] = _lines(run("token"))
    assert token.count(".") == 2


@pytest.mark.parametrize(
    "options",
    [
        ["--user", "ada"],
        ["--user", ADA],
        ["--subject", "ada"],
        ["--user", "ada", "--issuer", LOCAL_ISSUER],
    ],
)
def test_a_user_is_selected_by_name_or_id(run: Keepsake, database: str, options: list[str]) -> None:
    run("memories", "add", "Lives in Oslo")
    result = CliRunner(env={"DATABASE_URL": database}).invoke(keepsake, ["memories", "list", *options])
    assert _lines(result)[0].endswith("Lives in Oslo")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["memories", "list"], 2, "select a user"),
        (["memories", "list", "--user", "ada", "--subject", "ada"], 2, "select a user"),
        (["memories", "list", "--user", "Ada"], 1, "no user with this name"),
        (["memories", "list", "--user", "ada", "--issuer", "https://elsewhere.example"], 1, "no user with this name"),
    ],
)
def test_a_missing_or_unknown_user_is_rejected(database: str, arguments: list[str], code: int, message: str) -> None:
    result = CliRunner(env={"DATABASE_URL": database}).invoke(keepsake, arguments)
    assert (result.exit_code, message in result.output) == (code, True)


def test_erasing_an_account_prints_row_counts(run: Keepsake, database: str) -> None:
    run("memories", "add", "Lives in Oslo")
    assert {"        1  users", "        1  store", "        1  store_vectors"} <= set(_lines(run("erase", "--yes")))
    assert tables_containing(database, ADA) == []
    for options in ([], ["--yes"]):
        again = run("erase", *options)
        assert (again.exit_code, again.output) == (1, "Error: no user with this name has signed in here\n")


@contextmanager
def _typed(answer: str) -> Iterator[IO[bytes]]:
    """A terminal in which a line was typed."""
    controller, terminal = pty.openpty()
    try:
        os.write(controller, f"{answer}\n".encode())
        with os.fdopen(terminal, "rb") as stdin:
            yield stdin
    finally:
        os.close(controller)


def test_erasing_needs_a_confirmation(run: Keepsake, database: str) -> None:
    refused = run("erase", stdin="y\n")
    assert refused.exit_code == 2
    assert "give --yes" in refused.output
    for answer, output, code, tables in (("n", "Aborted!", 1, ["users"]), ("y", "1  users", 0, [])):
        with _typed(answer) as stdin:
            answered = run("erase", stdin=stdin)
        assert "all data of ada?" in answered.output
        assert (answered.exit_code, output in answered.output) == (code, True)
        assert tables_containing(database, ADA) == tables


def test_ctrl_c_at_the_question_erases_nothing(database: str, tmp_path: Path) -> None:
    command = ["keepsake", "erase", "--user", "ada"]
    with open_terminal(command, work_dir=tmp_path, DATABASE_URL=database) as (process, terminal):
        read_until(terminal, r"all data of ada\?")
        interrupt(process, terminal)
        read_until(terminal, "Aborted!")
        assert process.wait(30) == 1
    assert tables_containing(database, ADA) == ["users"]


def test_an_interrupted_erasure_is_completed(run: Keepsake, database: str) -> None:
    run("memories", "add", "Lives in Oslo")
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("DELETE FROM users")
    assert run("erase").exit_code == 1
    assert "        1  store" in _lines(run("erase", "--yes"))
    assert tables_containing(database, ADA) == []


def test_an_import_over_the_limit_says_so(run: Keepsake, tmp_path: Path) -> None:
    file = tmp_path / "memories.jsonl"
    facts = [{"kind": "user", "text": f"Has read book number {n}"} for n in range(101)]
    file.write_text("\n".join(map(json.dumps, facts)), encoding="utf-8")
    imported, warning = _lines(run("import", str(file)))
    assert imported == "101 lines imported, 0 unchanged."
    assert "contains 101 facts, and the limit is 100" in warning
