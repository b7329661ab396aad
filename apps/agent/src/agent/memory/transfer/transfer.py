"""Embeddings for imports."""

from agent.models.embeddings import CachedEmbeddings, Vector

EMBEDDED_AT_ONCE = 128  # half a second of MiniLM's, or of a busy machine some more; within what any server takes


class BatchedEmbeddings(CachedEmbeddings):
    """The same embeddings for any number of texts: some at a time, as each call has its time-out."""

    def __init__(self, embeddings: CachedEmbeddings) -> None:
        super().__init__(embeddings.aembed_documents)

    async def aembed_documents(self, texts: list[str]) -> list[Vector]:
        """Return [N] vectors."""
        parts = (texts[start : start + EMBEDDED_AT_ONCE] for start in range(0, len(texts), EMBEDDED_AT_ONCE))
        return [vector for part in parts for vector in await self._embed(part)]
