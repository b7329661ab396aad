"""Completions: answers in conversations that their clients keep; see ADR 24."""

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from agent.accounts.users import Users
from agent.background import yield_to_loop
from agent.completions import CompletionRequest
from agent.conversations.transcript import Transcript
from agent.events import LoggedEvent
from agent.models.chat import ChatModels
from agent.runs.admission import MessageAdmission
from agent.runs.runs import Runs
from agent.types import MessageId, ThreadId, User, UserId


@dataclass(frozen=True, slots=True)
class Completions:
    """Continues the conversations of clients, with the memory of their user."""

    runs: Runs
    admission: MessageAdmission
    transcript: Transcript
    models: ChatModels
    users: Users

    def admit(self, user: UserId) -> AbstractContextManager[None]:
        """Reject a request that is above a limit, as far as this process knows; see `MessageAdmission.admit`."""
        return self.admission.admit(user, ThreadId(""), MessageId(""))

    async def prefetch(self, user: UserId, request: CompletionRequest) -> None:
        """Start to embed the last message of the user, unless memory is disabled."""
        if request.memory and not self.users.is_paused(user):
            self.runs.prefetch_embedding(user, request.question.text)
            await yield_to_loop()

    async def complete(self, user: User, request: CompletionRequest) -> AsyncIterator[LoggedEvent]:
        """Continue a conversation; the run is cancelled if the iterator of its events is closed before its end.

        Only the last message of the user is stored, and enters the inbox once, however often the request is sent.
        Earlier messages are context; if there are none and the request names a thread, those of the thread are.

        Raises:
            UnknownModelError: the model is not configured.
            ThreadNotFoundError: the thread belongs to another user, or is temporary.
            AgentError: see `Runs.start`.
        """
        self.models.get(request.model)
        if request.thread is not None and len(request.messages) == 1:
            recent = await self.transcript.recent_messages(user.id, request.thread)
            request = replace(request, messages=(*recent, *request.messages))
        memory = request.memory and user.memory_enabled
        return await self.runs.complete(user.id, replace(request, memory=memory), time_zone=user.time_zone)
