"""The configured chat models."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import httpx2
import openai
from langchain_core.language_models import BaseChatModel
from langchain_openai import ChatOpenAI

from agent.errors import ModelUnavailableError, UnknownModelError
from agent.models.offline import OfflineChat
from agent.settings import AgentSettings

# Allows for long reasoning, but not for a slow connection or a stream that stalls.
TIMEOUT = openai.Timeout(120.0, connect=10.0)
MAX_RETRIES = 2


@dataclass(frozen=True, slots=True)
class ChatModels:
    """The chat models by name, the default first, and the model that extracts memories."""

    by_name: Mapping[str, BaseChatModel]
    extraction: BaseChatModel

    def get(self, name: str | None) -> BaseChatModel:
        """The model with this name, the default model for None; raises UnknownModelError."""
        if name is None:
            return next(iter(self.by_name.values()))
        if name not in self.by_name:
            raise UnknownModelError(f"choose one of: {', '.join(self.by_name)}")
        return self.by_name[name]


@contextmanager
def translated_model_errors() -> Iterator[None]:
    """Translate errors of the model client into `ModelUnavailableError`."""
    try:
        yield
    except (openai.OpenAIError, httpx2.HTTPError) as error:
        raise ModelUnavailableError("the model did not answer; your message is kept, try again") from error


def make_chat_models(settings: AgentSettings, http: httpx2.AsyncClient | None) -> ChatModels:
    """Create every model that the settings name.

    The caller closes `http`, the client of all models; if it is None, each model has its own, which is never closed.
    """
    by_name = {name: _make(settings, name, http) for name in settings.models}
    name = settings.fact_extraction_model or settings.models[0]
    return ChatModels(by_name, by_name.get(name) or _make(settings, name, http))


def _make(settings: AgentSettings, name: str, http: httpx2.AsyncClient | None) -> BaseChatModel:
    if settings.offline:
        return OfflineChat()
    responses = settings.openai_base_url is None  # other servers may not implement the Responses API
    return ChatOpenAI(
        model=name,
        api_key=settings.openai_api_key or "none",  # the client requires a key, local servers do not
        base_url=settings.openai_base_url,
        use_responses_api=responses,
        store=False if responses else None,  # by default OpenAI stores answers for 30 days, even of temporary chats
        stream_usage=True,
        timeout=TIMEOUT,
        max_retries=MAX_RETRIES,
        http_async_client=http,
    )
