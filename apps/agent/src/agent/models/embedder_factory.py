"""Creation of the configured embedding model.

The libraries of the models take long to import, so the modules that only use embeddings do not import this one.
"""

import httpx2

from agent.models.embeddings import CachedEmbeddings
from agent.models.local_embeddings import LocalEmbeddings
from agent.models.minilm import MiniLM
from agent.settings import MINILM, AgentSettings


def make_embeddings(settings: AgentSettings, http: httpx2.AsyncClient | None) -> CachedEmbeddings:
    """Create the embedding model that the settings name; `http` is as in `make_chat_models`.

    Raises:
        SetupError: a model that runs in this process is missing or unsuitable.
    """
    if settings.embedder == MINILM:
        return CachedEmbeddings(MiniLM(dims=settings.dims).aembed_documents)
    if settings.local_model is not None:
        local = LocalEmbeddings(settings.local_model, dims=settings.dims, cache_dir=settings.data_dir / "models")
        return CachedEmbeddings(local.aembed_documents)
    from agent.models.openai_embeddings import make_openai_embed  # noqa: PLC0415 - see `make_chat_models`

    return CachedEmbeddings(make_openai_embed(settings, http))
