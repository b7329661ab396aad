"""The agent of Keepsake: graph, memory, threads and models. These names are what others may use."""

from agent.conversations.threads import parsed_id
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
from agent.events import Event, RunFailed, Told
from agent.jobs.reembed import reembed_database
from agent.memory.records.history import Version
from agent.service import Agent, open_agent
from agent.settings import AgentSettings
from agent.store.conversion import Progress
from agent.types import (
    Category,
    Formed,
    Kind,
    Memory,
    MemoryId,
    Message,
    MessageId,
    Page,
    Said,
    Thread,
    ThreadId,
    User,
    UserId,
)

__all__ = [
    "Agent",
    "AgentError",
    "AgentSettings",
    "Category",
    "ConflictError",
    "Event",
    "Finding",
    "Formed",
    "InvalidInputError",
    "Kind",
    "Memory",
    "MemoryId",
    "Message",
    "MessageId",
    "NotFoundError",
    "Page",
    "Progress",
    "RunFailed",
    "Said",
    "SetupError",
    "Thread",
    "ThreadId",
    "Told",
    "UnavailableError",
    "User",
    "UserId",
    "Version",
    "examine",
    "open_agent",
    "parsed_id",
    "reembed_database",
]
