"""The threads of the LangGraph server, which contain the state of Keepsake's threads.

The transcript and the list of threads remain in Keepsake's database. The server requires UUIDs as ids, so a thread's
id there is derived from its own id and its user.
"""

import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from typing import Any

import httpx
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import NotFoundError

from agent.errors import ThreadNotFoundError
from agent.remote.server import translated_server_errors
from agent.types import MessageId, ThreadId, UserId

OWNER = "user_id"
"""The key of the owner in a thread's metadata."""
SOURCE = "source_thread"
"""The key of Keepsake's id of the thread."""
PAGE_SIZE = 100
MAX_BUSY = 1_000


@dataclass(frozen=True, slots=True)
class RemoteThreads:
    """Creates and deletes threads of the server.

    Raises:
        AgentServerUnavailableError: from each method, if the server did not answer.
    """

    client: LangGraphClient

    async def open(self, user: UserId, thread: ThreadId) -> str:
        """Create the thread unless it exists, check its owner, and return its id on the server.

        Raises:
            ThreadNotFoundError: it belongs to another user.
        """
        thread_id = server_thread_id(user, thread)
        with translated_server_errors():
            found = await self.client.threads.create(
                thread_id=thread_id, metadata={OWNER: user, SOURCE: thread}, if_exists="do_nothing"
            )
        if (found["metadata"] or {}).get(OWNER) != user:
            raise ThreadNotFoundError("the thread on the agent server belongs to another user")
        return thread_id

    async def rewind(self, thread_id: str, message: MessageId) -> None:
        """Remove an earlier attempt at a message from the state of a thread, so that the message is its last one."""
        with translated_server_errors():
            state: Any = await self.client.threads.get_state(thread_id)
            if attempt := _attempt((state["values"] or {}).get("messages", []), message):
                removed = [{"type": "remove", "id": one["id"], "content": ""} for one in attempt]
                await self.client.threads.update_state(thread_id, {"messages": removed}, as_node="remember")

    async def list_busy(self, user: UserId) -> frozenset[ThreadId]:
        """The threads of a user on which the server is working."""
        with translated_server_errors():
            found = await self.client.threads.search(metadata={OWNER: user}, status="busy", limit=MAX_BUSY)
        return frozenset(ThreadId(str(thread["metadata"][SOURCE])) for thread in found if thread["metadata"])

    async def adelete_thread(self, key: str) -> None:
        """Delete a thread; `key` is its checkpoint key."""
        user, _, thread = key.partition("/")
        await self._delete(server_thread_id(UserId(user), ThreadId(thread)))

    async def delete_all(self, user: UserId) -> int:
        """Delete all threads of a user; return their number."""
        count = 0
        while found := await self._search(user):
            for thread_id in found:
                await self._delete(thread_id)
            count += len(found)
        return count

    async def _search(self, user: UserId) -> list[str]:
        with translated_server_errors():
            found = await self.client.threads.search(metadata={OWNER: user}, limit=PAGE_SIZE, select=["thread_id"])
        return [thread["thread_id"] for thread in found]

    async def _delete(self, thread_id: str) -> None:
        """Delete a thread after cancelling its runs, which would go on and form memories."""
        with translated_server_errors(), suppress(NotFoundError):
            for run in await self.client.runs.list(thread_id, status="running", select=["run_id"]):
                with suppress(httpx.HTTPStatusError):  # it has ended in the meantime
                    await self.client.runs.cancel(thread_id, run["run_id"], wait=True)
            await self.client.threads.delete(thread_id)


def server_thread_id(user: UserId, thread: ThreadId) -> str:
    """The id of a thread on the server: guessing the id of a user's thread is not enough to name it."""
    return str(uuid.uuid5(uuid.UUID(thread), user))


def _attempt(messages: Sequence[Mapping[str, Any]], message: MessageId) -> list[Mapping[str, Any]]:
    """A message of the user and the replies that follow it."""
    attempt = dropwhile(lambda one: one["id"] != message, messages)
    first = next(attempt, None)
    return [first, *takewhile(lambda one: one["type"] != "human", attempt)] if first else []
