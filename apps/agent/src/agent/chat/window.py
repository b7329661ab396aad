"""The window: once an answer is given, what no longer fits is summed up, noted, and kept as an episode."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, RemoveMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.store.base import BaseStore

from agent.chat import thread_episode
from agent.chat.compression import Summariser, Summary, extractive_summary, overflow
from agent.chat.note_extraction import extract_with_llm
from agent.chat.notes import merge_notes
from agent.chat.run_config import memory_enabled, user_and_thread
from agent.chat.state import ChatState, user_message_count
from agent.chat.trim import TokenCounter
from agent.language.facts import Fact, qualifies_for_llm_extraction

logger = logging.getLogger(__name__)

RESULT_CHARS = 600  # of a tool's result, for the notes


@dataclass(frozen=True, slots=True)
class Window:
    """Keeps a thread's messages few."""

    summariser: Summariser

    async def compress(
        self, state: ChatState, config: RunnableConfig, store: BaseStore, *, max_tokens: int, count: TokenCounter
    ) -> dict[str, Any]:
        """Return what changes in a thread whose window is full; nothing in any other.

        Args:
            state: of the thread, its answer given.
            config: of the run.
            store: where the episode goes.
            max_tokens: of a prompt.
            count: tells how many tokens messages have.
        """
        falling = overflow(state["messages"], max_tokens=max_tokens, count=count)
        if not falling:
            return {}
        summary, turn = state.get("summary", ""), state.get("fallen", 0) + user_message_count(falling)
        summed, facts = await asyncio.gather(self._sum_up(summary, falling), self._read(falling, turn))
        if summed is None:
            if count(state["messages"]) <= max_tokens:
                return {}  # there is room to try again after the next answer
            summed = extractive_summary(summary, falling)
        if memory_enabled(config):
            await _keep_episode(summed, falling, config, store)
        return {
            "messages": [RemoveMessage(message.id or "") for message in falling],
            "summary": summed.summary,
            "notes": merge_notes(state.get("notes", ()), facts),
            "fallen": turn,
        }

    async def _sum_up(self, summary: str, falling: Sequence[AnyMessage]) -> Summary | None:
        try:
            return await self.summariser.summarise(summary, falling)
        except Exception as error:  # whatever is wrong, the thread must go on
            logger.warning("what falls out of a thread could not be summed up", exc_info=error)
            return None

    async def _read(self, falling: Sequence[AnyMessage], turn: int) -> list[Fact]:
        """Return what only a model can read out of messages with tools or decisions, before they are gone."""
        results = [message for message in falling if isinstance(message, ToolMessage)]
        said = "\n".join(message.text for message in falling if isinstance(message, AIMessage))
        if not qualifies_for_llm_extraction([result.name or "" for result in results], said, turn):
            return []
        summaries = [f"{result.name}: {' '.join(result.text.split())}"[:RESULT_CHARS] for result in results]
        try:
            return await extract_with_llm(said, summaries, turn, self.summariser.model)
        except Exception as error:  # whatever is wrong, the rules have taken their notes
            logger.warning("what falls out of a thread is noted by rules alone", exc_info=error)
            return []


async def _keep_episode(
    summed: Summary, messages: Sequence[AnyMessage], config: RunnableConfig, store: BaseStore
) -> None:
    user, thread = user_and_thread(config)
    try:
        await thread_episode.save_episode(store, user, thread, summed, messages)
    except Exception as error:  # whatever is wrong, the thread must go on
        logger.warning("what fell out of a thread could not be kept as an episode", exc_info=error)
