"""The gate of a graph that starts while its message is moderated, before its turn is committed (ADR 19)."""

import asyncio

from langchain_core.runnables import RunnableConfig


class CommitGate:
    """Holds back a graph's model request until its message is accepted, and its writes until the turn is committed."""

    def __init__(self) -> None:
        self.is_reached = asyncio.Event()
        """Set once the graph has recalled memories, and could call the model."""
        self._accepted = asyncio.Event()
        self._decided = asyncio.Event()
        self._is_open = False

    @property
    def is_open(self) -> bool:
        """True if the turn is committed."""
        return self._is_open

    def accept(self) -> None:
        """Let the graph call the model: the message is accepted."""
        self._accepted.set()

    def open(self) -> None:
        """Let the graph write: the turn is committed."""
        self._is_open = True
        self._decided.set()

    def refuse(self) -> None:
        """Cancel the graph where it waits: the turn will not be committed."""
        self._accepted.set()
        self._decided.set()

    async def wait_until_accepted(self) -> None:
        """Wait for the verdict; raise `CancelledError` if the turn is refused."""
        self.is_reached.set()
        await self._accepted.wait()
        self._raise_if_refused()

    async def wait_until_committed(self) -> None:
        """Wait for the commit; raise `CancelledError` if the turn is refused."""
        await self._decided.wait()
        self._raise_if_refused()

    def _raise_if_refused(self) -> None:
        if self._decided.is_set() and not self._is_open:
            raise asyncio.CancelledError


def commit_gate(config: RunnableConfig) -> CommitGate | None:
    """Read the gate from a run's config; None if the turn was committed before the graph started."""
    gate = config["configurable"].get("commit_gate")
    return gate if isinstance(gate, CommitGate) else None


async def wait_until_accepted(config: RunnableConfig) -> None:
    """Wait until the message of the run is accepted; the model must not be called before."""
    if gate := commit_gate(config):
        await gate.wait_until_accepted()


async def wait_until_committed(config: RunnableConfig) -> None:
    """Wait until the run's turn is committed; nothing may be written before."""
    if gate := commit_gate(config):
        await gate.wait_until_committed()
