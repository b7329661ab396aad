"""The exceptions of the agent.

    AgentError
    ├── InvalidInputError
    │   ├── InvalidTextError
    │   │   └── UnstorableTextError
    │   ├── InvalidIdError
    │   ├── InvalidNamespaceError
    │   ├── InvalidCursorError
    │   └── UnknownModelError
    ├── NotFoundError
    │   ├── ThreadNotFoundError
    │   └── MemoryNotFoundError
    ├── ConflictError
    │   ├── ThreadBusyError
    │   ├── MessageIdTakenError
    │   ├── ThreadNotTemporaryError
    │   ├── NothingToUndoError
    │   └── ChangedMeanwhileError
    ├── UnavailableError
    │   ├── ModelUnavailableError
    │   ├── EmbedderUnavailableError
    │   ├── StoreUnavailableError
    │   ├── RunInterruptedError
    │   └── FormationFailedError
    └── SetupError

The first line of a docstring is the title that clients receive. Codes are stable.
"""

from typing import ClassVar


class AgentError(Exception):
    """An internal error occurred."""

    code: ClassVar[str] = "internal"

    @property
    def title(self) -> str:
        """The first line of the class docstring."""
        return (type(self).__doc__ or "").partition("\n")[0]


class InvalidInputError(AgentError):
    """The request is invalid."""

    code = "invalid_request"


class InvalidTextError(InvalidInputError):
    """The text is invalid."""

    code = "invalid_text"


class UnstorableTextError(InvalidTextError, ValueError):
    """The text contains characters that cannot be stored."""

    code = "unstorable_text"


class InvalidIdError(InvalidInputError):
    """The id is invalid."""

    code = "invalid_id"


class InvalidNamespaceError(InvalidInputError, ValueError):
    """The namespace is invalid."""

    code = "invalid_namespace"


class InvalidCursorError(InvalidInputError):
    """The cursor is invalid."""

    code = "invalid_cursor"


class UnknownModelError(InvalidInputError):
    """The model does not exist."""

    code = "unknown_model"


class NotFoundError(AgentError):
    """The resource does not exist."""

    code = "not_found"


class ThreadNotFoundError(NotFoundError):
    """The thread does not exist."""

    code = "thread_not_found"


class MemoryNotFoundError(NotFoundError):
    """The memory does not exist."""

    code = "memory_not_found"


class ConflictError(AgentError):
    """The request conflicts with the current state."""

    code = "conflict"


class ThreadBusyError(ConflictError):
    """The thread is still answering an earlier message."""

    code = "thread_busy"


class MessageIdTakenError(ConflictError):
    """The message id is already used by another message."""

    code = "message_id_taken"


class ThreadNotTemporaryError(ConflictError):
    """The thread is not temporary."""

    code = "thread_not_temporary"


class NothingToUndoError(ConflictError):
    """There is nothing to undo."""

    code = "nothing_to_undo"


class ChangedMeanwhileError(ConflictError):
    """The data was changed by another request; nothing was saved."""

    code = "changed_meanwhile"


class UnavailableError(AgentError):
    """A required service is unavailable."""

    code = "unavailable"


class ModelUnavailableError(UnavailableError):
    """The model did not answer."""

    code = "model_unavailable"


class EmbedderUnavailableError(UnavailableError):
    """The embedding model did not answer."""

    code = "embedder_unavailable"


class StoreUnavailableError(UnavailableError):
    """The database did not answer."""

    code = "store_unavailable"


class RunInterruptedError(UnavailableError):
    """The answer was interrupted; the text so far is saved."""

    code = "run_interrupted"


class FormationFailedError(UnavailableError):
    """Forming memories failed; the messages are kept and will be retried."""

    code = "formation_failed"


class SetupError(AgentError):
    """Keepsake cannot start with this configuration."""

    code = "setup"


def error_from_code(code: str, detail: str) -> AgentError:
    """Create the error with a code; an `AgentError` if the code is unknown."""
    classes = [AgentError]
    for cls in classes:  # the list grows during the iteration
        if cls.code == code:
            return cls(detail)
        classes += cls.__subclasses__()
    return AgentError(detail)
