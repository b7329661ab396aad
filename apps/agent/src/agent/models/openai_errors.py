"""Translation of the errors of OpenAI's client."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import openai
from langchain_core.exceptions import ContextOverflowError
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import RunnableConfig

from agent.models.failures import (
    IncompleteAnswerError,
    ModelServerError,
    PromptTooLongError,
    ServerTimeoutError,
    ServerUnreachableError,
)

_KINDS: tuple[tuple[type[Exception], type[ModelServerError]], ...] = (
    (ContextOverflowError, PromptTooLongError),
    (openai.APITimeoutError, ServerTimeoutError),
    (openai.APIConnectionError, ServerUnreachableError),
)


@contextmanager
def translated_openai_errors() -> Iterator[None]:
    """Translate the errors of OpenAI's client, and of LangChain's classes for it, into those of `failures`."""
    try:
        yield
    except openai.LengthFinishReasonError as error:
        raise IncompleteAnswerError(error.completion.choices[0].message.content or "") from error
    except openai.ContentFilterFinishReasonError as error:
        raise IncompleteAnswerError("") from error
    except openai.APIError as error:
        raise _translate(error) from error


@dataclass(frozen=True, eq=False)
class TranslatedModel:
    """A chat model that a developer has created, with translated errors if it uses OpenAI's client."""

    model: BaseChatModel

    @property
    def model_name(self) -> str:
        """The name for the log."""
        return str(getattr(self.model, "model_name", type(self.model).__name__))

    async def ainvoke(
        self,
        input: list[BaseMessage],  # noqa: A002 - LangChain's name
        config: RunnableConfig | None = None,
        **kwargs: Any,  # noqa: ANN401 - as in LangChain
    ) -> AIMessage:
        """Call the model."""
        with translated_openai_errors():
            return await self.model.ainvoke(input, config, **kwargs)


def _translate(error: openai.APIError) -> ModelServerError:
    kind = next((kind for client_kind, kind in _KINDS if isinstance(error, client_kind)), ModelServerError)
    if isinstance(error, openai.APIStatusError):
        return kind(str(error), status_code=error.status_code, headers=error.response.headers)
    return kind(str(error))
