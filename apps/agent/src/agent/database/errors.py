"""Translation of the database's errors."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from agent.errors import ChangedMeanwhileError, StoreUnavailableError


@contextmanager
def translated_errors() -> Iterator[None]:
    """Translate the errors that a correct statement can cause; those of a wrong statement are not caught.

    Raises:
        StoreUnavailableError: the database is unreachable, busy or too slow.
        ChangedMeanwhileError: a row refers to a thread or account that was just deleted.
    """
    try:
        yield
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        raise StoreUnavailableError("the database did not answer") from error
    except psycopg.errors.ForeignKeyViolation as error:
        raise ChangedMeanwhileError("the thread or the account is just being deleted") from error
