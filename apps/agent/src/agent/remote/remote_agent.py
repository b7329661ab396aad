"""The parts of the agent that use the LangGraph server."""

from dataclasses import dataclass

from langgraph_sdk.client import LangGraphClient

from agent.accounts.users import Users
from agent.background import Spawn
from agent.database.row_security import ScopedPool
from agent.jobs.purge import ForgottenPurge
from agent.remote.runner import RemoteRunner
from agent.remote.store import RemoteStore
from agent.remote.threads import RemoteThreads


@dataclass(frozen=True, slots=True)
class RemoteAgent:
    """The store, the threads and the graph of the server."""

    store: RemoteStore
    threads: RemoteThreads
    runner: RemoteRunner

    @classmethod
    def of(cls, client: LangGraphClient, database: ScopedPool, spawn: Spawn) -> "RemoteAgent":
        """Use the server of a client; `database` is that of the gateway."""
        store, threads = RemoteStore(client), RemoteThreads(client)
        return cls(
            store, threads, RemoteRunner(client, threads, ForgottenPurge(store, database), Users(database), spawn)
        )
