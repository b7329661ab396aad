"""The commands of `keepsake`."""

from gateway.commands.account import erase, export, import_, pause, resume
from gateway.commands.maintenance import doctor, reembed
from gateway.commands.memories import memories
from gateway.commands.serve import serve, worker
from gateway.commands.token import token

COMMANDS = (serve, worker, token, reembed, doctor, memories, export, import_, pause, resume, erase)

__all__ = ["COMMANDS"]
