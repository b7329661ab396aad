"""The help of `keepsake`, which lists the commands without importing them."""

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from gateway.cli import COMMANDS, keepsake


@pytest.mark.parametrize("name", COMMANDS)
def test_the_listed_help_is_that_of_the_command(name: str) -> None:
    command = keepsake.get_command(click.Context(keepsake), name)
    assert command is not None
    assert COMMANDS[name].help == ("" if command.hidden else command.get_short_help_str(limit=500))


def test_the_help_lists_all_commands_but_hidden_ones() -> None:
    output = CliRunner().invoke(keepsake, ["--help"]).output
    assert all(command.help in " ".join(output.split()) for command in COMMANDS.values())
    assert "\n  process" not in output


def test_the_help_imports_no_command() -> None:
    code = "from gateway.cli import main; main()"
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", code, "--help"], capture_output=True, text=True, check=True
    )
    assert "gateway.commands.settings_check" in run.stderr
    assert not any(f"gateway.commands.{command.module}\n" in run.stderr for command in COMMANDS.values())
