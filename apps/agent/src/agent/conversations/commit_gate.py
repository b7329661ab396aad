"""The gate before the first write of a graph that starts while its message is moderated (ADR 19)."""

import asyncio

from langchain_core.runnables import RunnableConfig


class CommitGate:
    """Holds back the writes of a graph that started before its turn was committed."""

    def __init__(self) -> None:
        self._decided = asyncio.Event()
        self._is_open = False

    @property
    def is_open(self) -> bool:
        """True if the turn is committed."""
        return self._is_open

    def open(self) -> None:
        """Let the graph continue: the turn is committed."""
        self._is_open = True
        self._decided.set()

    def refuse(self) -> None:
        """Cancel the graph where it waits: the turn will not be committed."""
        self._decided.set()

    async def wait(self) -> None:
        """Wait for the decision; raise `CancelledError` if the turn is refused."""
        await self._decided.wait()
        if not self._is_open:
            raise asyncio.CancelledError


def commit_gate(config: RunnableConfig) -> CommitGate | None:
    """Read the gate from a run's config; None if the turn was committed before the graph started."""
    gate = config["configurable"].get("commit_gate")
    return gate if isinstance(gate, CommitGate) else None


async def wait_until_committed(config: RunnableConfig) -> None:
    """Wait until the run's turn is committed; nothing may be written before."""
    if gate := commit_gate(config):
        await gate.wait()
