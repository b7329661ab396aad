"""The command line: `keepsake serve | worker | chat | token`, maintenance, and commands for one user's data."""

import sys
from typing import NamedTuple

import click
from pydantic import ValidationError

from agent import AgentError, configure_logging
from gateway.commands.settings_check import describe_errors
from gateway.errors import GatewayError
from gateway.lazy_import import import_without_collection


class LazyCommand(NamedTuple):
    """A command that is imported when it is used."""

    module: str
    name: str
    """Of the command in its module."""
    help: str
    """Its summary; empty if it is hidden."""


COMMANDS = {
    "serve": LazyCommand(
        "serve",
        "serve",
        "Start the gateway, the agent, a worker and, without DATABASE_URL, Postgres; see KEEPSAKE_PROCESSES.",
    ),
    "process": LazyCommand("serve", "process", ""),
    "worker": LazyCommand("serve", "worker", "Form memories without a gateway."),
    "chat": LazyCommand("chat", "chat", "Chat in the terminal."),
    "token": LazyCommand("account", "token", "Print a token that is valid for one day, for use with curl."),
    "reembed": LazyCommand(
        "maintenance",
        "reembed",
        "Convert the vectors of all memories to the configured model, while Keepsake runs with the old one.",
    ),
    "repartition": LazyCommand(
        "maintenance",
        "repartition",
        "Convert the tables of memories to KEEPSAKE_STORE_PARTITIONS hash partitions, while Keepsake is stopped.",
    ),
    "scrub": LazyCommand("maintenance", "scrub", "Remove deleted data from disk; rewrites and locks the tables."),
    "doctor": LazyCommand(
        "maintenance",
        "doctor",
        "Check the installation without changing anything; exit with status 1 if there is a problem.",
    ),
    "keys": LazyCommand("keys", "keys", "Create, list and revoke the personal keys of a user."),
    "memories": LazyCommand("memories", "memories", "View, search and change the memories of a user."),
    "export": LazyCommand("account", "export", "Export all memory of a user as JSON lines, which `import` accepts."),
    "import": LazyCommand(
        "account", "import_", "Import FILE (- for standard input): JSON lines, or an export of another application."
    ),
    "pause": LazyCommand("account", "pause", "Pause a user's memory: nothing is recalled and nothing is saved."),
    "resume": LazyCommand("account", "resume", "Resume a user's memory."),
    "erase": LazyCommand(
        "account", "erase", "Delete a user's account and data permanently; print the number of rows per table."
    ),
}
"""The commands of `gateway.commands`, in the order of `keepsake --help`."""


class LazyGroup(click.Group):
    """Imports a command when it is used: the libraries behind most commands take seconds.

    The processes that analyse long texts import this module as well.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name all commands."""
        return [*super().list_commands(ctx), *COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None if there is none of this name."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        lazy = COMMANDS[cmd_name]
        command: click.Command = getattr(import_without_collection(f"gateway.commands.{lazy.module}"), lazy.name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name].help) for name in self.list_commands(ctx) if COMMANDS[name].help])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="keepsake-gateway", prog_name="keepsake")
def keepsake() -> None:
    """A chat assistant with long-term memory for each of its users."""


def main() -> None:
    """Run a command. Expected errors are printed as one sentence, without a traceback."""
    configure_logging("text")  # until the settings are known
    try:
        keepsake()
    except (AgentError, GatewayError, OSError) as error:
        sys.exit(f"Error: {error}")
    except ValidationError as error:
        sys.exit(f"Error: {describe_errors(error)}")


if __name__ == "__main__":
    main()
