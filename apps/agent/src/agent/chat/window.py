"""The window of a thread: after an answer, the oldest messages are replaced by summary, notes and an episode."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, RemoveMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.store.base import BaseStore

from agent.chat.compression import Summariser, Summary, extractive_summary, overflow, save_episode
from agent.chat.note_extraction import extract_with_llm
from agent.chat.notes import merge_notes
from agent.chat.run_config import saves_messages, user_and_thread
from agent.chat.state import ChatState, user_message_count
from agent.chat.trim import TokenCounter
from agent.errors import AgentError
from agent.memory.rules import Fact, qualifies_for_llm_extraction

logger = logging.getLogger(__name__)

RESULT_CHARS = 600  # per tool result in the prompt for notes


@dataclass(frozen=True, slots=True)
class Window:
    """Limits the number of messages in a thread's state."""

    summariser: Summariser

    async def compress(
        self, state: ChatState, config: RunnableConfig, store: BaseStore, *, max_tokens: int, count: TokenCounter
    ) -> dict[str, Any]:
        """Compress the oldest messages if they nearly fill the budget of a prompt; return the update of the state."""
        dropped = overflow(state["messages"], max_tokens=max_tokens, count=count)
        if not dropped:
            return {}
        previous, turn = state.get("summary", ""), state.get("fallen", 0) + user_message_count(dropped)
        summary, facts = await asyncio.gather(self._summarise(previous, dropped), self._extract_notes(dropped, turn))
        if summary is None:
            if count(state["messages"]) <= max_tokens:
                return {}  # the messages still fit: try again after the next answer
            summary = await extractive_summary(previous, dropped)
        if saves_messages(config):
            with _logged_errors("saving the episode"):
                await save_episode(store, *user_and_thread(config), summary, dropped)
        return {
            "messages": [RemoveMessage(message.id or "") for message in dropped],
            "summary": summary.text,
            "notes": merge_notes(state.get("notes", ()), facts),
            "fallen": turn,
        }

    async def _summarise(self, previous: str, dropped: Sequence[AnyMessage]) -> Summary | None:
        with _logged_errors("summarising the oldest messages"):
            return await self.summariser.summarise(previous, dropped)
        return None

    async def _extract_notes(self, dropped: Sequence[AnyMessage], turn: int) -> list[Fact]:
        results = [message for message in dropped if isinstance(message, ToolMessage)]
        answers = "\n".join(message.text for message in dropped if isinstance(message, AIMessage))
        if not qualifies_for_llm_extraction([result.name or "" for result in results], answers, turn):
            return []
        summaries = [f"{result.name}: {' '.join(result.text.split())}"[:RESULT_CHARS] for result in results]
        with _logged_errors("extracting the notes"):
            return await extract_with_llm(answers, summaries, turn, self.summariser.model)
        return []  # the notes that the rules extracted remain


@contextmanager
def _logged_errors(action: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # an error of any kind must not break the thread
        expected = isinstance(error, AgentError)
        logger.warning("%s of a thread failed (%s)", action, type(error).__name__, exc_info=None if expected else error)
