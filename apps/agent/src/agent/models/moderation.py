"""Moderation of messages by the model server's endpoint `/moderations`, before they are stored (ADR 19)."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Literal

import httpx2

from agent.errors import ContentFlaggedError, ModerationUnavailableError
from agent.models.failures import CALL_ERRORS, name_of
from agent.settings import AgentSettings
from agent.types import MessageId, UserId

logger = logging.getLogger(__name__)

DEADLINE_SECONDS = 3.0
UNCLAIMED_SECONDS = 30.0
"""How long a verdict is kept that no message claims, because its request failed otherwise."""

Outcome = Literal["accepted", "flagged", "unavailable"]
Key = tuple[UserId, MessageId, str]
Flags = Callable[[str], Awaitable[bool]]
"""Asks the endpoint whether it flags a text; see `ModerationEndpoint`."""


class Moderator:
    """Asks the endpoint for a verdict on each message; a request can be started before its message is sent."""

    def __init__(self, flags: Flags, *, fails_open: bool, on_outcome: Callable[[Outcome], None]) -> None:
        self._flags = flags
        self._fails_open = fails_open
        self._on_outcome = on_outcome
        self._verdicts: dict[Key, asyncio.Task[Outcome]] = {}

    def prefetch(self, user: UserId, message: MessageId, text: str) -> None:
        """Start the request for a message, unless it is in progress."""
        key = (user, message, text)
        if key not in self._verdicts:
            self._verdicts[key] = request = asyncio.create_task(self._ask(text))
            asyncio.get_running_loop().call_later(UNCLAIMED_SECONDS, self._drop_unclaimed, key, request)

    async def check(self, user: UserId, message: MessageId, text: str) -> None:
        """Wait for the verdict on a message.

        Raises:
            ContentFlaggedError: the endpoint flagged the message.
            ModerationUnavailableError: the endpoint did not answer, and messages are rejected then.
        """
        self.prefetch(user, message, text)
        outcome = await self._verdicts.pop((user, message, text))
        self._on_outcome(outcome)
        if outcome == "flagged":
            raise ContentFlaggedError("rephrase the message; nothing was stored")
        if outcome == "unavailable" and not self._fails_open:
            raise ModerationUnavailableError("nothing was stored; try again later")

    def _drop_unclaimed(self, key: Key, request: asyncio.Task[Outcome]) -> None:
        if self._verdicts.get(key) is request:  # a retry of the message has a request of its own
            del self._verdicts[key]

    async def _ask(self, text: str) -> Outcome:
        try:
            async with asyncio.timeout(DEADLINE_SECONDS):
                is_flagged = await self._flags(text)
        except (*CALL_ERRORS, TypeError, ValueError, AttributeError) as error:
            consequence = "accepted" if self._fails_open else "rejected"
            logger.warning("moderation is unavailable (%s); messages are %s", name_of(error), consequence)
            return "unavailable"
        return "flagged" if is_flagged else "accepted"


def make_moderator(
    settings: AgentSettings, http: httpx2.AsyncClient, on_outcome: Callable[[Outcome], None]
) -> Moderator | None:
    """Create the moderator, None if moderation is off; the caller closes `http`."""
    if settings.moderation == "off":
        return None
    from agent.models.openai_moderation import ModerationEndpoint  # noqa: PLC0415 - see `make_chat_models`

    endpoint = ModerationEndpoint(settings, http)
    return Moderator(endpoint.flags, fails_open=settings.moderation_fails == "open", on_outcome=on_outcome)
