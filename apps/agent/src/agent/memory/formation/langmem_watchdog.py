"""What goes wrong inside LangMem, which by itself goes on as if there were nothing to remember."""

import asyncio
import contextvars
from collections.abc import Coroutine
from typing import Any

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, LLMResult


class LangMemWatchdog(AsyncCallbackHandler):
    """Waits for LangMem, and stops it where the model fails: it would ask again and again."""

    def __init__(self) -> None:
        self._running: asyncio.Task[object] | None = None
        self._failure: BaseException | None = None
        self._left_out = False

    async def over(self, work: Coroutine[Any, Any, object]) -> BaseException | None:
        """Do the work in a context of its own, and return what went wrong.

        So nothing of it gets into the stream or the checkpoint of a turn that waits for it.
        """
        self._running = asyncio.create_task(work, context=contextvars.Context())
        try:
            await asyncio.wait([self._running])
        finally:
            self._running.cancel()
        raised = None if self._running.cancelled() else self._running.exception()
        if self._failure is None and raised is None and self._left_out:
            return ValueError("a memory does not fit its schema")
        return self._failure or raised

    async def on_llm_error(self, error: BaseException, **_: Any) -> None:  # noqa: ANN401 - the interface's
        """Stop: the model did not answer."""
        self._stop(error)

    async def on_llm_end(self, response: LLMResult, **_: Any) -> None:  # noqa: ANN401 - the interface's
        """Stop at half a JSON, which langchain sets aside."""
        for generation in response.generations[0]:
            message = generation.message if isinstance(generation, ChatGeneration) else None
            if isinstance(message, AIMessage) and message.invalid_tool_calls:
                self._stop(ValueError("a tool call is no JSON"))

    async def on_chain_end(self, outputs: Any, **_: Any) -> None:  # noqa: ANN401 - the interface's
        """Note whether trustcall's last state still has what does not fit its schema, which it leaves out."""
        if isinstance(outputs, dict) and "msg_id" in outputs:
            messages = outputs["messages"]
            self._left_out = any(isinstance(one, ToolMessage) and one.status == "error" for one in messages)

    def _stop(self, failure: BaseException) -> None:
        self._failure = self._failure or failure
        if self._running is not None:
            self._running.cancel()
