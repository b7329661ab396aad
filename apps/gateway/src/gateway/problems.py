"""Errors as `application/problem+json` (RFC 9457), and the only table from error to status."""

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

import agent
from agent import AgentError
from gateway.errors import (
    BodyTooLargeError,
    GatewayError,
    InvalidUserNameError,
    IssuerUnavailableError,
    TokenError,
)

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"

# The first line that fits counts; every error of both trees has one, which a test sees to.
STATUS: tuple[tuple[type[Exception], int], ...] = (
    (agent.InvalidInputError, 422),
    (agent.NotFoundError, 404),
    (agent.ConflictError, 409),
    (agent.UnavailableError, 503),
    (agent.SetupError, 500),
    (AgentError, 500),
    (TokenError, 401),
    (IssuerUnavailableError, 503),
    (InvalidUserNameError, 422),
    (BodyTooLargeError, 413),
    (GatewayError, 500),
)

HTTP_CODES = {400: "invalid_request", 404: "not_found", 405: "method_not_allowed"}


def status_of(error: Exception) -> int:
    """Return the status of an error of either tree."""
    return next(status for kind, status in STATUS if isinstance(error, kind))


def problem(status: int, code: str, title: str, detail: str = "") -> dict[str, Any]:
    """Return the problem's members."""
    return {"type": f"urn:keepsake:{code}", "title": title, "status": status, "code": code, "detail": detail}


def problem_of(error: AgentError | GatewayError) -> dict[str, Any]:
    """Return what a client is told of an error."""
    return problem(status_of(error), error.code, error.title, str(error))


def add_problem_handlers(app: FastAPI) -> None:
    """Answer every error with a problem."""
    app.add_exception_handler(AgentError, _known)
    app.add_exception_handler(GatewayError, _known)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


def _respond(body: dict[str, Any], headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse(body, body["status"], headers=headers, media_type=MEDIA_TYPE)


async def _known(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, AgentError | GatewayError)  # noqa: S101 - registered for these two
    body = problem_of(error)
    if body["status"] >= 500:  # noqa: PLR2004 - RFC 9110, section 15.6
        logger.warning("%s", error.code, exc_info=error)
    if isinstance(error, TokenError):
        return _respond(body, {"WWW-Authenticate": "Bearer"})
    return _respond(body, {"Retry-After": "2"} if body["status"] in (409, 503) else None)


async def _invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for it
    # What was sent is not repeated: it may be a secret, and it may be what JSON cannot hold.
    faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
    detail = faults.encode("utf-8", "replace").decode()
    return _respond(problem(422, "invalid_request", "The request cannot be understood.", detail))


async def _http(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for it
    code = HTTP_CODES.get(error.status_code, "http")
    return _respond(problem(error.status_code, code, str(error.detail)), dict(error.headers or {}))


async def _unexpected(_: Request, error: Exception) -> JSONResponse:
    logger.error("unexpected", exc_info=error)
    return _respond(problem(500, "internal", "Something went wrong."))
