"""Everything that can go wrong in the agent, as one tree.

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

The first line of a class's docstring is the title that a client reads; its `code` never changes.
"""

from typing import ClassVar


class AgentError(Exception):
    """Something went wrong."""

    code: ClassVar[str] = "internal"

    @property
    def title(self) -> str:
        """The first line of the class's docstring."""
        return (type(self).__doc__ or "").partition("\n")[0]


class InvalidInputError(AgentError):
    """The request cannot be understood."""

    code = "invalid_request"


class InvalidTextError(InvalidInputError):
    """The text cannot be used."""

    code = "invalid_text"


class UnstorableTextError(InvalidTextError, ValueError):
    """The text cannot be kept."""

    code = "unstorable_text"


class InvalidIdError(InvalidInputError):
    """The id cannot be used."""

    code = "invalid_id"


class InvalidNamespaceError(InvalidInputError, ValueError):
    """The namespace cannot be used."""

    code = "invalid_namespace"


class InvalidCursorError(InvalidInputError):
    """The cursor was not given by this list."""

    code = "invalid_cursor"


class UnknownModelError(InvalidInputError):
    """There is no such model here."""

    code = "unknown_model"


class NotFoundError(AgentError):
    """There is no such thing."""

    code = "not_found"


class ThreadNotFoundError(NotFoundError):
    """There is no such thread."""

    code = "thread_not_found"


class MemoryNotFoundError(NotFoundError):
    """There is no such memory."""

    code = "memory_not_found"


class ConflictError(AgentError):
    """The request does not fit what is there."""

    code = "conflict"


class ThreadBusyError(ConflictError):
    """The thread is still answering an earlier message."""

    code = "thread_busy"


class MessageIdTakenError(ConflictError):
    """A message with this id and another text is already there."""

    code = "message_id_taken"


class ThreadNotTemporaryError(ConflictError):
    """The thread is not temporary, and what is said in it is kept."""

    code = "thread_not_temporary"


class NothingToUndoError(ConflictError):
    """There is nothing to undo."""

    code = "nothing_to_undo"


class ChangedMeanwhileError(ConflictError):
    """Something else was changed in the same moment; nothing is done."""

    code = "changed_meanwhile"


class UnavailableError(AgentError):
    """Something that is needed does not answer now."""

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
    """The answer was interrupted; what there is of it is kept."""

    code = "run_interrupted"


class FormationFailedError(UnavailableError):
    """What was said could not be distilled now; it is kept, and tried again."""

    code = "formation_failed"


class SetupError(AgentError):
    """Keepsake cannot start like this."""

    code = "setup"


def error_from_code(code: str, detail: str) -> AgentError:
    """Return the error of a code, the tree's root for one that is unknown."""
    kinds = [AgentError]
    for kind in kinds:  # it grows while we look
        if kind.code == code:
            return kind(detail)
        kinds += kind.__subclasses__()
    return AgentError(detail)
