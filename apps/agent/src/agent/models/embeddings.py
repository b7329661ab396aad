"""Embedding models behind a cache per user: concurrent requests for a text share one call, which has a timeout."""

import asyncio
from array import array
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from langchain_core.embeddings import Embeddings

from agent.errors import EmbedderUnavailableError

TIMEOUT_SECONDS = 30.0
CACHE_SIZE = 10_000  # texts; about 60 MB at 1,536 dimensions
MAX_EMBEDDED_CHARS = 4_000  # below OpenAI's limit of 8,191 tokens in any script; the rest of a text is not embedded
BATCH_SIZE = 128  # texts per call, which must end within the timeout; about half a second with MiniLM

Vector = list[float]
Key = tuple[str, str]  # owner, text
Embed = Callable[[list[str]], Awaitable[list[Vector]]]


class CachedEmbeddings(Embeddings):
    """An embedding model with an LRU cache, whose entries belong to owners: the owners of the store, or jobs.

    Concurrent requests of an owner for a text wait for the same call, which continues if a caller is cancelled.
    Nothing is shared between owners, so the time of a call does not show what another user has said. Texts without an
    owner are not cached. Queries and documents are embedded alike, so one vector per turn serves as both.

    Raises:
        EmbedderUnavailableError: from every method, if the model fails or exceeds `TIMEOUT_SECONDS`.
    """

    def __init__(self, embed: Embed, *, size: int = CACHE_SIZE) -> None:
        self._embed = embed
        self._size = size
        self._cache: OrderedDict[Key, array[float]] = OrderedDict()  # one eighth of the size of a list
        self._pending: dict[tuple[Key, asyncio.AbstractEventLoop], asyncio.Task[dict[str, Vector]]] = {}

    async def aembed_query(self, text: str, *, owner: str = "") -> Vector:
        """Embed one text."""
        return (await self.aembed_documents([text], owner=owner))[0]

    async def aembed_documents(self, texts: list[str], *, owner: str = "") -> list[Vector]:
        """Embed N texts in order: [N][dims]. Those neither cached nor pending are sent in batches of `BATCH_SIZE`."""
        texts = [text[:MAX_EMBEDDED_CHARS] for text in texts]
        vectors = {text: self._cache[owner, text].tolist() for text in texts if (owner, text) in self._cache}
        for text in vectors:
            self._cache.move_to_end((owner, text))
        missing = [text for text in dict.fromkeys(texts) if text not in vectors]
        for start in range(0, len(missing), BATCH_SIZE):
            batch = missing[start : start + BATCH_SIZE]
            if not owner:
                vectors |= await self._call(batch)
                continue
            for task in self._start(owner, batch):
                vectors |= await asyncio.shield(task)
        return [vectors[text] for text in texts]

    def prefetch(self, text: str, *, owner: str) -> None:
        """Start to embed a text that is needed later; an error is raised where it is needed."""
        text = text[:MAX_EMBEDDED_CHARS]
        if (owner, text) not in self._cache:
            self._start(owner, [text])

    def embed_query(self, text: str) -> Vector:
        """Embed one text outside an event loop."""
        return asyncio.run(self.aembed_query(text))

    def embed_documents(self, texts: list[str]) -> list[Vector]:
        """Embed N texts outside an event loop: [N][dims]."""
        return asyncio.run(self.aembed_documents(texts))

    def _start(self, owner: str, missing: list[str]) -> set[asyncio.Task[dict[str, Vector]]]:
        loop = asyncio.get_running_loop()
        new = [text for text in missing if ((owner, text), loop) not in self._pending]
        if new:
            task = asyncio.create_task(self._call_and_cache(owner, new))
            # Marks the exception as retrieved, because every caller may be cancelled.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._pending |= dict.fromkeys([((owner, text), loop) for text in new], task)
        return {self._pending[(owner, text), loop] for text in missing}

    async def _call_and_cache(self, owner: str, texts: list[str]) -> dict[str, Vector]:
        loop = asyncio.get_running_loop()
        try:
            vectors = await self._call(texts)
        finally:
            for text in texts:
                del self._pending[(owner, text), loop]
        self._cache |= {(owner, text): array("f", vector) for text, vector in vectors.items()}
        while len(self._cache) > self._size:
            self._cache.popitem(last=False)
        return vectors

    async def _call(self, texts: list[str]) -> dict[str, Vector]:
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                return dict(zip(texts, await self._embed(texts), strict=True))
        except (TimeoutError, ValueError) as error:
            raise EmbedderUnavailableError("the text could not be embedded") from error
