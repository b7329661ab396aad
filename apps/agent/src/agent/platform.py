"""The graph that `langgraph.json` loads: the second composition root, for LangGraph's own server.

The platform brings store, checkpointer and queue. So the graph's last node distils the inbox itself, hidden from the
stream. It is the platform's business who may send `configurable.user_id`: only a gateway that replaces it may reach it.
"""

from functools import cache

from langgraph.graph.state import CompiledStateGraph
from langgraph.store.base import BaseStore

from agent.errors import SetupError
from agent.graphs.chat import ChatGraph, ChatState
from agent.memory.extract import make_extractor
from agent.memory.formation import Former, drain_everything
from agent.memory.recall import Recaller
from agent.models.chat import make_chat_models
from agent.models.embeddings import CachedEmbeddings, make_embeddings
from agent.settings import AgentSettings
from agent.types import UserId

DIMS = 1536
"""What `langgraph.json` says of its index; a test holds the two together."""


@cache
def _settings() -> AgentSettings:
    settings = AgentSettings(embedding_dims=DIMS)
    if settings.dims != DIMS:
        raise SetupError(f"langgraph.json is made for vectors of {DIMS} dimensions")
    return settings


@cache
def _embeddings() -> CachedEmbeddings:
    return make_embeddings(_settings(), None)


async def embed(texts: list[str]) -> list[list[float]]:
    """Return [N][1536] vectors for the platform's store; MiniLM's are padded with zeros, which changes no cosine."""
    return await _embeddings().aembed_documents(texts)


def make_graph() -> CompiledStateGraph[ChatState, None, ChatState, ChatState]:
    """Return the chat graph, for the platform to put its store and checkpointer in."""
    settings = _settings()
    models = make_chat_models(settings, None)
    former = Former(make_extractor(settings, models.extraction), settings.min_confidence)

    async def drain(store: BaseStore, user: UserId) -> None:
        await drain_everything(store, user, former)

    recaller = Recaller(_embeddings(), settings.recall_limit, settings.recall_deadline_ms / 1000)
    graph = ChatGraph(models, recaller, settings.tip_max_chars, drain if settings.enable_fact_extraction else None)
    return graph.build().compile()


chat = make_graph()
