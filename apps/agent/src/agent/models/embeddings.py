"""Embeddings that cost one call a text: cached, single-flight, and with a time-out."""

import asyncio
from array import array
from collections import OrderedDict
from collections.abc import Awaitable, Callable

import httpx2
import openai
from langchain_core.embeddings import Embeddings
from langchain_openai import OpenAIEmbeddings

from agent.errors import EmbedderUnavailableError
from agent.models.minilm import MiniLM
from agent.settings import MINILM, AgentSettings

TIMEOUT_SECONDS = 30.0
CACHED_TEXTS = 10_000  # at 1,536 dims some 60 MB
EMBEDDED_CHARS = 4_000  # within OpenAI's 8,191 tokens in any script; what follows is not embedded

Vector = list[float]
Embed = Callable[[list[str]], Awaitable[list[Vector]]]


class CachedEmbeddings(Embeddings):
    """An embedding model behind a cache of the latest texts.

    Whoever asks for a text that is being embedded waits for that one call; a caller who gives up does not end it.
    Texts are embedded as they are: query and document alike, so that a turn's one vector serves as both.

    Raises:
        EmbedderUnavailableError: from each method, when the model fails or takes over `TIMEOUT_SECONDS`.
    """

    def __init__(self, embed: Embed, *, size: int = CACHED_TEXTS) -> None:
        self._embed = embed
        self._size = size
        self._known: OrderedDict[str, array[float]] = OrderedDict()  # a list of Python's floats is eight times as large
        self._coming: dict[tuple[str, asyncio.AbstractEventLoop], asyncio.Task[dict[str, Vector]]] = {}

    async def aembed_query(self, text: str) -> Vector:
        """Return the vector of one text."""
        return (await self.aembed_documents([text]))[0]

    async def aembed_documents(self, texts: list[str]) -> list[Vector]:
        """Return [N] vectors; only the texts that are neither known nor on their way are sent, in one call."""
        texts = [text[:EMBEDDED_CHARS] for text in texts]
        found = {text: self._known[text].tolist() for text in texts if text in self._known}
        for text in found:
            self._known.move_to_end(text)
        waiting = self._start([text for text in dict.fromkeys(texts) if text not in found])
        for task in waiting:
            found |= await asyncio.shield(task)
        return [found[text] for text in texts]

    def embed_query(self, text: str) -> Vector:
        """Return the vector of one text, outside an event loop."""
        return asyncio.run(self.aembed_query(text))

    def embed_documents(self, texts: list[str]) -> list[Vector]:
        """Return [N] vectors, outside an event loop."""
        return asyncio.run(self.aembed_documents(texts))

    def _start(self, missing: list[str]) -> set[asyncio.Task[dict[str, Vector]]]:
        """Return the calls, running or begun here, that together bring every missing text."""
        loop = asyncio.get_running_loop()
        new = [text for text in missing if (text, loop) not in self._coming]
        if new:
            task = asyncio.create_task(self._call(new))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())  # all callers may be gone
            for text in new:
                self._coming[text, loop] = task
        return {self._coming[text, loop] for text in missing}

    async def _call(self, texts: list[str]) -> dict[str, Vector]:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                vectors = dict(zip(texts, await self._embed(texts), strict=True))
        except (openai.OpenAIError, TimeoutError, ValueError) as error:
            raise EmbedderUnavailableError("the text could not be embedded") from error
        finally:
            for text in texts:
                del self._coming[text, loop]
        self._known |= {text: array("f", vector) for text, vector in vectors.items()}
        while len(self._known) > self._size:
            self._known.popitem(last=False)
        return vectors


def make_embeddings(settings: AgentSettings, http: httpx2.AsyncClient | None) -> CachedEmbeddings:
    """Make the embedding model that the settings name; `http` is as in `make_chat_models`.

    Raises:
        SetupError: MiniLM's wheel is not installed.
    """
    if settings.embedder == MINILM:
        return CachedEmbeddings(MiniLM(dims=settings.dims).aembed_documents)
    model = OpenAIEmbeddings(
        model=settings.embedder,
        dimensions=settings.dims,
        openai_api_key=settings.openai_api_key or "none",
        openai_api_base=settings.openai_base_url,
        check_embedding_ctx_length=False,  # it would fetch tokenizer tables, and send ids that only OpenAI reads
        max_retries=1,
        request_timeout=TIMEOUT_SECONDS,
        http_async_client=http,
    )
    return CachedEmbeddings(model.aembed_documents)
