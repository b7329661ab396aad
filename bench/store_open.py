"""Open the compared stores, with an embedder that returns prepared vectors."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import numpy as np
from langchain_core.embeddings import Embeddings
from langgraph.store.postgres import AsyncPostgresStore

from agent.database import open_pool
from agent.store import ExactPostgresStore
from agent.store.indexing import ExactIndexConfig

CONNECTIONS = 16


class PreparedEmbedder(Embeddings):
    """An embedder with prepared vectors; other texts raise KeyError."""

    def __init__(self, dims: int) -> None:
        self.dims = dims
        self.vectors: dict[str, list[float]] = {}
        self._random = np.random.default_rng(1)

    def add(self, text: str, around: Sequence[float] | None = None) -> str:
        """Create a random vector for a text, optionally near another vector."""
        vector = self._random.standard_normal(self.dims)
        self.vectors[text] = (vector if around is None else vector + np.asarray(around)).tolist()
        return text

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """The vectors of texts."""
        return self.embed_documents(texts)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """The vectors of texts."""
        return [self.vectors[text] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """The vector of a text."""
        return self.vectors[text]


@asynccontextmanager
async def open_langgraph_store(
    uri: str, embedder: PreparedEmbedder | None, *, options: str = ""
) -> AsyncIterator[AsyncPostgresStore]:
    """Open LangGraph's store.

    Args:
        uri: the database.
        embedder: None for a store without vectors.
        options: Postgres settings in command-line form (`-c name=value`).
    """
    async with AsyncPostgresStore.from_conn_string(
        uri,
        pool_config={"min_size": 2, "max_size": CONNECTIONS, "kwargs": {"options": options}},
        index=None if embedder is None else {"dims": embedder.dims, "embed": embedder, "fields": ["text"]},
    ) as store:
        yield store


@asynccontextmanager
async def open_keepsake_store(
    uri: str, embedder: PreparedEmbedder, *, language: str | None = "english", role: str | None = None
) -> AsyncIterator[ExactPostgresStore]:
    """Open Keepsake's store on a pool like the agent's; without a language, searches use vectors only."""
    index = ExactIndexConfig(
        dims=embedder.dims,
        embed=embedder,
        fields=["text"],
        language=language,
        conversation=("source_thread", "ts"),
    )
    async with open_pool(uri, size=CONNECTIONS, name="bench") as pool:
        yield ExactPostgresStore(pool, index=index, role=role)
