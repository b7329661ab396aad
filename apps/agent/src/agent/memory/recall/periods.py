"""Recall for questions about a period: what the user said in it, or what takes place in it."""

from collections.abc import Set
from dataclasses import dataclass
from datetime import datetime

from langgraph.store.base import BaseStore

from agent.language.agenda.questions import agenda_question
from agent.language.said.questions import said_question
from agent.memory.recall.agenda import AgendaSearch
from agent.memory.recall.calibration import Calibration
from agent.memory.recall.said import SaidSearch
from agent.memory.recall.standing import StandingMemories
from agent.types import RecallResult, UserId


@dataclass(frozen=True, slots=True)
class PeriodSearch:
    """A message that may ask about a period, at a local time."""

    user: UserId
    text: str
    now: datetime
    context_messages: Set[str]
    """The messages of the thread."""

    async def recall(
        self, store: BaseStore, standing: StandingMemories, calibration: Calibration, *, embedded: bool
    ) -> RecallResult | None:
        """The result for the period; None if the message does not ask about one, or may be answered otherwise."""
        if said := said_question(self.text, self.now):
            search = SaidSearch(self.user, said, self.text, self.now, self.context_messages)
            return await search.recall(store, standing, calibration, embedded=embedded)
        if agenda := agenda_question(self.text, self.now.date()):
            return await AgendaSearch(self.user, agenda, self.now).recall(store, standing)
        return None
