"""Checks of the models: one small request each."""

import asyncio
from collections.abc import Awaitable, Mapping
from http import HTTPStatus
from urllib.parse import urlsplit

import httpx2

from agent.doctor.finding import Finding, ok, problem
from agent.errors import AgentError, SetupError
from agent.models.chat import make_chat_models
from agent.models.embedder_factory import make_embeddings
from agent.models.failures import ModelServerError, ServerTimeoutError, ServerUnreachableError, name_of
from agent.settings import MINILM, AgentSettings

REQUEST_SECONDS = 15.0
OPENAI_URL = "https://api.openai.com/v1"

_ADVICE: Mapping[int, str] = {
    HTTPStatus.UNAUTHORIZED: "it rejects the key: check OPENAI_API_KEY",
    HTTPStatus.FORBIDDEN: "it rejects the key: check OPENAI_API_KEY",
    HTTPStatus.NOT_FOUND: "it does not provide this model: check the model's name and OPENAI_BASE_URL",
    HTTPStatus.TOO_MANY_REQUESTS: "its rate limit is exceeded: check the account's limits",
}


async def chat(settings: AgentSettings, http: httpx2.AsyncClient) -> list[Finding]:
    """Check the default chat model and, if it is a different one, the extraction model."""
    if settings.offline:
        return [ok("the offline model, in this process")]
    models = make_chat_models(settings, http)
    configured = {settings.models[0]: models.get(None)}
    if settings.enable_fact_extraction and not settings.uses_rules:
        configured[settings.fact_extraction_model or settings.models[0]] = models.extraction
    return [
        await _check_model(f"{name} at {_address(settings)}", model.ainvoke("Say: ok"))
        for name, model in configured.items()
    ]


async def embeddings(settings: AgentSettings, http: httpx2.AsyncClient) -> list[Finding]:
    """Check the embedding model and its dimensions."""
    in_process = "MiniLM" if settings.embedder == MINILM else settings.local_model
    name = f"{in_process}, in this process" if in_process else f"{settings.embedder} at {_address(settings)}"
    try:
        model = make_embeddings(settings, http)
    except SetupError as error:
        return [problem(f"{name}: {error}")]
    return [await _check_model(name, model.aembed_query("ok"), dims=settings.dims)]


async def _check_model(name: str, call: Awaitable[object], *, dims: int | None = None) -> Finding:
    try:
        async with asyncio.timeout(REQUEST_SECONDS):
            result = await call
    except (ModelServerError, AgentError, TimeoutError) as error:
        return problem(f"{name}: {_advice(error)}")
    if dims is not None and isinstance(result, list) and len(result) != dims:
        return problem(f"{name}: its vectors have {len(result)} dimensions: set KEEPSAKE_EMBEDDING_DIMS={len(result)}")
    return ok(name)


def _advice(error: BaseException) -> str:
    cause = error.__cause__ if isinstance(error, AgentError) and error.__cause__ else error
    if isinstance(cause, ServerTimeoutError | TimeoutError):
        return "it does not answer: check that it runs"
    if isinstance(cause, ServerUnreachableError):
        return "it cannot be reached: check OPENAI_BASE_URL"
    if isinstance(cause, ModelServerError) and cause.status_code:
        return _ADVICE.get(cause.status_code, "it answers with an error: check its log")
    return name_of(cause)


def _address(settings: AgentSettings) -> str:
    url = urlsplit(settings.openai_base_url or OPENAI_URL)
    return url._replace(netloc=url.netloc.rpartition("@")[2], query="", fragment="").geturl()
