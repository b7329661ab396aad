"""The configured chat models."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import openai
from langchain_core.language_models import BaseChatModel

from agent.errors import UnknownModelError
from agent.models.failures import CALL_ERRORS, classify, describe, is_rejection
from agent.models.offline import OfflineChat
from agent.models.openai_chat import OpenAIChat
from agent.settings import AgentSettings

logger = logging.getLogger(__name__)

# `OpenAIChat` has deadlines for streams, and the callers of other calls have their own.
TIMEOUT = openai.Timeout(600.0, connect=10.0)

MAX_ANSWER_TOKENS = 32_000
"""Without a setting; the model's server is not told, because it may reject more than fits its context."""


@dataclass(frozen=True, slots=True)
class ChatModels:
    """The chat models by name, the default first, and the model that extracts memories."""

    by_name: Mapping[str, BaseChatModel]
    extraction: BaseChatModel
    reply_kwargs: Mapping[str, Any] = field(default_factory=dict)
    """Keyword arguments of the calls that generate replies."""

    def get(self, name: str | None) -> BaseChatModel:
        """The model with this name, the default model for None; raises UnknownModelError."""
        if name is None:
            return next(iter(self.by_name.values()))
        if name not in self.by_name:
            raise UnknownModelError(f"choose one of: {', '.join(self.by_name)}")
        return self.by_name[name]


@contextmanager
def translated_model_errors() -> Iterator[None]:
    """Translate errors of the model client into the class of their cause, without the texts of the server."""
    try:
        yield
    except (*CALL_ERRORS, openai.OpenAIError) as error:
        failure = classify(error)
        if is_rejection(error):
            logger.warning("the model rejected a request (%s)", describe(error))
        raise failure from None


def make_chat_models(settings: AgentSettings, http: httpx2.AsyncClient | None) -> ChatModels:
    """Create every model that the settings name.

    The caller closes `http`, the client of all models; if it is None, each model has its own, which is never closed.
    """
    by_name = {name: _make(settings, name, http) for name in settings.models}
    name = settings.fact_extraction_model or settings.models[0]
    limit = {"max_tokens": settings.answer_max_tokens} if settings.answer_max_tokens else {}
    reply_kwargs = {} if settings.offline else {"stream": True, **limit}
    return ChatModels(by_name, by_name.get(name) or _make(settings, name, http), reply_kwargs)


def _make(settings: AgentSettings, name: str, http: httpx2.AsyncClient | None) -> BaseChatModel:
    if settings.offline:
        return OfflineChat()
    responses = settings.openai_base_url is None  # other servers may not implement the Responses API
    return OpenAIChat(
        model=name,
        api_key=settings.openai_api_key or "none",  # the client requires a key, local servers do not
        base_url=settings.openai_base_url,
        use_responses_api=responses,
        store=False if responses else None,  # by default OpenAI stores answers for 30 days, even of temporary chats
        stream_usage=True,
        timeout=TIMEOUT,
        max_retries=0,  # `OpenAIChat` repeats calls
        stream_chunk_timeout=None,  # it uses `asyncio.wait_for`, which can swallow cancellations before Python 3.12
        http_async_client=http or openai.DefaultAsyncHttpxClient(follow_redirects=False),
        first_token_seconds=settings.first_token_seconds,
        token_seconds=settings.token_seconds,
        max_answer_tokens=settings.answer_max_tokens or MAX_ANSWER_TOKENS,
        legacy_limit=not responses,
    )
