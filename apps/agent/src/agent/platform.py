"""The graph that `langgraph.json` loads: the composition root for LangGraph Platform.

The platform provides store, checkpointer and queue, so the last node of the graph processes the inbox itself, hidden
from the stream. Requests set `configurable.user_id`; therefore only a gateway that replaces it may reach the platform.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

from langchain_core.messages import AnyMessage
from langgraph.graph.state import CompiledStateGraph
from langgraph.store.base import BaseStore
from langsmith.utils import tracing_is_enabled

from agent.chat.maintenance import Maintenance
from agent.chat.run_config import ChatContext
from agent.chat.state import ChatInput, ChatState, context_reader
from agent.chat.toolbox import Toolbox
from agent.chat.web_search import make_web_search
from agent.errors import SetupError
from agent.memory.editing import withdrawal
from agent.memory.formation.digest import make_digester
from agent.memory.formation.former import process_inbox
from agent.memory.formation.former_factory import make_former
from agent.memory.formation.history_summary import HistorySummariser
from agent.memory.records.changes import commit_change
from agent.models.chat import make_chat_models
from agent.models.embedder_factory import make_embeddings
from agent.models.embeddings import CachedEmbeddings
from agent.models.tokens import count_tokens
from agent.models.tracing import trace_without_secrets
from agent.settings import SERVER_DIMS, AgentSettings
from agent.types import UserId
from agent.wiring import build_graph, make_recaller


@cache
def _settings() -> AgentSettings:
    settings = AgentSettings(embedding_dims=SERVER_DIMS)
    if settings.dims != SERVER_DIMS:
        raise SetupError(f"the index in langgraph.json has {SERVER_DIMS} dimensions")
    return settings


@cache
def _embeddings() -> CachedEmbeddings:
    return make_embeddings(_settings(), None)


async def embed(texts: list[str]) -> list[list[float]]:
    """Embed texts for the platform's store.

    Returns:
        [N][1536] vectors; those of MiniLM are padded with zeros, which does not change cosine similarities.
    """
    return await _embeddings().aembed_documents(texts)


def make_graph() -> CompiledStateGraph[ChatState, ChatContext, ChatInput, ChatState]:
    """Compile the chat graph; the platform adds its store and checkpointer."""
    settings = _settings()
    if tracing_is_enabled():
        trace_without_secrets()
    models = make_chat_models(settings, None)
    for name in models.by_name:
        count_tokens("", model=name)  # load the tokenizer now: a run must not block on file I/O
    former = make_former(settings, models.extraction)
    history = HistorySummariser(make_digester(settings, models.extraction))
    recaller = make_recaller(settings, _embeddings())

    async def form_memories(store: BaseStore, user: UserId, messages: Sequence[AnyMessage]) -> None:
        if not recaller.calibrator.is_complete:
            await recaller.calibrator.calibrate()  # the platform has no task that runs at start
        result = await process_inbox(store, user, replace(former, read_context=context_reader(messages)))
        if result.episodes:
            await history.summarise(store, user, datetime.now(UTC))

    async def purge(store: BaseStore, user: UserId) -> None:
        await commit_change(store, lambda: withdrawal.purge(store, user, datetime.now(UTC)))

    graph = build_graph(
        settings,
        recaller,
        models,
        Toolbox(make_web_search(settings, None), transcript=None),
        Maintenance(form_memories if settings.enable_fact_extraction else None, purge),
    )
    return graph.compile()


chat = make_graph()
