"""Translation of the database's errors."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from agent.errors import ChangedMeanwhileError, StoreUnavailableError

_UNAVAILABLE = (psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.ReadOnlySqlTransaction)
_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (psycopg.errors.DiskFull, "the disk of the database is full"),
    (psycopg.errors.TooManyConnections, "the database has too many clients"),
    (psycopg.errors.ReadOnlySqlTransaction, "the database is read-only"),
)


@contextmanager
def translated_errors() -> Iterator[None]:
    """Translate the errors that a correct statement can cause; those of a wrong statement are not caught.

    Raises:
        StoreUnavailableError: the database is unreachable, busy, too slow, full or read-only.
        ChangedMeanwhileError: a row refers to a thread or account that was just deleted.
    """
    try:
        yield
    except _UNAVAILABLE as error:
        reason = next((reason for kind, reason in _REASONS if isinstance(error, kind)), "the database did not answer")
        raise StoreUnavailableError(reason) from error
    except psycopg.errors.ForeignKeyViolation as error:
        raise ChangedMeanwhileError("the thread or the account is just being deleted") from error


def connection_fault(error: psycopg.Error | TimeoutError) -> str:
    """Describe in one line why a connection failed, without the parameters of the connection."""
    if isinstance(error, psycopg.errors.ConnectionTimeout | TimeoutError):
        return "it does not answer"
    last_line = next((line for line in reversed(str(error).splitlines()) if " failed: " in line), str(error))
    return " ".join(last_line.rpartition(" failed: ")[2].replace("FATAL:", "").split())
