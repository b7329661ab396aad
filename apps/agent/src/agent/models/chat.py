"""The configured chat models."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
from langchain_core.language_models import BaseChatModel

from agent.errors import UnknownModelError
from agent.models.failures import CALL_ERRORS, IncompleteAnswerError, classify, describe, is_rejection
from agent.models.offline import OfflineChat
from agent.settings import AgentSettings

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ChatModels:
    """The chat models by name, the default first, and the model that extracts memories."""

    by_name: Mapping[str, BaseChatModel]
    extraction: BaseChatModel
    reply_kwargs: Mapping[str, Any] = field(default_factory=dict)
    """Keyword arguments of the calls that generate replies."""
    with_all_options: Mapping[str, BaseChatModel] = field(default_factory=dict)
    """The models by name over the chat completions API, which has all options of its clients; the responses API has
    not. A model that uses no other API is missing."""

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
    except (*CALL_ERRORS, IncompleteAnswerError) as error:
        failure = classify(error)
        if is_rejection(error):
            logger.warning("the model rejected a request (%s)", describe(error))
        raise failure from None


def make_chat_models(settings: AgentSettings, http: httpx2.AsyncClient | None) -> ChatModels:
    """Create every model that the settings name.

    The caller closes `http`, the client of all models; if it is None, each model has its own, which is never closed.
    """
    if settings.offline:
        offline = OfflineChat()
        return ChatModels(dict.fromkeys(settings.models, offline), offline)
    # A second, which a process without a model server does not need.
    from agent.models.openai_chat import make_openai_chat  # noqa: PLC0415

    by_name = {name: make_openai_chat(settings, name, http) for name in settings.models}
    name = settings.fact_extraction_model or settings.models[0]
    extraction = by_name.get(name) or make_openai_chat(settings, name, http)
    limit = {"max_tokens": settings.answer_max_tokens} if settings.answer_max_tokens else {}
    with_all_options = {
        name: model.model_copy(update={"use_responses_api": False})
        for name, model in by_name.items()
        if model.use_responses_api
    }
    return ChatModels(by_name, extraction, {"stream": True, **limit}, with_all_options)
