"""`keepsake chat`, as a process, with a gateway over HTTP."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from gateway.cli import keepsake
from support.asgi_server import AsgiServer
from support.client import ApiClient
from support.gateway import RunningGateway
from support.processes import Process
from support.scripted_openai import ScriptedOpenAI
from support.terminal import open_terminal, read_until


@pytest.fixture
async def key(client: ApiClient) -> str:
    """A personal key of the user of `client`."""
    created = await client.http.post("/me/keys", json={"name": "terminal"})
    return str(created.raise_for_status().json()["key"])


@pytest.fixture
def chat(gateway: RunningGateway, key: str, tmp_path: Path) -> Iterator[Process]:
    """The command, whose input is not a terminal."""
    command = ["keepsake", "chat", "--url", gateway.url]
    with Process(command, work_dir=tmp_path, KEEPSAKE_KEY=key) as process:
        yield process
        assert process.process.stdin is not None
        process.process.stdin.close()  # during an answer, Ctrl-C stops only the answer


def test_a_statement_is_recalled_in_a_new_thread(chat: Process) -> None:
    chat.write("I play the violin.")
    chat.wait_for("I do not know")
    for line in ("/new", "Do I play the violin?"):
        chat.write(line)
    chat.wait_for("^1 recalled$")
    chat.wait_for("I play the violin")
    chat.write("/quit")
    assert chat.process.wait(10) == 0


def test_memories_are_listed_and_forgotten(chat: Process) -> None:
    chat.write("Remember that I play the violin.")
    chat.wait_for("^remembered: .*the violin")
    chat.write("/memories")
    chat.wait_for("^user .*the violin")
    chat.write("/forget I play the violin")
    chat.wait_for("^forgotten: .*the violin")


def test_what_is_not_processed_yet_is_listed(chat: Process) -> None:
    chat.write("I play the violin.")
    chat.wait_for("I do not know")
    chat.write("/memories")
    chat.wait_for(r"^pending +I play the violin\.$")


def test_one_word_is_enough_to_forget(chat: Process) -> None:
    chat.write("Remember that I play the violin.")
    chat.wait_for("^remembered: .*the violin")
    chat.write("/forget violin")
    chat.wait_for("^forgotten: .*the violin")


def test_tokens_are_shown_as_they_arrive_and_ctrl_c_stops_the_answer(chat: Process, model: ScriptedOpenAI) -> None:
    model.script.reply = lambda _: "One\ntwo\nthree"
    model.script.hold_after_tokens = 2
    with model.script.chat_gate.closed():
        chat.write("Count.")
        chat.wait_for("^One$")
        chat.process.send_signal(signal.SIGINT)
        chat.wait_for("^stopped$")
    chat.write("Count again.")
    chat.wait_for("^three$")


def test_a_failed_answer_is_reported(chat: Process, model: ScriptedOpenAI) -> None:
    model.script.chat_status = 401
    chat.write("Hello.")
    chat.wait_for("refused the API key")
    assert chat.process.stdin is not None
    chat.process.stdin.close()
    assert chat.process.wait(10) == 1


def test_sequences_that_control_the_terminal_are_removed(chat: Process, model: ScriptedOpenAI) -> None:
    model.script.reply = lambda _: "\x1b]0;title\x07Hello\x9b31m."
    chat.write("Hello.")
    assert chat.wait_for("Hello.*").string == "]0;titleHello31m.\n"


def test_a_terminal_has_a_prompt_and_the_installation_signs_in(gateway: RunningGateway, tmp_path: Path) -> None:
    command = ["keepsake", "chat", "--url", gateway.url, "--user", "ada"]
    with open_terminal(command, work_dir=tmp_path) as (process, terminal):
        read_until(terminal, "> ")
        os.write(terminal, b"I play the violin.\n")
        read_until(terminal, "I do not know.*\n(.|\n)*> ")
        os.write(terminal, b"/help\n")
        read_until(terminal, "/memories(.|\n)*> ")
        os.write(terminal, b"\x04")
        assert process.wait(10) == 0


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], "give a key"),
        (["--user", "ada", "--url", "http://example.com"], "on the machine of the gateway only"),
        (["--key", "ks_wrong"], "token is invalid"),
        (["--key", "ks_…"], "token is invalid"),
        (["--key", "ks_wrong", "--url", "http://127.0.0.1:9"], "does not answer at http://127.0.0.1:9/"),
        (["--key", "ks_wrong", "--url", "localhost:8080"], "must look like http://127.0.0.1:8080."),
        (["--user", "ada", "--url", "localhost:8080"], "must look like http://127.0.0.1:8080."),
        (["--key", "ks_wrong", "--url", "http://a:b:c"], "must look like http://127.0.0.1:8080."),
        (["--key", "ks_wrong", "--url", "http://"], "must look like http://127.0.0.1:8080."),
    ],
)
def test_the_command_says_why_it_cannot_sign_in(gateway: RunningGateway, options: list[str], expected: str) -> None:
    arguments = ["chat", *([] if "--url" in options else ["--url", gateway.url]), *options]
    result = CliRunner().invoke(keepsake, arguments)
    assert result.exit_code in {1, 2}
    assert expected in result.output


@pytest.mark.parametrize("body", ["<!doctype html>", "[]", "{}"])
@pytest.mark.parametrize("options", [["--key", "ks_wrong"], ["--user", "ada"]])
def test_another_server_is_recognized(body: str, options: list[str], tmp_path: Path) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await Response(body)(scope, receive, send)

    with AsgiServer(app) as server:
        arguments = ["chat", "--url", server.url, *options]
        result = CliRunner().invoke(keepsake, arguments, env={"KEEPSAKE_DATA_DIR": str(tmp_path)})
    assert result.exit_code == 1
    assert "This is not a Keepsake gateway." in result.output
