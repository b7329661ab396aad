"""Chat models with tools, bound once each; and which of them turned out to take none."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import openai
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage
from langchain_core.runnables import RunnableBinding, RunnableConfig
from langchain_core.tools import BaseTool

from agent.models.chat import ChatModels
from agent.models.offline import OfflineChat
from agent.models.tokens import count_tokens

logger = logging.getLogger(__name__)

# What servers answer when a model, or they themselves, have no use for tools: Ollama and vLLM 400, OpenRouter 404,
# llama.cpp 500.
REFUSALS = (
    openai.BadRequestError,
    openai.NotFoundError,
    openai.UnprocessableEntityError,
    openai.InternalServerError,
)

AnyTool = BaseTool | dict[str, Any]
"""One of ours, or one that the model's provider runs."""


@dataclass(frozen=True, slots=True)
class BoundModel:
    """A model, what it is to be called with for its tools, and how many tokens these add to each prompt."""

    model: BaseChatModel
    tools: Mapping[str, Any] = field(default_factory=dict)
    tokens: int = 0


class ToolBindings:
    """The chat models, each with the tools that a turn offers, as far as it takes any.

    Binding makes the tools' schemas, which takes longer than all else before a call; so it is done once.
    """

    def __init__(self, models: ChatModels) -> None:
        self._models = models
        self._bound: dict[tuple[str, ...], BoundModel] = {}
        self._without: set[str] = set()

    def name(self, asked: str | None) -> str:
        """Return the name of the model that is asked for, the default's for None."""
        return asked if asked is not None else next(iter(self._models.by_name))

    def get(self, name: str, tools: Sequence[AnyTool]) -> BoundModel:
        """Return a model with those of the tools that it takes: all or none.

        Raises:
            UnknownModelError: there is no such model.
        """
        tools = tools if self._takes_tools(name) else ()
        key = (name, *map(_name_of, tools))
        if key not in self._bound:
            self._bound[key] = self._bind(name, tools)
        return self._bound[key]

    async def ask(
        self, name: str, tools: Sequence[AnyTool], prompt: Sequence[AnyMessage], config: RunnableConfig
    ) -> AIMessage:
        """Ask a model; one that refuses because of the tools is asked without, from then on.

        Raises:
            openai.OpenAIError: it did not answer.
        """
        bound = self.get(name, tools)
        try:
            # Not through LangChain's binding, which takes half a millisecond to put these two together.
            return await bound.model.ainvoke(list(prompt), config, **bound.tools)
        except REFUSALS as error:
            if not bound.tools or "tool" not in str(error).casefold():
                raise
        answer = await self.get(name, ()).model.ainvoke(list(prompt), config)
        # Only now it is certain that the tools were the reason.
        self._without.add(name)
        logger.warning("the model %s takes no tools, and gets none any more", name)
        return answer

    def _takes_tools(self, name: str) -> bool:
        return name not in self._without and not isinstance(self._models.get(name), OfflineChat)

    def _bind(self, name: str, tools: Sequence[AnyTool]) -> BoundModel:
        model = self._models.get(name)
        if not tools:
            return BoundModel(model)
        bound = model.bind_tools(tools)
        given = bound.kwargs if isinstance(bound, RunnableBinding) else {}
        return BoundModel(model, given, count_tokens(json.dumps(given.get("tools", [])), model=name))


def _name_of(tool: AnyTool) -> str:
    return tool.name if isinstance(tool, BaseTool) else str(tool["type"])
