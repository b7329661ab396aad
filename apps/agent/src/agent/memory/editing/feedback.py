"""What the user says about a memory that was used for an answer: it is wrong, or not relevant there."""

from dataclasses import dataclass
from typing import Protocol

from agent.memory.editing.limited_library import LimitedLibrary
from agent.memory.editing.undo import retire
from agent.memory.records import batches, namespaces
from agent.memory.records.changes import Change, ChangeSet, commit_change
from agent.memory.records.documents import document_op, from_document
from agent.memory.records.history import Retirement
from agent.memory.records.mismatches import Mismatch, with_mismatch
from agent.models.embeddings import CachedEmbeddings
from agent.types import Memory, MemoryId, MessageId, UserId


class QuestionReader(Protocol):
    """Reads the user's messages."""

    async def find_question(self, user: UserId, message: MessageId) -> tuple[MessageId, str]:
        """The id and text of a message of the user, or of the one that a message answers.

        Raises:
            MessageNotFoundError: the user has no such message.
        """


@dataclass(frozen=True, slots=True)
class MemoryFeedback:
    """Applies feedback to memories.

    Raises:
        MemoryNotFoundError: from each method, if the user has no such memory.
        ChangedMeanwhileError: from each method, if the memory kept changing concurrently.
    """

    library: LimitedLibrary
    embeddings: CachedEmbeddings
    model: str
    """The embedding model, with its dimensions."""
    transcript: QuestionReader

    async def mark_wrong(self, user: UserId, memory: MemoryId) -> Memory:
        """Retire a memory, with what else states it; undo restores both. Return it as it was."""
        store = self.library.store

        async def plan() -> Change[Memory]:
            current = await self.library.find(user, memory)
            change_set = await ChangeSet.load(store, user)
            await retire(change_set, current, Retirement("user", "wrong"))
            return change_set.build(from_document(current.key, current.value))

        return await commit_change(store, plan)

    async def mark_irrelevant(self, user: UserId, memory: MemoryId, message: MessageId) -> Memory:
        """Lower the weight of a memory for messages similar to this one, or to the one that it answers.

        Memories that matter for every message remain in every prompt.

        Raises:
            MessageNotFoundError: the user has no such message.
            EmbedderUnavailableError: the message could not be embedded.
            DailyLimitError: the user has embedded too much.
        """
        store = self.library.store
        await self.library.find(user, memory)
        question, text = await self.transcript.find_question(user, message)
        await self.library.spend(user, text)
        vector = await self.embeddings.aembed_query(text, owner=namespaces.owner(user))
        mismatch = Mismatch.of(question, self.model, vector)

        async def plan() -> Change[Memory]:
            current = await self.library.find(user, memory)
            value = with_mismatch(current.value, mismatch)
            put = document_op(current.namespace, current.key, value)
            return Change([put], batches.read_versions([current]), from_document(current.key, value))

        return await commit_change(store, plan)
