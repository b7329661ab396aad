"""Deletion of threads, also with what was learned from them."""

from dataclasses import dataclass

from agent.conversations.branches import Branches
from agent.conversations.checkpoints import ThreadStates, checkpoint_key
from agent.conversations.temporary import TemporaryThreads
from agent.conversations.threads import Threads
from agent.conversations.transcript import Transcript
from agent.errors import ThreadNotFoundError
from agent.memory.editing.library import Library
from agent.runs.runs import Runs
from agent.types import ThreadId, UserId


@dataclass(frozen=True, slots=True)
class ThreadDeletion:
    """Deletes threads from all tables."""

    threads: Threads
    branches: Branches
    transcript: Transcript
    runs: Runs
    memories: Library
    checkpoints: ThreadStates
    temporary: TemporaryThreads

    async def delete(self, user: UserId, thread: ThreadId, *, forget: bool) -> int:
        """Delete a thread with all its branches; with `forget`, also the memories that come from them.

        Returns:
            The number of deleted memories.

        Raises:
            ThreadNotFoundError: the user has no such thread.
        """
        family = await self.branches.list_family(user, thread)
        return sum([await self._delete(user, branch.id, forget=forget) for branch in family])

    async def _delete(self, user: UserId, thread: ThreadId, *, forget: bool) -> int:
        try:
            is_temporary = (await self.threads.get(user, thread)).temporary
        except ThreadNotFoundError:  # deleted concurrently
            return 0
        await self.runs.stop(user, thread)
        if is_temporary:
            await self.temporary.delete(user, thread)
            return 0
        message_ids = await self.transcript.user_message_ids(user, thread)
        forgotten = await self.memories.forget_thread(user, thread, message_ids) if forget else 0
        await self.checkpoints.adelete_thread(checkpoint_key(user, thread))
        await self.threads.delete(user, thread)
        if forget:  # again, for memories that were formed in the meantime
            forgotten += await self.memories.forget_thread(user, thread, message_ids)
        return forgotten
