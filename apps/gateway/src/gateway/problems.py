"""Errors as `application/problem+json` (RFC 9457), and the only mapping from errors to HTTP statuses.

Under `/v1/`, errors have the format of OpenAI's API.
"""

import logging
import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

import agent
from agent import AgentError
from gateway import errors
from gateway.errors import BodyTooLargeError, GatewayError, TokenError

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"

# The first matching row counts. A test checks that every error of both trees has one.
STATUS: tuple[tuple[type[Exception], int], ...] = (
    (agent.FileTooLargeError, 413),
    (agent.InvalidInputError, 422),
    (agent.NotFoundError, 404),
    (agent.ConflictError, 409),
    (agent.LimitExceededError, 429),
    (agent.UnavailableError, 503),
    (agent.UnsupportedError, 501),
    (agent.SetupError, 500),
    (AgentError, 500),
    (TokenError, 401),
    (errors.IssuerUnavailableError, 503),
    (errors.InvalidUserNameError, 422),
    (errors.SignInSecretError, 403),
    (errors.CrossSiteError, 403),
    (errors.KeyNotAllowedError, 403),
    (BodyTooLargeError, 413),
    (errors.HeadersTooLargeError, 431),
    (errors.RequestTimeoutError, 408),
    (errors.TooManyConnectionsError, 503),
    (errors.UnsupportedError, 501),
    (GatewayError, 500),
)

OPENAI_PREFIX = "/v1/"
OPENAI_STATUS = {422: 400}
"""Statuses that OpenAI's API replaces by others."""
OPENAI_CODES = {
    "token_missing": "invalid_api_key",
    "token_invalid": "invalid_api_key",
    "token_expired": "invalid_api_key",
    "unknown_model": "model_not_found",
}
OPENAI_TYPES = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
}

RETRY_SECONDS = 2.0
"""When to repeat a request that failed because of something temporary, unless the error says when."""

HTTP_CODES = {400: "invalid_request", 404: "not_found", 405: "method_not_allowed"}

CHALLENGE_KEY = "challenge"
"""The attribute of a request's state with the `WWW-Authenticate` field of a 401 response, if it is not `Bearer`."""

ErrorType = type[AgentError] | type[GatewayError]
Responses = dict[int | str, dict[str, Any]]

_USER_ERRORS: tuple[ErrorType, ...] = (
    AgentError,
    errors.TokenMissingError,
    errors.TokenInvalidError,
    errors.TokenExpiredError,
    errors.CrossSiteError,
    errors.IssuerUnavailableError,
    agent.StoreUnavailableError,
    agent.RateLimitedError,
)


def status_of(error: Exception) -> int:
    """Look up the HTTP status of an error of either tree."""
    return next(status for kind, status in STATUS if isinstance(error, kind))


def problem(status: int, code: str, title: str, detail: str = "") -> dict[str, Any]:
    """Build a problem document; see `schemas.base.Problem`."""
    return {"type": f"urn:keepsake:{code}", "title": title, "status": status, "code": code, "detail": detail}


def problem_of(error: AgentError | GatewayError) -> dict[str, Any]:
    """Build the problem document of an error."""
    return problem(status_of(error), error.code, error.title, str(error))


def error_response(path: str, body: dict[str, Any], headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Respond with a problem document, or with an error in the format of the interface at a path."""
    headers = {"Cache-Control": "no-store", **(headers or {})}
    if not path.startswith(OPENAI_PREFIX):
        return JSONResponse(body, body["status"], headers, MEDIA_TYPE)
    status, error = openai_error(body)
    return JSONResponse({"error": error}, status, headers)


def openai_error(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Convert a problem document to the status and the error of OpenAI's API."""
    status = 404 if body["code"] == "unknown_model" else OPENAI_STATUS.get(body["status"], body["status"])
    server_error = "server_error" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "invalid_request_error"
    param, separator, _ = body["detail"].partition(": ")
    return status, {
        "message": " ".join(filter(None, [body["title"], body["detail"]])),
        "type": OPENAI_TYPES.get(status, server_error),
        "param": param.removeprefix("body.") if separator and " " not in param else None,
        "code": OPENAI_CODES.get(body["code"], body["code"]),
    }


def problem_responses(*kinds: ErrorType, body: bool = False) -> Responses:
    """Describe error responses for OpenAPI.

    Args:
        kinds: the errors that an operation can raise. Each status lists their codes.
        body: whether the operation reads a request body, which can be malformed, invalid or too large.
    """
    responses: Responses = {}
    for kind in (*((agent.InvalidInputError, BodyTooLargeError) if body else ()), *kinds):
        responses.setdefault(status_of(kind("")), {})[kind.code] = kind("").title
    if body:
        responses[400] = {HTTP_CODES[400]: "The request body is incomplete or not valid JSON."}
    return {status: _describe(titles) for status, titles in sorted(responses.items(), key=str)}


def user_responses(*kinds: ErrorType, body: bool = False) -> Responses:
    """Describe error responses of an operation that needs a user; see `problem_responses`."""
    return problem_responses(*_USER_ERRORS, *kinds, body=body)


def problem_examples() -> dict[str, Any]:
    """An example of each problem by its code, to which `problem_responses` refers."""
    kinds: list[ErrorType] = [AgentError, GatewayError]
    for kind in kinds:  # grows while it is read
        kinds += kind.__subclasses__()
    return {kind.code: {"summary": kind("").title, "value": problem_of(kind("…"))} for kind in kinds}


def _describe(titles: dict[str, str]) -> dict[str, Any]:
    content = {
        "schema": {"$ref": "#/components/schemas/Problem", "properties": {"code": {"enum": list(titles)}}},
        "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in titles},
    }
    description = " ".join(f"`{code}`: {title}" for code, title in titles.items())
    return {"description": description, "content": {MEDIA_TYPE: content}}


def add_problem_handlers(app: FastAPI) -> None:
    """Answer every error with a problem document."""
    for kind in (AgentError, GatewayError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, _handle)


async def _handle(request: Request, error: Exception) -> JSONResponse:
    path = request.url.path
    if isinstance(error, HTTPException):
        code = HTTP_CODES.get(error.status_code, "http")
        return error_response(path, problem(error.status_code, code, str(error.detail)), error.headers)
    if isinstance(error, RequestValidationError):
        # The rejected values are left out: they may be secret, or impossible to encode as JSON.
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        return error_response(path, problem_of(agent.InvalidInputError(faults.encode("utf-8", "replace").decode())))
    if not isinstance(error, AgentError | GatewayError):
        logger.error("Unexpected error", exc_info=error)
        return error_response(path, problem_of(AgentError("")))
    body = problem_of(error)
    if body["status"] >= HTTPStatus.INTERNAL_SERVER_ERROR and not isinstance(
        error, errors.UnsupportedError | agent.UnsupportedError
    ):
        cause = f" ({type(error.__cause__).__name__})" if error.__cause__ else ""
        logger.warning("%s%s", error.code, cause, exc_info=None if isinstance(error, agent.UnavailableError) else error)
    if isinstance(error, TokenError):
        return error_response(path, body, {"WWW-Authenticate": getattr(request.state, CHALLENGE_KEY, "Bearer")})
    seconds = _retry_after_seconds(error)
    return error_response(path, body, None if seconds is None else {"Retry-After": str(max(math.ceil(seconds), 1))})


def _retry_after_seconds(error: AgentError | GatewayError) -> float | None:
    """When to repeat a request that failed with an error; None if waiting does not help."""
    if isinstance(error, agent.LimitExceededError):
        return error.retry_after_seconds
    is_temporary = isinstance(error, agent.ThreadBusyError | agent.ChangedMeanwhileError)
    return RETRY_SECONDS if is_temporary or status_of(error) == HTTPStatus.SERVICE_UNAVAILABLE else None
