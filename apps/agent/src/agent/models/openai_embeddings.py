"""The embedding models of an OpenAI-compatible server."""

import httpx2
from langchain_openai import OpenAIEmbeddings

from agent.errors import EmbedderUnavailableError
from agent.models.embeddings import TIMEOUT_SECONDS, Embed, Vector
from agent.models.failures import ModelServerError
from agent.models.openai_errors import translated_openai_errors
from agent.settings import AgentSettings


def make_openai_embed(settings: AgentSettings, http: httpx2.AsyncClient | None) -> Embed:
    """Create the function that embeds texts with the model that the settings name.

    It raises EmbedderUnavailableError if the server does not answer, or answers with an error.
    """
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
            with translated_openai_errors():
                return await model.aembed_documents(texts)
        except ModelServerError as error:
            raise EmbedderUnavailableError("the text could not be embedded") from error

    return embed
