"""Creation of the configured embedding model.

The libraries of the models take a second to import, so the modules that only use embeddings do not import this one.
"""

import httpx2
import openai
from langchain_openai import OpenAIEmbeddings

from agent.errors import EmbedderUnavailableError
from agent.models.embeddings import TIMEOUT_SECONDS, CachedEmbeddings, Vector
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
    model = OpenAIEmbeddings(
        model=settings.embedder,
        dimensions=settings.dims,
        openai_api_key=settings.openai_api_key or "none",
        openai_api_base=settings.openai_base_url,
        check_embedding_ctx_length=False,  # downloads tokenizer tables and sends token ids, for OpenAI only
        max_retries=1,
        request_timeout=TIMEOUT_SECONDS,
        http_async_client=http,
    )

    async def embed(texts: list[str]) -> list[Vector]:
        try:
            return await model.aembed_documents(texts)
        except openai.OpenAIError as error:
            raise EmbedderUnavailableError("the text could not be embedded") from error

    return CachedEmbeddings(embed)
