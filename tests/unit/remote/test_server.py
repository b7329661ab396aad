"""Requests to a LangGraph server, and its errors."""

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from agent.doctor.agent_server import agent_server
from agent.errors import (
    AgentError,
    InvalidInputError,
    ModelRateLimitedError,
    RunInterruptedError,
    StoreUnavailableError,
)
from agent.remote.server import error_of_run, open_agent_server
from agent.remote.store import RemoteStore
from agent.settings import AgentSettings
from support.asgi_server import AsgiServer

NAMESPACE = ("users", "ada")


class Server(AsgiServer):
    """Answers requests for items with a status, and records their keys."""

    def __init__(self, status: int) -> None:
        self.api_keys: list[str | None] = []
        self._status = status
        paths = ("/store/items", "/assistants/search")
        super().__init__(
            Starlette(routes=[Route(path, self._answer, methods=["GET", "PUT", "POST"]) for path in paths])
        )

    async def _answer(self, request: Request) -> Response:
        self.api_keys.append(request.headers.get("x-api-key"))
        return JSONResponse(None if self._status == 200 else {"detail": "secret"}, self._status)

    def settings(self, **values: str) -> AgentSettings:
        return AgentSettings(_env_file=None, agent_url=self.url, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize("key", ["lsv2_secret", ""])
async def test_requests_carry_the_api_key(key: str) -> None:
    with Server(200) as server:
        async with open_agent_server(server.settings(agent_api_key=key)) as client:
            assert await RemoteStore(client).aget(NAMESPACE, "unknown") is None
    assert server.api_keys == [key or None]


@pytest.mark.parametrize(
    ("status", "error"), [(422, InvalidInputError), (401, StoreUnavailableError), (500, StoreUnavailableError)]
)
async def test_errors_of_the_store_are_translated_without_their_texts(status: int, error: type[AgentError]) -> None:
    with Server(status) as server:
        async with open_agent_server(server.settings()) as client:
            with pytest.raises(error) as raised:
                await RemoteStore(client).aput(NAMESPACE, "key", {"text": "Oslo"})
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("status", "advice"), [(200, "no graph `chat`"), (403, "correct KEEPSAKE_AGENT_API_KEY"), (500, "status 500")]
)
async def test_the_doctor_says_what_is_wrong_with_the_server(status: int, advice: str) -> None:
    with Server(status) as server:
        [finding] = await agent_server(server.settings())
    assert finding.level == "problem"
    assert advice in finding.message


async def test_the_doctor_reports_a_server_that_does_not_answer() -> None:
    [finding] = await agent_server(AgentSettings(_env_file=None, agent_url="http://127.0.0.1:9"))
    assert "does not answer: start it, or correct KEEPSAKE_AGENT_URL" in finding.message


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ModelRateLimitedError", ModelRateLimitedError),
        ("UserInterrupt", RunInterruptedError),
        ("ValueError", AgentError),
        ("AgentError", AgentError),
    ],
)
def test_the_error_of_a_run_has_the_class_that_the_server_names(name: str, kind: type[AgentError]) -> None:
    assert type(error_of_run(name)) is kind


async def test_without_a_server_the_store_is_unavailable() -> None:
    settings = AgentSettings(_env_file=None, agent_url="http://127.0.0.1:9")
    async with open_agent_server(settings) as client:
        with pytest.raises(StoreUnavailableError):
            await RemoteStore(client).asearch(NAMESPACE)
