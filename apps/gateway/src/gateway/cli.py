"""The command line: `keepsake serve | worker | chat | token`, maintenance, and commands for one user's data."""

import sys

import click
from pydantic import ValidationError

from agent import AgentError, configure_logging
from gateway.commands.settings_check import describe_errors
from gateway.errors import GatewayError
from gateway.lazy_import import import_without_collection

COMMANDS = {
    "serve": "gateway.commands.serve:serve",
    "process": "gateway.commands.serve:process",
    "worker": "gateway.commands.serve:worker",
    "chat": "gateway.commands.chat:chat",
    "token": "gateway.commands.account:token",
    "reembed": "gateway.commands.maintenance:reembed",
    "repartition": "gateway.commands.maintenance:repartition",
    "scrub": "gateway.commands.maintenance:scrub",
    "doctor": "gateway.commands.maintenance:doctor",
    "keys": "gateway.commands.keys:keys",
    "memories": "gateway.commands.memories:memories",
    "export": "gateway.commands.account:export",
    "import": "gateway.commands.account:import_",
    "pause": "gateway.commands.account:pause",
    "resume": "gateway.commands.account:resume",
    "erase": "gateway.commands.account:erase",
}
"""Module and name of each command."""


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
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_without_collection(module), name)
        return command


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
