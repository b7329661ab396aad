"""Log lines and request ids: each line has the request and the user, and no content."""

import asyncio
import json
import logging
import uuid

import pytest

from agent import AgentError, StoreUnavailableError, bind_request, bind_user
from agent.log_format import JsonFormatter, RepeatFilter, TextFormatter
from agent.types import UserId
from support.client import ApiClient, Json

SECRET = "zucchini"


async def test_a_request_id_is_returned(ada: ApiClient) -> None:
    given = await ada.http.get("/me", headers={"X-Request-ID": "a1.B2_c3-d4"})
    assert given.headers.get_list("x-request-id") == ["a1.B2_c3-d4"]
    new = [(await ada.http.get("/healthz")).headers["x-request-id"] for _ in range(2)]
    assert new[0] != new[1]
    assert all(uuid.UUID(one) for one in new)


@pytest.mark.parametrize("forged", ["x" * 65, 'a" level="INFO', "a b", "ä", ""])
async def test_an_invalid_request_id_is_replaced(ada: ApiClient, forged: str) -> None:
    response = await ada.http.get("/healthz", headers={b"X-Request-ID": forged.encode()})
    assert uuid.UUID(response.headers["x-request-id"])


async def test_problems_and_streams_have_a_request_id(ada: ApiClient) -> None:
    assert "x-request-id" in (await ada.http.get("/no-such-page")).headers
    assert "x-request-id" in (await ada.http.get("/me", headers={"Authorization": "Bearer x"})).headers
    async with ada.http.stream("POST", f"/threads/{uuid.uuid4()}/messages", json={"text": "Hello."}) as response:
        assert "x-request-id" in response.headers
        await response.aread()


def _record(message: str = "the reading failed", error: Exception | None = None) -> logging.LogRecord:
    information = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord("agent.test", logging.WARNING, __file__, 1, message, (), information)


def _raised(error: Exception, cause: Exception | None = None) -> Exception:
    try:
        raise error from cause
    except type(error) as caught:
        return caught


def _json_line(record: logging.LogRecord) -> Json:
    return dict(json.loads(JsonFormatter().format(record)))


def test_errors_of_libraries_are_described_without_their_messages() -> None:
    error = _raised(StoreUnavailableError("the database did not answer"), _raised(ValueError(SECRET)))
    line = _json_line(_record(error=error))
    assert line["error"] == "StoreUnavailableError: the database did not answer < ValueError"
    unexpected = _json_line(_record(error=_raised(KeyError(SECRET))))
    assert unexpected["error"] == "KeyError"
    assert unexpected["frames"][0].endswith(" _raised")
    assert SECRET not in json.dumps([line, unexpected])


def test_groups_of_errors_are_described_by_their_first() -> None:
    group = _raised(ExceptionGroup(SECRET, [OSError(111, "Connection refused")]))
    assert (
        _json_line(_record(error=group))["error"]
        == "ExceptionGroup < ConnectionRefusedError: [Errno 111] Connection refused"
    )


def test_a_line_break_in_a_message_stays_in_the_line() -> None:
    assert "\n" not in TextFormatter().format(_record("first\nWARNING forged: line", _raised(AgentError("a\r\nb"))))


async def test_tasks_inherit_the_request_and_the_user() -> None:
    bind_request("request-1")
    bind_user(UserId("a2b3"))

    async def log() -> Json:
        return _json_line(_record())

    line = await asyncio.create_task(log())
    assert (line["request_id"], line["user"]) == ("request-1", "a2b3")
    bind_request("request-2")
    assert "user" not in await asyncio.create_task(log())


def test_a_repeated_warning_is_suppressed_and_others_are_not() -> None:
    repeats = RepeatFilter()
    assert repeats.filter(_record())
    assert not repeats.filter(_record())
    assert repeats.filter(_record("another"))
    assert repeats.filter(_record(error=_raised(KeyError())))
    assert repeats.filter(_record(error=_raised(ValueError())))
    assert not repeats.filter(_record(error=_raised(KeyError())))
