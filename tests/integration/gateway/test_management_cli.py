"""What operators do for one user on the command line."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agent import AgentError, User, open_agent
from conftest import Databases, make_settings
from gateway.auth.local import LOCAL_ISSUER
from gateway.auth.principal import user_label
from gateway.cli import keepsake
from support.stored_documents import documents, tables_containing

Keepsake = Callable[..., Result]

ADA = user_label(LOCAL_ISSUER, "ada")


@pytest.fixture
def minilm(databases: Databases) -> str:
    """A database of one's own, where Ada has signed in."""
    database = databases.create("minilm")

    async def sign_in() -> None:
        async with open_agent(make_settings(database), start_worker=False) as agent:
            await agent.users.sign_in(ADA, issuer=LOCAL_ISSUER, subject="ada")

    asyncio.run(sign_in())
    return database


@pytest.fixture
def run(minilm: str) -> Keepsake:
    """Runs a command on that database, for Ada unless told."""

    def invoke(*arguments: str, user: str = "ada", given: str | None = None) -> Result:
        command = [*arguments, "--user", user]
        return CliRunner(env={"DATABASE_URL": minilm}).invoke(keepsake, command, input=given)

    return invoke


def _lines(result: Result) -> list[str]:
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def _shown(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in _lines(result)]


def test_memories_are_added_listed_searched_edited_and_forgotten(run: Keepsake) -> None:
    for text in ("Lives in Oslo", "Plays the violin"):
        run("memories", "add", text)
    run("memories", "add", "Prefers short answers", "--kind", "procedural", "--category", "preference")
    listed = _shown(run("memories", "list", "--json"))
    assert [memory["text"] for memory in listed] == ["Prefers short answers", "Plays the violin", "Lives in Oslo"]
    [line] = _lines(run("memories", "list", "--kind", "procedural"))
    assert line == f"{listed[0]['id']}  procedural  Prefers short answers"
    assert _lines(run("memories", "search", "Which instrument?", "--limit", "1"))[0].endswith("Plays the violin")
    edited = _shown(run("memories", "edit", str(listed[1]["id"]), "Plays the cello", "--json"))
    assert [memory["text"] for memory in edited] == ["Plays the cello"]
    assert _lines(run("memories", "forget", str(listed[2]["id"]))) == []
    assert len(_lines(run("memories", "list"))) == 2


def test_history_is_shown_and_undone(run: Keepsake) -> None:
    [memory] = _shown(run("memories", "add", "Plays the violin", "--json"))
    run("memories", "edit", str(memory["id"]), "Plays the cello")
    [line] = _lines(run("memories", "history", str(memory["id"])))
    assert line.endswith("edited by user: Plays the violin")
    assert _lines(run("memories", "undo", str(memory["id"])))[0].endswith("Plays the violin")
    assert "any more" in _lines(run("memories", "undo", str(memory["id"])))[0]
    assert _lines(run("memories", "list")) == []
    version = line.split()[0]
    assert isinstance(run("memories", "undo", version).exception, AgentError)  # that one is not history any more
    past = _shown(run("memories", "history", str(memory["id"]), "--json"))
    undone = {one["text"]: str(one["version"]) for one in past}
    assert _lines(run("memories", "undo", undone["Plays the cello"]))[0].endswith("Plays the cello")


def test_what_is_exported_is_imported(run: Keepsake, minilm: str, tmp_path: Path) -> None:
    run("memories", "add", "Lives in Oslo")
    file = tmp_path / "memories.jsonl"
    assert _lines(run("export", "-o", str(file))) == []
    assert file.read_text(encoding="utf-8") == run("export").output
    before = documents(minilm)
    assert _lines(run("import", str(file))) == ["0 lines are taken in; 1 were there already."]
    [memory] = _shown(run("memories", "list", "--json"))
    run("memories", "forget", str(memory["id"]))
    assert _lines(run("import", "-", given=file.read_text(encoding="utf-8"))) == [
        "1 lines are taken in; 0 were there already."
    ]
    assert documents(minilm) == before


def test_memory_is_paused_and_resumed(run: Keepsake, minilm: str) -> None:
    async def account() -> User | None:
        async with open_agent(make_settings(minilm), start_worker=False) as agent:
            return await agent.users.find(ADA)

    run("pause")
    assert asyncio.run(account()) == User(ADA, memory_enabled=False)
    run("resume")
    assert asyncio.run(account()) == User(ADA, memory_enabled=True)


@pytest.mark.parametrize(
    "named",
    [
        ["--user", "ada"],
        ["--user", ADA],
        ["--subject", "ada"],
        ["--user", "ada", "--issuer", LOCAL_ISSUER],
    ],
)
def test_a_user_is_named_by_their_name_or_id(run: Keepsake, minilm: str, named: list[str]) -> None:
    run("memories", "add", "Lives in Oslo")
    result = CliRunner(env={"DATABASE_URL": minilm}).invoke(keepsake, ["memories", "list", *named])
    assert _lines(result)[0].endswith("Lives in Oslo")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["memories", "list"], 2, "say whose it is"),
        (["memories", "list", "--user", "ada", "--subject", "ada"], 2, "say whose it is"),
        (["memories", "list", "--user", "Ada"], 1, "nobody of that name"),
        (["memories", "list", "--user", "ada", "--issuer", "https://elsewhere.example"], 1, "nobody of that name"),
    ],
)
def test_nobody_in_particular_is_refused(minilm: str, arguments: list[str], code: int, says: str) -> None:
    result = CliRunner(env={"DATABASE_URL": minilm}).invoke(keepsake, arguments)
    assert (result.exit_code, says in result.output) == (code, True)


def test_an_account_is_erased_and_counted(run: Keepsake, minilm: str) -> None:
    run("memories", "add", "Lives in Oslo")
    assert {"        1  users", "        1  store", "        1  store_vectors"} <= set(_lines(run("erase")))
    assert tables_containing(minilm, ADA) == []
    assert all(line.split()[0] == "0" for line in _lines(run("erase")))
    assert "nobody of that name" in run("memories", "list").output
