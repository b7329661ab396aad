"""Edited messages: what only the replaced message has stated is no longer remembered."""

import asyncio
import logging
from dataclasses import dataclass

from agent.conversations.branches import Branches
from agent.memory.editing.library import Library
from agent.memory.editing.message_undo import undo_message
from agent.runs.turns import StartedTurn

logger = logging.getLogger(__name__)

UNDO_SECONDS = 2.0
"""Deadline for undoing the replaced messages, which delays the answer."""


@dataclass(frozen=True, slots=True)
class Edits:
    """Undoes what messages have stated that the first message of a branch replaces."""

    branches: Branches
    memories: Library

    async def apply(self, started: StartedTurn) -> None:
        """Undo the statements of the replaced messages, before memories are recalled for the new one.

        Without memory, nothing changes: what the new message states is not saved either.
        """
        turn = started.turn
        if not started.begins_branch or not turn.message.memory:
            return
        try:
            async with asyncio.timeout(UNDO_SECONDS):
                for message in await self.branches.replaced_messages(turn.user, turn.thread, turn.message.text):
                    await self.memories.withhold(turn.user, {message})
                    await undo_message(self.memories, turn.user, message, keep_edited=True)
        except Exception as error:  # a memory error of any kind must not break an answer
            logger.warning("the statements of an edited message are still remembered", exc_info=error)
