"""What operators do for one user, on the command line."""

from gateway.commands.account import erase, export, import_, pause, resume
from gateway.commands.memories import memories

COMMANDS = (memories, export, import_, pause, resume, erase)

__all__ = ["COMMANDS"]
