"""Detection of failures inside LangMem, which otherwise returns as if there were nothing to remember."""

import asyncio
import contextvars
from collections.abc import Coroutine
from typing import Any

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, LLMResult


class LangMemWatchdog(AsyncCallbackHandler):
    """Runs LangMem, and cancels it at the first model error, which LangMem would retry repeatedly."""

    def __init__(self) -> None:
        self._task: asyncio.Task[object] | None = None
        self._error: BaseException | None = None
        self._has_invalid_output = False

    async def run(self, coroutine: Coroutine[Any, Any, object]) -> BaseException | None:
        """Run the coroutine in an empty context, so that it does not write to the stream or checkpoint of a turn.

        Returns:
            The error, if it failed.
        """
        self._task = asyncio.create_task(coroutine, context=contextvars.Context())
        try:
            await asyncio.wait([self._task])
        finally:
            self._task.cancel()
        raised = None if self._task.cancelled() else self._task.exception()
        if self._error is None and raised is None and self._has_invalid_output:
            return ValueError("a memory does not match its schema")
        return self._error or raised

    async def on_llm_error(self, error: BaseException, **_: Any) -> None:  # noqa: ANN401 - the interface's
        """Cancel the run."""
        self._cancel(error)

    async def on_llm_end(self, response: LLMResult, **_: Any) -> None:  # noqa: ANN401 - the interface's
        """Cancel the run after an incomplete tool call, which langchain ignores."""
        for generation in response.generations[0]:
            message = generation.message if isinstance(generation, ChatGeneration) else None
            if isinstance(message, AIMessage) and message.invalid_tool_calls:
                self._cancel(ValueError("a tool call is not valid JSON"))

    async def on_chain_end(self, outputs: Any, **_: Any) -> None:  # noqa: ANN401 - the interface's
        """Check trustcall's last state for output that does not match its schema, which it drops silently."""
        if isinstance(outputs, dict) and "msg_id" in outputs:
            messages = outputs["messages"]
            self._has_invalid_output = any(
                isinstance(message, ToolMessage) and message.status == "error" for message in messages
            )

    def _cancel(self, error: BaseException) -> None:
        self._error = self._error or error
        if self._task is not None:
            self._task.cancel()
