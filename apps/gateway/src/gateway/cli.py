"""The command line: `keepsake serve | worker | token | reembed | doctor`, and commands for one user's data."""

import sys

import click
from pydantic import ValidationError

from agent import AgentError, configure_logging
from gateway.commands.account import erase, export, import_, pause, resume, token
from gateway.commands.keys import keys
from gateway.commands.maintenance import doctor, reembed
from gateway.commands.memories import memories
from gateway.commands.serve import process, serve, worker
from gateway.commands.settings_check import describe_errors
from gateway.errors import GatewayError

COMMANDS = (serve, process, worker, token, reembed, doctor, keys, memories, export, import_, pause, resume, erase)


@click.group(commands=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="keepsake-gateway", prog_name="keepsake")
def keepsake() -> None:
    """A chat assistant with long-term memory for each of its users."""


def main() -> None:
    """Run a command. Expected errors are printed as one sentence, without a traceback."""
    configure_logging("text")  # until the settings are known
    try:
        keepsake()
    except (AgentError, GatewayError, OSError) as error:
        sys.exit(f"keepsake: {error}")
    except ValidationError as error:
        sys.exit(f"keepsake: {describe_errors(error)}")


if __name__ == "__main__":
    main()
