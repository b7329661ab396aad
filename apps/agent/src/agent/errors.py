"""The exceptions of the agent.

    AgentError
    ├── InvalidInputError
    │   ├── FileTooLargeError
    │   ├── InvalidTextError
    │   │   └── UnstorableTextError
    │   ├── InvalidIdError
    │   ├── InvalidNamespaceError
    │   ├── InvalidCursorError
    │   ├── UnknownModelError
    │   └── ContentFlaggedError
    ├── NotFoundError
    │   ├── ThreadNotFoundError
    │   ├── MemoryNotFoundError
    │   ├── MessageNotFoundError
    │   └── KeyNotFoundError
    ├── ConflictError
    │   ├── ThreadBusyError
    │   ├── MessageIdTakenError
    │   ├── ThreadNotTemporaryError
    │   ├── ThreadExistsError
    │   ├── NothingToUndoError
    │   └── ChangedMeanwhileError
    ├── LimitExceededError
    │   ├── RateLimitedError
    │   ├── DailyLimitError
    │   ├── TooManyRunsError
    │   ├── TooManyStreamsError
    │   ├── TooManyThreadsError
    │   ├── TooManyMemoriesError
    │   ├── TooManyKeysError
    │   └── TooManyItemsError
    ├── UnavailableError
    │   ├── ModelUnavailableError
    │   │   ├── ModelKeyRefusedError
    │   │   ├── ModelNotFoundError
    │   │   ├── ModelRateLimitedError
    │   │   ├── ModelInputTooLongError
    │   │   └── AnswerCutOffError
    │   ├── EmbedderUnavailableError
    │   ├── StoreUnavailableError
    │   ├── ModerationUnavailableError
    │   ├── AgentServerUnavailableError
    │   ├── RunInterruptedError
    │   └── FormationFailedError
    │       └── UnusableOutputError
    ├── UnsupportedError
    └── SetupError

Clients receive the docstring of the class as the title. Codes are stable.
"""

from typing import ClassVar


class AgentError(Exception):
    """An internal error occurred."""

    code: ClassVar[str] = "internal"

    def __init_subclass__(cls, *, code: str) -> None:
        cls.code = code

    @property
    def title(self) -> str:
        """The class docstring."""
        return type(self).__doc__ or ""


class InvalidInputError(AgentError, code="invalid_request"):
    """The request is invalid."""


class FileTooLargeError(InvalidInputError, code="file_too_large"):
    """The file is too large to be imported."""


class InvalidTextError(InvalidInputError, code="invalid_text"):
    """The text is invalid."""


class UnstorableTextError(InvalidTextError, ValueError, code="unstorable_text"):
    """The text contains characters that cannot be stored."""


class InvalidIdError(InvalidInputError, code="invalid_id"):
    """The id is invalid."""


class InvalidNamespaceError(InvalidInputError, ValueError, code="invalid_namespace"):
    """The namespace is invalid."""


class InvalidCursorError(InvalidInputError, code="invalid_cursor"):
    """The cursor is invalid."""


class UnknownModelError(InvalidInputError, code="unknown_model"):
    """The model does not exist."""


class ContentFlaggedError(InvalidInputError, code="content_flagged"):
    """The message was not accepted, because moderation flagged it."""


class NotFoundError(AgentError, code="not_found"):
    """The resource does not exist."""


class ThreadNotFoundError(NotFoundError, code="thread_not_found"):
    """The thread does not exist."""


class MemoryNotFoundError(NotFoundError, code="memory_not_found"):
    """The memory does not exist."""


class KeyNotFoundError(NotFoundError, code="key_not_found"):
    """The key does not exist."""


class MessageNotFoundError(NotFoundError, code="message_not_found"):
    """The message does not exist."""


class ConflictError(AgentError, code="conflict"):
    """The request conflicts with the current state."""


class ThreadBusyError(ConflictError, code="thread_busy"):
    """The thread is still answering an earlier message."""


class MessageIdTakenError(ConflictError, code="message_id_taken"):
    """The message id is already used by another message."""


class ThreadNotTemporaryError(ConflictError, code="thread_not_temporary"):
    """The thread is not temporary."""


class ThreadExistsError(ConflictError, code="thread_exists"):
    """The thread already exists."""


class NothingToUndoError(ConflictError, code="nothing_to_undo"):
    """There is nothing to undo."""


class ChangedMeanwhileError(ConflictError, code="changed_meanwhile"):
    """The data was changed by another request; nothing was saved."""


class LimitExceededError(AgentError, code="limit_exceeded"):
    """A limit of the account is reached."""

    def __init__(self, detail: str, *, retry_after_seconds: float | None = None) -> None:
        super().__init__(detail)
        self.retry_after_seconds = retry_after_seconds
        """None if waiting does not help."""


class RateLimitedError(LimitExceededError, code="rate_limited"):
    """There were too many requests; wait a moment."""


class DailyLimitError(LimitExceededError, code="daily_limit"):
    """The limit for one day is reached."""


class TooManyRunsError(LimitExceededError, code="too_many_runs"):
    """Too many answers are in progress; wait until one of them has ended."""


class TooManyStreamsError(LimitExceededError, code="too_many_streams"):
    """Too many streams are open."""


class TooManyThreadsError(LimitExceededError, code="too_many_threads"):
    """The account has too many threads."""


class TooManyMemoriesError(LimitExceededError, code="too_many_memories"):
    """The account has too many memories."""


class TooManyKeysError(LimitExceededError, code="too_many_keys"):
    """The account has too many keys."""


class TooManyItemsError(LimitExceededError, code="too_many_items"):
    """The account has too many items in the store."""


class UnavailableError(AgentError, code="unavailable"):
    """A required service is unavailable."""


class ModelUnavailableError(UnavailableError, code="model_unavailable"):
    """The model did not answer."""


class ModelKeyRefusedError(ModelUnavailableError, code="model_key_refused"):
    """The model's server refused the API key."""


class ModelNotFoundError(ModelUnavailableError, code="model_not_found"):
    """The model's server does not know the model."""


class ModelRateLimitedError(ModelUnavailableError, code="model_rate_limited"):
    """The model's server has reached its limit of requests or its quota."""


class ModelInputTooLongError(ModelUnavailableError, code="model_input_too_long"):
    """The conversation is too long for the model."""


class AnswerCutOffError(ModelUnavailableError, code="answer_cut_off"):
    """The answer was cut off; the text so far is saved."""


class EmbedderUnavailableError(UnavailableError, code="embedder_unavailable"):
    """The embedding model did not answer."""


class StoreUnavailableError(UnavailableError, code="store_unavailable"):
    """The database did not answer."""


class ModerationUnavailableError(UnavailableError, code="moderation_unavailable"):
    """Messages cannot be accepted: the moderation service did not answer."""


class AgentServerUnavailableError(UnavailableError, code="agent_server_unavailable"):
    """The agent server did not answer."""


class RunInterruptedError(UnavailableError, code="run_interrupted"):
    """The answer was interrupted; the text so far is saved."""


class FormationFailedError(UnavailableError, code="formation_failed"):
    """Forming memories failed; the messages are kept and will be retried."""


class UnusableOutputError(FormationFailedError, code="unusable_output"):
    """The model gave no usable output."""


class UnsupportedError(AgentError, code="unsupported"):
    """This is not available while the agent runs on a LangGraph server."""


class SetupError(AgentError, code="setup"):
    """Keepsake cannot start with this configuration."""


def error_from_code(code: str, detail: str) -> AgentError:
    """Create the error with a code; an `AgentError` if the code is unknown."""
    classes = [AgentError]
    for cls in classes:  # the list grows during the iteration
        if cls.code == code:
            return cls(detail)
        classes += cls.__subclasses__()
    return AgentError(detail)
