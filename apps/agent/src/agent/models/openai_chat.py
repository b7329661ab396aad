"""A model of an OpenAI-compatible server, whose answers arrive in time and complete, or fail."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Self, cast

import httpx2
from langchain_core.messages import AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langchain_openai import ChatOpenAI
from openai import DefaultAsyncHttpxClient
from pydantic import PrivateAttr, model_validator

from agent.errors import AnswerCutOffError, ModelUnavailableError
from agent.models.answer_metadata import CITATIONS, finish_reason
from agent.models.failures import CALL_ERRORS, ModelServerError, OutageLog, is_rejection
from agent.models.openai_errors import translated_openai_errors
from agent.models.plain_completions import PlainCompletions
from agent.settings import CHARS_PER_TOKEN, AgentSettings
from agent.types import FinishReason

RETRY_SECONDS = 0.5
MAX_RETRY_SECONDS = 5.0
"""If a server asks for a longer pause, the call fails at once."""

_RETRIED_STATUS = (408, 409, 429)
_INTERNAL_SERVER_ERROR = 500

# `OpenAIChat` has deadlines for streams, and the callers of other calls have their own.
TIMEOUT = httpx2.Timeout(600.0, connect=10.0)

MAX_ANSWER_TOKENS = 32_000
"""Maximum length without a setting; the server is not told, because it may reject more than fits its context."""

Chunks = AsyncGenerator[ChatGenerationChunk, None]


class OpenAIChat(ChatOpenAI):
    """A chat model with deadlines, one retry, and a check that each stream is complete.

    A call is repeated once, if it may succeed then and has produced no output yet.

    Raises:
        ModelServerError: the server cannot be reached, or answers with an error.
        IncompleteAnswerError: from a call that is not streamed, if its answer with a response format was cut off.
        ModelUnavailableError: from a streamed call, if no output arrived in time.
        AnswerCutOffError: from a streamed call, if the stream ended early.
    """

    first_token_seconds: float
    """Deadline for the first output of a streamed call, and again for that of its repetition."""
    token_seconds: float
    """Deadline between two chunks of the output."""
    max_answer_tokens: int
    """Approximate length at which a stream is ended with the finish reason `length`."""
    legacy_limit: bool
    """Send a length limit as `max_tokens`, which every server knows, instead of OpenAI's newer parameter."""

    _outages: OutageLog = PrivateAttr()

    def model_post_init(self, context: object, /) -> None:
        """Create the log of outages."""
        super().model_post_init(context)
        self._outages = OutageLog(self.model_name)

    @model_validator(mode="after")
    def use_plain_completions(self) -> Self:
        """Replace the client of the chat completions API by one whose streams are cheaper."""
        self.async_client = PlainCompletions(self.root_async_client)
        return self

    def _get_request_payload(self, *args: Any, **kwargs: Any) -> dict[str, Any]:  # noqa: ANN401 - as inherited
        payload: dict[str, Any] = super()._get_request_payload(*args, **kwargs)
        if self.legacy_limit and "max_completion_tokens" in payload:
            payload["max_tokens"] = payload.pop("max_completion_tokens")
        return payload

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        """Keep the citations of a chunk of the chat completions API, which langchain-openai drops."""
        converted = super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)
        if converted is not None and (citations := _citations(chunk)):
            converted.message.additional_kwargs[CITATIONS] = citations
        return converted

    async def _agenerate(self, *args: Any, **kwargs: Any) -> ChatResult:  # noqa: ANN401 - as inherited
        for is_repeated in (False, True):
            try:
                with translated_openai_errors():
                    result = await super()._agenerate(*args, **kwargs)
            except CALL_ERRORS as error:
                if is_repeated or not await _may_repeat(error):
                    self._outages.record_failure(error)
                    raise
            else:
                break
        self._outages.record_success()
        return result

    async def _astream(self, *args: Any, **kwargs: Any) -> Chunks:  # noqa: ANN401 - as inherited
        for is_repeated in (False, True):
            has_output = False
            try:
                with translated_openai_errors():
                    async with aclosing(self._stream_once(*args, **kwargs)) as chunks:
                        async for chunk in chunks:
                            has_output = True
                            yield chunk
                break
            except CALL_ERRORS as error:
                if not (has_output or is_repeated) and await _may_repeat(error):
                    continue
                self._outages.record_failure(error)
                raise
        self._outages.record_success()

    async def _stream_once(self, *args: Any, **kwargs: Any) -> Chunks:  # noqa: ANN401 - as inherited
        """Stream a call up to its finish reason, or up to the maximum length."""
        finish: FinishReason | None = None
        tokens = 0
        async with aclosing(self._output(cast("Chunks", super()._astream(*args, **kwargs)))) as chunks:
            async for chunk in chunks:
                metadata = {**chunk.message.response_metadata, **(chunk.generation_info or {})}
                finish = finish_reason(metadata) or finish
                tokens += max(1, len(chunk.text) // CHARS_PER_TOKEN)
                yield chunk
                if tokens >= self.max_answer_tokens and finish is None:
                    finish = "length"
                    yield ChatGenerationChunk(
                        message=AIMessageChunk(content=""), generation_info={"finish_reason": finish}
                    )
                    break
        if finish is None:
            raise AnswerCutOffError("the model's server ended the answer early; try again")

    async def _output(self, chunks: Chunks) -> Chunks:
        """Yield the chunks within their deadlines.

        Servers send opening chunks, which are empty, before they compute. These are yielded with the first output.
        """
        deadline = asyncio.get_running_loop().time() + self.first_token_seconds
        opening: list[ChatGenerationChunk] = []
        has_output = False
        async with aclosing(chunks):
            while True:
                try:
                    async with asyncio.timeout_at(deadline):
                        chunk = await anext(chunks, None)
                except TimeoutError:
                    raise ModelUnavailableError("the model sent nothing for too long; try again") from None
                except ValueError:  # langchain-openai's translation of an error event
                    raise ModelUnavailableError("the model's server reported an error; try again") from None
                if chunk is None:
                    return
                if not has_output and _is_opening(chunk, opening):
                    opening.append(chunk)
                    continue
                for held in opening:
                    yield held
                yield chunk
                opening, has_output = [], True
                deadline = asyncio.get_running_loop().time() + self.token_seconds


def make_openai_chat(settings: AgentSettings, name: str, http: httpx2.AsyncClient | None) -> OpenAIChat:
    """Create a model; `http` is as in `make_chat_models`."""
    responses = settings.openai_base_url is None  # other servers may not implement the Responses API
    return OpenAIChat(
        model=name,
        api_key=settings.openai_api_key or "none",  # the client requires a key, local servers do not
        base_url=settings.openai_base_url,
        use_responses_api=responses,
        store=False if responses else None,  # by default OpenAI stores answers for 30 days, even of temporary chats
        stream_usage=True,
        timeout=TIMEOUT,
        max_retries=0,  # `OpenAIChat` repeats calls
        stream_chunk_timeout=None,  # it uses `asyncio.wait_for`, which can swallow cancellations before Python 3.12
        http_async_client=http or DefaultAsyncHttpxClient(follow_redirects=False),
        first_token_seconds=settings.first_token_seconds,
        token_seconds=settings.token_seconds,
        max_answer_tokens=settings.answer_max_tokens or MAX_ANSWER_TOKENS,
        legacy_limit=not responses,
    )


def _citations(chunk: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The citations of web pages that a chunk adds to the answer: OpenAI sends them all after the text."""
    deltas = (choice.get("delta") or {} for choice in chunk.get("choices") or ())
    found = [annotation for delta in deltas for annotation in delta.get("annotations") or ()]
    return [annotation for annotation in found if isinstance(annotation, dict)]


def _is_opening(chunk: ChatGenerationChunk, earlier: Sequence[ChatGenerationChunk]) -> bool:
    """Whether a chunk has no output: in the responses API, any number of empty items.

    In the chat completions API it is one chunk; the others without content are reasoning, which LangChain drops.
    """
    message = chunk.message
    calls = isinstance(message, AIMessageChunk) and message.tool_call_chunks
    if calls or message.additional_kwargs or chunk.generation_info or finish_reason(message.response_metadata):
        return False
    if isinstance(message.content, str):
        return not (message.content or earlier)
    return all(
        isinstance(block, dict) and block.get("type") == "text" and not block.get("text") for block in message.content
    )


async def _may_repeat(error: Exception) -> bool:
    """Wait until a call may be repeated; False if it should not be."""
    seconds = RETRY_SECONDS
    if isinstance(error, ModelServerError) and error.status_code:
        if is_rejection(error):
            return False
        if error.status_code not in _RETRIED_STATUS and error.status_code < _INTERNAL_SERVER_ERROR:
            return False
        seconds = _requested_pause(error.headers)
    if seconds > MAX_RETRY_SECONDS:
        return False
    await asyncio.sleep(seconds)
    return True


def _requested_pause(headers: Mapping[str, str]) -> float:
    """The pause that a server asks for, in seconds."""
    try:
        if "retry-after-ms" in headers:
            return float(headers["retry-after-ms"]) / 1000
        return float(headers.get("retry-after", RETRY_SECONDS))
    except ValueError:  # an HTTP date
        return RETRY_SECONDS
