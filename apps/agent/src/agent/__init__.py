"""The agent of Keepsake: graph, memory, threads and models. Other packages import only these names."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from agent.accounts.key import Key as Key
from agent.accounts.key import KeyId as KeyId
from agent.accounts.key import KeyOwner as KeyOwner
from agent.errors import AgentError as AgentError
from agent.errors import AgentServerUnavailableError as AgentServerUnavailableError
from agent.errors import ChangedMeanwhileError as ChangedMeanwhileError
from agent.errors import ConflictError as ConflictError
from agent.errors import ContentFlaggedError as ContentFlaggedError
from agent.errors import DailyLimitError as DailyLimitError
from agent.errors import EmbedderUnavailableError as EmbedderUnavailableError
from agent.errors import FileTooLargeError as FileTooLargeError
from agent.errors import FormationFailedError as FormationFailedError
from agent.errors import InvalidCursorError as InvalidCursorError
from agent.errors import InvalidIdError as InvalidIdError
from agent.errors import InvalidInputError as InvalidInputError
from agent.errors import InvalidNamespaceError as InvalidNamespaceError
from agent.errors import InvalidTextError as InvalidTextError
from agent.errors import KeyNotFoundError as KeyNotFoundError
from agent.errors import LimitExceededError as LimitExceededError
from agent.errors import MemoryNotFoundError as MemoryNotFoundError
from agent.errors import MessageIdTakenError as MessageIdTakenError
from agent.errors import MessageNotFoundError as MessageNotFoundError
from agent.errors import ModerationUnavailableError as ModerationUnavailableError
from agent.errors import NotFoundError as NotFoundError
from agent.errors import NothingToUndoError as NothingToUndoError
from agent.errors import RateLimitedError as RateLimitedError
from agent.errors import SetupError as SetupError
from agent.errors import StoreUnavailableError as StoreUnavailableError
from agent.errors import ThreadBusyError as ThreadBusyError
from agent.errors import ThreadExistsError as ThreadExistsError
from agent.errors import ThreadNotFoundError as ThreadNotFoundError
from agent.errors import ThreadNotTemporaryError as ThreadNotTemporaryError
from agent.errors import TooManyItemsError as TooManyItemsError
from agent.errors import TooManyKeysError as TooManyKeysError
from agent.errors import TooManyMemoriesError as TooManyMemoriesError
from agent.errors import TooManyRunsError as TooManyRunsError
from agent.errors import TooManyStreamsError as TooManyStreamsError
from agent.errors import TooManyThreadsError as TooManyThreadsError
from agent.errors import UnavailableError as UnavailableError
from agent.errors import UnknownModelError as UnknownModelError
from agent.errors import UnsupportedError as UnsupportedError
from agent.log_context import bind_request as bind_request
from agent.log_context import bind_user as bind_user
from agent.types import KINDS as KINDS
from agent.types import Category as Category
from agent.types import FormationResult as FormationResult
from agent.types import Hit as Hit
from agent.types import HitKind as HitKind
from agent.types import Kind as Kind
from agent.types import Memory as Memory
from agent.types import MemoryId as MemoryId
from agent.types import Message as Message
from agent.types import MessageFeedback as MessageFeedback
from agent.types import MessageId as MessageId
from agent.types import Page as Page
from agent.types import RunId as RunId
from agent.types import RunRecord as RunRecord
from agent.types import Thread as Thread
from agent.types import ThreadDetails as ThreadDetails
from agent.types import ThreadId as ThreadId
from agent.types import ThreadStatus as ThreadStatus
from agent.types import User as User
from agent.types import UserId as UserId
from agent.types import UserMessage as UserMessage
from agent.types import Why as Why
from agent.types import reply_id as reply_id

if TYPE_CHECKING:
    from agent.accounts.keys import KEY_PREFIX as KEY_PREFIX
    from agent.accounts.keys import MAX_KEY_NAME_CHARS as MAX_KEY_NAME_CHARS
    from agent.completions import ClientMessage as ClientMessage
    from agent.completions import CompletionRequest as CompletionRequest
    from agent.completions import ToolCall as ToolCall
    from agent.conversations.details import NewMessage as NewMessage
    from agent.conversations.threads import parse_uuid as parse_uuid
    from agent.database.pools import open_embedded_database as open_embedded_database
    from agent.doctor.diagnosis import diagnose as diagnose
    from agent.doctor.finding import Finding as Finding
    from agent.events import AnswerStarted as AnswerStarted
    from agent.events import Event as Event
    from agent.events import EventSubscription as EventSubscription
    from agent.events import LoggedEvent as LoggedEvent
    from agent.events import MemoryRecalled as MemoryRecalled
    from agent.events import MemoryScheduled as MemoryScheduled
    from agent.events import MessageCompleted as MessageCompleted
    from agent.events import Position as Position
    from agent.events import ReplyEvent as ReplyEvent
    from agent.events import RunFailed as RunFailed
    from agent.events import RunFinished as RunFinished
    from agent.events import RunStarted as RunStarted
    from agent.events import Token as Token
    from agent.events import ToolCallsRequested as ToolCallsRequested
    from agent.events import ToolFinished as ToolFinished
    from agent.events import ToolStarted as ToolStarted
    from agent.items import StoredItem as StoredItem
    from agent.jobs.reembed import reembed_database as reembed_database
    from agent.jobs.repartition import Repartition as Repartition
    from agent.jobs.repartition import repartition_database as repartition_database
    from agent.limits.quotas import QuotaState as QuotaState
    from agent.log_format import configure_logging as configure_logging
    from agent.memory.editing.fact_limit import FactLimit as FactLimit
    from agent.memory.editing.selection import Statement as Statement
    from agent.memory.records.history import Version as Version
    from agent.memory.records.memory_change import ChangeType as ChangeType
    from agent.memory.records.memory_change import MemoryChange as MemoryChange
    from agent.memory.transfer.foreign.formats import ForeignFormat as ForeignFormat
    from agent.memory.transfer.foreign.formats import ImportFormat as ImportFormat
    from agent.memory.transfer.importer import ImportResult as ImportResult
    from agent.middleware import MemoryMiddleware as MemoryMiddleware
    from agent.opening import open_agent as open_agent
    from agent.service import Agent as Agent
    from agent.settings import AgentSettings as AgentSettings
    from agent.store.conversion import Progress as Progress
    from agent.store.indexing import ExactIndexConfig as ExactIndexConfig
    from agent.store.postgres import ExactPostgresStore as ExactPostgresStore
    from agent.text import MAX_MEMORY_CHARS as MAX_MEMORY_CHARS
    from agent.text import MAX_MESSAGE_CHARS as MAX_MESSAGE_CHARS
    from agent.text import MAX_TITLE_CHARS as MAX_TITLE_CHARS

# Imported on first use, because the libraries behind them take seconds.
_MODULES = {
    "ChangeType": "agent.memory.records.memory_change",
    "MemoryChange": "agent.memory.records.memory_change",
    "KEY_PREFIX": "agent.accounts.keys",
    "Agent": "agent.service",
    "AgentSettings": "agent.settings",
    "AnswerStarted": "agent.events",
    "ClientMessage": "agent.completions",
    "CompletionRequest": "agent.completions",
    "Event": "agent.events",
    "ExactIndexConfig": "agent.store.indexing",
    "ExactPostgresStore": "agent.store.postgres",
    "FactLimit": "agent.memory.editing.fact_limit",
    "Finding": "agent.doctor.finding",
    "EventSubscription": "agent.events",
    "ForeignFormat": "agent.memory.transfer.foreign.formats",
    "ImportFormat": "agent.memory.transfer.foreign.formats",
    "ImportResult": "agent.memory.transfer.importer",
    "LoggedEvent": "agent.events",
    "MAX_KEY_NAME_CHARS": "agent.accounts.keys",
    "MAX_MEMORY_CHARS": "agent.text",
    "MAX_MESSAGE_CHARS": "agent.text",
    "MAX_TITLE_CHARS": "agent.text",
    "MemoryRecalled": "agent.events",
    "MemoryScheduled": "agent.events",
    "MemoryMiddleware": "agent.middleware",
    "MessageCompleted": "agent.events",
    "NewMessage": "agent.conversations.details",
    "Position": "agent.events",
    "Progress": "agent.store.conversion",
    "QuotaState": "agent.limits.quotas",
    "ReplyEvent": "agent.events",
    "RunFailed": "agent.events",
    "RunFinished": "agent.events",
    "RunStarted": "agent.events",
    "Statement": "agent.memory.editing.selection",
    "StoredItem": "agent.items",
    "Token": "agent.events",
    "ToolFinished": "agent.events",
    "ToolStarted": "agent.events",
    "ToolCall": "agent.completions",
    "ToolCallsRequested": "agent.events",
    "Version": "agent.memory.records.history",
    "configure_logging": "agent.log_format",
    "diagnose": "agent.doctor.diagnosis",
    "open_agent": "agent.opening",
    "open_embedded_database": "agent.database.pools",
    "parse_uuid": "agent.conversations.threads",
    "reembed_database": "agent.jobs.reembed",
    "Repartition": "agent.jobs.repartition",
    "repartition_database": "agent.jobs.repartition",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any public name
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
