"""The agent of Keepsake: graph, memory, threads and models. These names are what others may use."""

from agent.conversations.threads import parse_uuid
from agent.doctor.examination import examine
from agent.doctor.finding import Finding
from agent.errors import (
    AgentError,
    ConflictError,
    InvalidInputError,
    NotFoundError,
    SetupError,
    UnavailableError,
)
from agent.events import Event, LoggedEvent, RunFailed
from agent.jobs.reembed import reembed_database
from agent.memory.records.history import Version
from agent.service import Agent, open_agent
from agent.settings import AgentSettings
from agent.store.conversion import Progress
from agent.types import (
    Category,
    FormationResult,
    Kind,
    Memory,
    MemoryId,
    Message,
    MessageId,
    Page,
    Thread,
    ThreadId,
    User,
    UserId,
    UserMessage,
)

__all__ = [
    "Agent",
    "AgentError",
    "AgentSettings",
    "Category",
    "ConflictError",
    "Event",
    "Finding",
    "FormationResult",
    "InvalidInputError",
    "Kind",
    "LoggedEvent",
    "Memory",
    "MemoryId",
    "Message",
    "MessageId",
    "NotFoundError",
    "Page",
    "Progress",
    "RunFailed",
    "SetupError",
    "Thread",
    "ThreadId",
    "UnavailableError",
    "User",
    "UserId",
    "UserMessage",
    "Version",
    "examine",
    "open_agent",
    "parse_uuid",
    "reembed_database",
]
