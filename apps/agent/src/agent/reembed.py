"""`keepsake reembed`: the third composition root, which opens no more than it needs."""

from collections.abc import AsyncIterator

import openai

from agent.database import open_database
from agent.database.open import migrating
from agent.models.embeddings import make_embeddings
from agent.settings import AgentSettings
from agent.store.reembed import reembed


async def reembed_database(settings: AgentSettings) -> AsyncIterator[tuple[int, int]]:
    """Convert every vector of the database to the configured model; no Keepsake may be running on it.

    Yields:
        How many texts are done, and how many there are.

    Raises:
        EmbedderUnavailableError: the model failed; everything is as it was.
    """
    async with (
        openai.DefaultAsyncHttpxClient() as http,
        open_database(settings) as uri,
        migrating(uri) as connection,
    ):
        embeddings = make_embeddings(settings, http)
        async for progress in reembed(connection, embeddings, embedder=settings.embedder, dims=settings.dims):
            yield progress
