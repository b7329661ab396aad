"""The ear: hears a model speak, the moment it does.

LangGraph's `stream_mode="messages"` says the same, but by way of a queue: each token some turns of the event loop and
a tenth of a millisecond later, which is what a busy gateway is short of.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, TypeVar
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, GenerationChunk, LLMResult
from langgraph.constants import TAG_NOSTREAM

T = TypeVar("T")

OnMessage = Callable[[BaseMessage, int], None]
"""Takes a piece of what the model says, and in which step of the graph."""


class TokenCallback(BaseCallbackHandler):
    """Hears the models of one node; a model that is listened to like this streams."""

    run_inline = True

    def __init__(self, node: str, on_message: OnMessage) -> None:
        self._node = node
        self._on_message = on_message
        self._steps: dict[UUID, int] = {}
        self._without_tokens: set[UUID] = set()

    def on_chat_model_start(
        self,
        serialized: dict[str, Any],  # noqa: ARG002 - the interface's
        messages: list[list[BaseMessage]],  # noqa: ARG002 - the interface's
        *,
        run_id: UUID,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,  # noqa: ANN401, ARG002 - the interface's
    ) -> None:
        """Listen, if it is one of the node's and speaks to the user."""
        if metadata and metadata.get("langgraph_node") == self._node and TAG_NOSTREAM not in (tags or ()):
            self._steps[run_id] = metadata["langgraph_step"]
            self._without_tokens.add(run_id)

    def on_llm_new_token(
        self,
        token: str | list[str | dict[str, Any]],  # noqa: ARG002 - the interface's
        *,
        chunk: GenerationChunk | ChatGenerationChunk | None = None,
        run_id: UUID,
        **kwargs: Any,  # noqa: ANN401, ARG002 - the interface's
    ) -> None:
        """Pass on what it says."""
        if run_id in self._steps and isinstance(chunk, ChatGenerationChunk):
            self._without_tokens.discard(run_id)
            self._on_message(chunk.message, self._steps[run_id])

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:  # noqa: ANN401, ARG002 - the interface's
        """Pass on what a model says that says everything at once."""
        step = self._steps.pop(run_id, None)
        if step is not None and run_id in self._without_tokens:
            generation = response.generations[0][0]
            if isinstance(generation, ChatGeneration):
                self._on_message(generation.message, step)

    def tap_output_aiter(self, run_id: UUID, output: AsyncIterator[T]) -> AsyncIterator[T]:  # noqa: ARG002 - the interface's
        """Return the output as it is. Whoever has this method is streamed to."""
        return output

    def tap_output_iter(self, run_id: UUID, output: Iterator[T]) -> Iterator[T]:  # noqa: ARG002 - the interface's
        """Return the output as it is."""
        return output
