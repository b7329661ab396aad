"""The model that answers when there is no key: it looks up what the user told it, and says so."""

from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult


class OfflineChat(BaseChatModel):
    """Answers from memory and thread, without a language model."""

    @property
    def _llm_type(self) -> str:
        return "keepsake-offline"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002  the interface's
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002  the interface's
        **kwargs: Any,  # noqa: ANN401, ARG002  the interface's
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(f"Noted: {messages[-1].text}"))])
