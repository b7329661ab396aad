"""The stores that are compared, each opened as it is meant to be, and an embedding model that costs nothing."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import numpy as np
from langchain_core.embeddings import Embeddings
from langgraph.store.postgres import AsyncPostgresStore

from agent.database import open_pool
from agent.store import ExactPostgresStore
from agent.store.indexing import ExactIndexConfig

CONNECTIONS = 16


class Prepared(Embeddings):
    """An embedding model that costs nothing: it knows only texts whose vectors were made before."""

    def __init__(self, dims: int) -> None:
        self.dims = dims
        self.known: dict[str, list[float]] = {}
        self._random = np.random.default_rng(1)

    def learn(self, text: str, around: Sequence[float] | None = None) -> str:
        """Make a vector for a text, anywhere or around another one."""
        vector = self._random.standard_normal(self.dims)
        self.known[text] = (vector if around is None else vector + np.asarray(around)).tolist()
        return text

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return the vectors of texts."""
        return self.embed_documents(texts)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return the vectors of texts."""
        return [self.known[text] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a text."""
        return self.known[text]


@asynccontextmanager
async def stock(uri: str, embedder: Prepared | None, *, options: str = "") -> AsyncIterator[AsyncPostgresStore]:
    """Open LangGraph's store; without an embedder it has no vectors.

    Args:
        uri: of the database.
        embedder: what texts are embedded with.
        options: settings of Postgres, as a command line's.
    """
    async with AsyncPostgresStore.from_conn_string(
        uri,
        pool_config={"min_size": 2, "max_size": CONNECTIONS, "kwargs": {"options": options}},
        index=None if embedder is None else {"dims": embedder.dims, "embed": embedder, "fields": ["text"]},
    ) as store:
        yield store


@asynccontextmanager
async def exact(
    uri: str, embedder: Prepared, *, language: str | None = "english", wall: str | None = None
) -> AsyncIterator[ExactPostgresStore]:
    """Open ours on a pool like Keepsake's; without a language it searches by vectors alone."""
    index = ExactIndexConfig(
        dims=embedder.dims,
        embed=embedder,
        fields=["text"],
        language=language,
        conversation=("source_thread", "ts"),
    )
    async with open_pool(uri, size=CONNECTIONS, name="bench") as pool:
        yield ExactPostgresStore(pool, index=index, wall=wall)
