"""The door where the database's errors become ours."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from agent.errors import ChangedMeanwhileError, StoreUnavailableError


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn whatever says that the database is away, busy or too slow into a `StoreUnavailableError`.

    What hangs on a thread or an account that is deleted in this moment is a `ChangedMeanwhileError`. Errors that say
    that a statement is wrong are ours to mend, and pass.
    """
    try:
        yield
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        raise StoreUnavailableError("the database did not answer") from error
    except psycopg.errors.ForeignKeyViolation as error:
        raise ChangedMeanwhileError("the thread or the account is just being deleted") from error
