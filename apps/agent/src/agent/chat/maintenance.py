"""Formation at the end of a turn on a LangGraph server, where no worker runs the jobs."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from langchain_core.messages import AnyMessage
from langchain_core.runnables import RunnableConfig
from langgraph.store.base import BaseStore

from agent.chat.run_config import follows_remotely, memory_enabled
from agent.types import UserId

logger = logging.getLogger(__name__)

ProcessInbox = Callable[[BaseStore, UserId, Sequence[AnyMessage]], Awaitable[object]]
"""Forms memories; the messages of the thread are the context of its inbox items."""

Purge = Callable[[BaseStore, UserId], Awaitable[object]]
"""Deletes permanently what was forgotten more than a day ago."""


@dataclass(frozen=True, slots=True)
class Maintenance:
    """Maintains the memory of a user at the end of a turn. Errors are logged: the answer is complete."""

    process_inbox: ProcessInbox | None
    """None: a gateway does it."""
    purge: Purge

    async def run(self, user: UserId, messages: Sequence[AnyMessage], config: RunnableConfig, store: BaseStore) -> None:
        """Process the inbox, and purge what was forgotten, unless a gateway purges its transcript at the same time."""
        if self.process_inbox is not None and memory_enabled(config):
            await _without_failing("forming memories", self.process_inbox(store, user, messages))
        if not follows_remotely(config):
            await _without_failing("purging what was forgotten", self.purge(store, user))


async def _without_failing(name: str, operation: Awaitable[object]) -> None:
    try:
        await operation
    except Exception as error:  # the answer is complete, and the next turn tries again
        logger.warning("%s failed", name, exc_info=error)
