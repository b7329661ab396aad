"""Bind tools to chat models, once per combination, and remember what the models do not support."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.exceptions import ContextOverflowError
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, SystemMessage
from langchain_core.runnables import RunnableBinding, RunnableConfig
from langchain_core.tools import BaseTool

from agent.errors import InvalidInputError
from agent.models.chat import ChatModels
from agent.models.failures import ModelServerError, may_be_unsupported
from agent.models.offline import OfflineChat
from agent.models.tokens import count_tokens

logger = logging.getLogger(__name__)

AnyTool = BaseTool | dict[str, Any]
"""A local tool, or the schema of a tool that the model's provider runs."""


@dataclass(frozen=True, slots=True)
class BoundModel:
    """A model, the keyword arguments of a call, including its tools, and the tokens that their schemas take."""

    model: BaseChatModel
    call_kwargs: Mapping[str, Any] = field(default_factory=dict)
    schema_tokens: int = 0


@dataclass(frozen=True, slots=True)
class CallOptions:
    """What a client adds to the calls of a model."""

    call_kwargs: Mapping[str, Any] = field(default_factory=dict)
    """Keyword arguments in the names of LangChain's chat models, such as `temperature`."""
    tools: Sequence[Mapping[str, Any]] = ()
    """Schemas in OpenAI's format of functions that the client executes."""
    max_tokens: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the call is as without a client."""
        return not (self.call_kwargs or self.tools or self.max_tokens)


NO_OPTIONS = CallOptions()


class ToolBindings:
    """The chat models, each with the tools of a turn, if it supports tools.

    Bindings are cached, because generating the tools' schemas dominates the time before a model call.

    Raises:
        UnknownModelError: from `bind` and `invoke`, if no model has the name.
    """

    def __init__(self, models: ChatModels) -> None:
        self._models = models
        self._bound: dict[tuple[str, ...], BoundModel] = {}
        self._without_tools: set[str] = set()
        self._one_system_message: set[str] = set()

    def resolve_name(self, name: str | None) -> str:
        """The name itself, or the name of the default model for None."""
        return name if name is not None else next(iter(self._models.by_name))

    def bind(self, name: str, tools: Sequence[AnyTool]) -> BoundModel:
        """Bind the tools to a model, or none of them if it does not support tools."""
        model = self._models.get(name)
        if name in self._without_tools or isinstance(model, OfflineChat):
            tools = ()
        key = (name, *(tool.name if isinstance(tool, BaseTool) else str(tool["type"]) for tool in tools))
        if key not in self._bound:
            self._bound[key] = _bind(model, name, tools, self._models.reply_kwargs)
        return self._bound[key]

    async def invoke(
        self,
        name: str,
        tools: Sequence[AnyTool],
        prompt: Sequence[AnyMessage],
        config: RunnableConfig,
        options: CallOptions = NO_OPTIONS,
    ) -> AIMessage:
        """Call a model. What it rejects, tools or a second system message, is left out or merged from then on.

        Raises:
            InvalidInputError: the client has tools, and the model does not support any.
        """
        bound = self._with_options(name, self.bind(name, tools), options)
        if name in self._one_system_message:
            prompt = merge_system_messages(prompt)
        rejected: list[tuple[str, set[str]]] = []
        while True:
            try:
                answer = await _call(bound, prompt, config)
                break
            except ModelServerError as error:
                if not may_be_unsupported(error):
                    raise
                if "tools" in bound.call_kwargs and "tool" in str(error).casefold():
                    if options.tools:
                        raise InvalidInputError("tools: The model does not support tools") from error
                    bound = self._with_options(name, self.bind(name, ()), options)
                    rejected.append(("tools", self._without_tools))
                elif _has_second_system_message(prompt) and not isinstance(error, ContextOverflowError):
                    prompt = merge_system_messages(prompt)
                    rejected.append(("a second system message", self._one_system_message))
                else:
                    raise
        # Only a successful call proves the reasons.
        for unsupported, names in rejected:
            names.add(name)
            logger.warning("model %s does not support %s; calling it without from now on", name, unsupported)
        return answer

    def _with_options(self, name: str, bound: BoundModel, options: CallOptions) -> BoundModel:
        if options.is_empty:
            return bound
        kwargs = {**bound.call_kwargs, **options.call_kwargs}
        if options.tools:
            kwargs["tools"] = [*bound.call_kwargs.get("tools", ()), *options.tools]
        if options.max_tokens:
            kwargs["max_tokens"] = min(options.max_tokens, kwargs.get("max_tokens", options.max_tokens))
        return BoundModel(self._models.with_all_options.get(name, bound.model), kwargs, bound.schema_tokens)


def merge_system_messages(prompt: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Merge all system messages into one at the start."""
    text = "\n\n".join(message.text for message in prompt if isinstance(message, SystemMessage))
    dialogue: list[AnyMessage] = [message for message in prompt if not isinstance(message, SystemMessage)]
    return [SystemMessage(text), *dialogue] if text else dialogue


def _has_second_system_message(prompt: Sequence[AnyMessage]) -> bool:
    return any(isinstance(message, SystemMessage) for message in prompt[1:])


async def _call(bound: BoundModel, prompt: Sequence[AnyMessage], config: RunnableConfig) -> AIMessage:
    # Not through LangChain's RunnableBinding, which takes half a millisecond to merge the arguments.
    return await bound.model.ainvoke(list(prompt), config, **bound.call_kwargs)


def _bind(model: BaseChatModel, name: str, tools: Sequence[AnyTool], kwargs: Mapping[str, Any]) -> BoundModel:
    if not tools:
        return BoundModel(model, kwargs)
    bound = model.bind_tools(tools)
    call_kwargs = {**kwargs, **(bound.kwargs if isinstance(bound, RunnableBinding) else {})}
    return BoundModel(model, call_kwargs, count_tokens(json.dumps(call_kwargs.get("tools", [])), model=name))
