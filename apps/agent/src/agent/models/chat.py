"""The chat models a user can choose from, made once."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType

import httpx2
import openai
from langchain_core.language_models import BaseChatModel
from langchain_openai import ChatOpenAI

from agent.errors import ModelUnavailableError, UnknownModelError
from agent.models.offline import OfflineChat
from agent.settings import AgentSettings

# A model may think for long; a connection may not take long, and a stream may not fall silent for ever.
TIMEOUT = openai.Timeout(120.0, connect=10.0)
MAX_RETRIES = 2


@dataclass(frozen=True, slots=True)
class ChatModels:
    """The chat models by name, the default first, and the one that extracts."""

    by_name: Mapping[str, BaseChatModel]
    extraction: BaseChatModel

    def get(self, name: str | None) -> BaseChatModel:
        """Return the model of that name, the default for None.

        Raises:
            UnknownModelError: it is none of those configured.
        """
        if name is None:
            return next(iter(self.by_name.values()))
        if name not in self.by_name:
            raise UnknownModelError(f"choose one of: {', '.join(self.by_name)}")
        return self.by_name[name]


@contextmanager
def translated_model_errors() -> Iterator[None]:
    """Turn whatever says that a model is away, busy or unwilling into a `ModelUnavailableError`."""
    try:
        yield
    except (openai.OpenAIError, httpx2.HTTPError) as error:
        raise ModelUnavailableError("the model did not answer; your message is kept, try again") from error


def make_chat_models(settings: AgentSettings, http: httpx2.AsyncClient | None) -> ChatModels:
    """Make every model that the settings name.

    Args:
        settings: which, where, and with what key.
        http: the client that they share, closed by whoever opened it; None lets each have its own for ever.
    """
    by_name = {name: _make(settings, name, http) for name in settings.models}
    name = settings.fact_extraction_model or settings.models[0]
    return ChatModels(MappingProxyType(by_name), by_name.get(name) or _make(settings, name, http))


def _make(settings: AgentSettings, name: str, http: httpx2.AsyncClient | None) -> BaseChatModel:
    if settings.offline:
        return OfflineChat()
    responses = settings.openai_base_url is None  # only OpenAI itself has that interface for certain
    return ChatOpenAI(
        model=name,
        api_key=settings.openai_api_key or "none",  # servers of one's own want no key, the client does
        base_url=settings.openai_base_url,
        use_responses_api=responses,
        store=False if responses else None,  # it would keep every answer for a month, also a temporary chat's
        stream_usage=True,
        timeout=TIMEOUT,
        max_retries=MAX_RETRIES,
        http_async_client=http,
    )
