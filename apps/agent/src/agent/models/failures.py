"""The causes of failed model calls. A server's text can contain messages and keys, so it is never kept nor logged."""

import logging
import re
from collections.abc import Mapping
from http import HTTPStatus

import httpx2
from langchain_core.exceptions import ContextOverflowError

from agent.errors import (
    ModelInputTooLongError,
    ModelKeyRefusedError,
    ModelNotFoundError,
    ModelRateLimitedError,
    ModelUnavailableError,
)

logger = logging.getLogger(__name__)


class ModelServerError(Exception):
    """A model's server cannot be reached, or answers with an error.

    Args:
        text: the server's, which can contain messages and keys: it is only matched with patterns.
        status_code: the HTTP status; 0 if there was no response, or if the error arrived in a stream.
        headers: those of the response.
    """

    def __init__(self, text: str, *, status_code: int = 0, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(text)
        self.status_code = status_code
        self.headers: Mapping[str, str] = headers or {}


class ServerUnreachableError(ModelServerError):
    """There is no connection to the server."""


class ServerTimeoutError(ServerUnreachableError):
    """The server did not answer in time."""


class PromptTooLongError(ModelServerError, ContextOverflowError):
    """The prompt exceeds the model's context, as LangChain recognises it; see also `is_too_long`."""


class IncompleteAnswerError(Exception):
    """A structured answer was cut off; its text, empty if it was withheld, is the part that arrived."""


CALL_ERRORS = (ModelServerError, httpx2.HTTPError, TimeoutError, ModelUnavailableError)
"""Errors of a model call that `classify` accepts."""

REJECTED = (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY)


_UNSUPPORTED = re.compile(r"(?:un|not |n't |that )support", re.IGNORECASE)
_TOO_LONG = re.compile(
    r"context.{0,20}(?:length|window|size)|maximum.{0,20}context|(?:prompt|input|request).{0,20}too (?:long|large)"
    r"|too many (?:input )?tokens|reduce the length",
    re.IGNORECASE,
)

_CAUSES: dict[int, type[ModelUnavailableError]] = {
    HTTPStatus.UNAUTHORIZED: ModelKeyRefusedError,
    HTTPStatus.FORBIDDEN: ModelKeyRefusedError,
    HTTPStatus.NOT_FOUND: ModelNotFoundError,
    HTTPStatus.TOO_MANY_REQUESTS: ModelRateLimitedError,
}
_DETAILS: dict[type[ModelUnavailableError], str] = {
    ModelKeyRefusedError: "your message is kept; the operator has to check the API key",
    ModelNotFoundError: "your message is kept; choose another model, or ask the operator to check its name",
    ModelRateLimitedError: "your message is kept; try again in a minute",
    ModelInputTooLongError: "your message is kept; shorten it, or start a new conversation",
    ModelUnavailableError: "your message is kept; try again",
}


def classify(error: Exception) -> ModelUnavailableError:
    """Translate an error of a model call into one with the class of its cause, for users."""
    if isinstance(error, ModelUnavailableError):
        return error
    cause = _cause(error)
    return cause(_DETAILS[cause])


def _cause(error: Exception) -> type[ModelUnavailableError]:
    status = status_of(error)
    if isinstance(error, ContextOverflowError) or is_too_long(status, str(error)):
        return ModelInputTooLongError
    return ModelUnavailableError if is_rejection(error) else _CAUSES.get(status, ModelUnavailableError)


def is_rejection(error: Exception) -> bool:
    """Whether the server rejects this request, for example because it is too long or needs what is not supported."""
    status, text = status_of(error), str(error)
    is_unsupported = may_be_unsupported(error) and _UNSUPPORTED.search(text) is not None
    return status in REJECTED or is_unsupported or is_too_long(status, text)


def may_be_unsupported(error: Exception) -> bool:
    """Whether the status is one with which servers reject what they or their models do not support.

    Ollama and vLLM answer with 400, OpenRouter with 404, llama.cpp with 500.
    """
    status = status_of(error)
    return status in (*REJECTED, HTTPStatus.NOT_FOUND) or status >= HTTPStatus.INTERNAL_SERVER_ERROR


def status_of(error: Exception) -> int:
    """The HTTP status of an error; 0 if there was no response, or if the error arrived in a stream."""
    return error.status_code if isinstance(error, ModelServerError) else 0


def name_of(error: BaseException | None) -> str:
    """The name of an error for operators; a translated one has that of the client's error."""
    cause = error.__cause__ if isinstance(error, ModelServerError) else None
    return type(cause or error).__name__


def describe(error: Exception) -> str:
    """Describe an error of a model call for the log: the class of its cause and the HTTP status."""
    failure, status = classify(error), status_of(error)
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        return f"{failure.code}: HTTP {status}; redirects are not followed, check OPENAI_BASE_URL"
    return f"{failure.code}: HTTP {status}" if status else f"{failure.code}: {name_of(error)}"


class OutageLog:
    """Logs the outages of one model, in one line each."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._code = ""
        self._calls = 0

    def record_failure(self, error: Exception) -> None:
        """Log a failed call, unless its cause is the same as that of the failed call before it."""
        failure = classify(error)
        if is_rejection(error):  # the next request may succeed
            return
        self._calls += 1
        if failure.code != self._code:
            self._code = failure.code
            logger.warning("model %s fails (%s)", self._model, describe(error))

    def record_success(self) -> None:
        """Log the end of an outage."""
        if self._code:
            logger.warning("model %s answers again, after %d failed calls", self._model, self._calls)
            self._code, self._calls = "", 0


def is_too_long(status: int, text: str) -> bool:
    """Whether a server's error says that the prompt exceeds the model's context, or a limit for one request."""
    if status == HTTPStatus.TOO_MANY_REQUESTS:  # it may also count the tokens of a minute
        return "request too large" in text.casefold()
    is_rejection = status in (*REJECTED, HTTPStatus.INTERNAL_SERVER_ERROR)
    return status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or (is_rejection and _TOO_LONG.search(text) is not None)
