"""Log records as text or JSON, one line each, without users' words.

Errors of libraries may quote a prompt, a row or a key, so a record shows the messages of errors of Keepsake and of the
operating system only; of others the type, the status and the place. Repeated warnings are suppressed: an outage leaves
one line, not one per request.
"""

import json
import logging
import time
import traceback
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from agent.errors import AgentError, UnavailableError
from agent.log_context import log_context

LogFormat = Literal["text", "json"]

MAX_CAUSES = 5
MAX_FRAMES = 12
STATUS_ATTRIBUTES = ("sqlstate", "status_code", "errno")

QUIET_SECONDS = 60.0
"""A warning is suppressed if the same was logged, or suppressed, less than this long ago."""
REMINDER_SECONDS = 600.0
"""A warning that continues is logged again after this time, with the number of those suppressed."""
MAX_WARNINGS = 1_000


def configure_logging(log_format: LogFormat) -> None:
    """Write records of all libraries from `WARNING` up to standard error, in one format."""
    handler = logging.StreamHandler()
    handler.addFilter(RepeatFilter())
    handler.setFormatter(JsonFormatter() if log_format == "json" else TextFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("psycopg").setLevel(logging.ERROR)  # one line per connection; the pools log one per outage


class TextFormatter(logging.Formatter):
    """`LEVEL logger: message [error] request_id=… user=…`."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as one line."""
        fields = _fields(record)
        parts = [f"{record.levelname} {record.name}: {fields.pop('message')}"]
        if error := fields.pop("error", ""):
            parts.append(f"[{error}]")
        if frames := fields.pop("frames", ()):
            parts.append("at " + " < ".join(frames))
        parts += [f"{name}={value}" for name, value in fields.items()]
        return " ".join(parts).replace("\r", "\\r").replace("\n", "\\n")


class JsonFormatter(logging.Formatter):
    """One JSON object per line: `time`, `level`, `logger`, `message`, and what is known of error, request and user."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as one line."""
        timestamp = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        head = {"time": timestamp, "level": record.levelname, "logger": record.name}
        return json.dumps(head | _fields(record))


class RepeatFilter(logging.Filter):
    """Suppresses warnings that repeat, as defined by `QUIET_SECONDS` and `REMINDER_SECONDS`."""

    @dataclass(slots=True)
    class _Repetition:
        logged_at: float
        seen_at: float
        suppressed: int = 0

    def __init__(self) -> None:
        super().__init__()
        self._repetitions: OrderedDict[tuple[object, ...], RepeatFilter._Repetition] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Pass a record on unless it repeats an earlier one; note on it how many were suppressed."""
        if record.levelno < logging.WARNING:
            return True
        now = time.monotonic()
        key = (record.name, record.lineno, record.getMessage(), tuple(map(type, _causes(_error_of(record)))))
        earlier = self._repetitions.pop(key, None)
        if earlier and now - earlier.seen_at < QUIET_SECONDS and now - earlier.logged_at < REMINDER_SECONDS:
            earlier.seen_at, earlier.suppressed = now, earlier.suppressed + 1
            self._repetitions[key] = earlier
            return False
        record.suppressed = earlier.suppressed if earlier else 0
        self._repetitions[key] = self._Repetition(now, now)
        if len(self._repetitions) > MAX_WARNINGS:
            self._repetitions.popitem(last=False)
        return True


def describe_error(error: BaseException) -> str:
    """Describe an error and its causes without content: `StoreUnavailableError: … < OperationalError (08006)`."""
    return " < ".join(_describe(cause) for cause in _causes(error))


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    fields: dict[str, Any] = {"message": record.getMessage()}
    if error := _error_of(record):
        fields["error"] = describe_error(error)
        if not isinstance(error, UnavailableError | OSError):  # outages have no place in the code
            fields["frames"] = _frames(error)
    if suppressed := getattr(record, "suppressed", 0):
        fields["suppressed"] = suppressed
    return fields | log_context()


def _error_of(record: logging.LogRecord) -> BaseException | None:
    return record.exc_info[1] if record.exc_info else None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(MAX_CAUSES):
        if error is None:
            return
        yield error
        if isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        else:
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _describe(error: BaseException) -> str:
    name = type(error).__name__
    if isinstance(error, AgentError | OSError) and str(error):
        return f"{name}: {error}"
    status = next((value for key in STATUS_ATTRIBUTES if (value := getattr(error, key, None))), None)
    return f"{name} ({status})" if status else name


def _frames(error: BaseException) -> list[str]:
    """Where the error was raised, the innermost frame first."""
    frames = traceback.extract_tb(error.__traceback__)[-MAX_FRAMES:]
    return [f"{_module_path(frame.filename)}:{frame.lineno} {frame.name}" for frame in reversed(frames)]


def _module_path(filename: str) -> str:
    for folder in ("/site-packages/", "/src/"):
        if folder in filename:
            return filename.rpartition(folder)[2]
    return filename
