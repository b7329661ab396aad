"""The graph that `langgraph.json` loads: the second composition root, for LangGraph's own server.

The platform brings store, checkpointer and queue. So the graph's last node distils the inbox itself, hidden from the
stream. It is the platform's business who may send `configurable.user_id`: only a gateway that replaces it may reach it.
"""

from datetime import UTC, datetime
from functools import cache

from langgraph.graph.state import CompiledStateGraph
from langgraph.store.base import BaseStore

from agent.chat.compression import Summariser
from agent.chat.nodes import ChatGraph
from agent.chat.reply import ReplyGenerator
from agent.chat.state import ChatState
from agent.chat.toolbox import Toolbox
from agent.chat.web_search import make_web_search
from agent.chat.window import Window
from agent.errors import SetupError
from agent.memory.formation.digest import make_digester
from agent.memory.formation.former import process_inbox
from agent.memory.formation.former_factory import make_former
from agent.memory.formation.history_summary import HistoryTiers
from agent.memory.recall.recall import Recaller
from agent.memory.recall.tip import TipBudget
from agent.models.chat import make_chat_models
from agent.models.embeddings import CachedEmbeddings, make_embeddings
from agent.models.tokens import count_tokens
from agent.models.tool_binding import ToolBindings
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
    for name in models.by_name:
        count_tokens("", model=name)  # reads the model's table: the platform lets no run read files
    former = make_former(settings, models.extraction)
    tiers = HistoryTiers(make_digester(settings, models.extraction))

    async def drain(store: BaseStore, user: UserId) -> None:
        formed = await process_inbox(store, user, former)
        if formed.episodes:
            await tiers.fold(store, user, datetime.now(UTC))

    recaller = Recaller(_embeddings(), settings.recall_limit_per_kind, settings.recall_deadline_ms / 1000)
    toolbox = Toolbox(make_web_search(settings, None), transcript=None)
    graph = ChatGraph(
        ReplyGenerator(ToolBindings(models), toolbox, settings.context_max_tokens),
        Window(Summariser(None if settings.offline else models.extraction)),
        recaller,
        TipBudget(settings.tip_max_chars, settings.tip_max_tokens),
        drain if settings.enable_fact_extraction else None,
    )
    return graph.build().compile()


chat = make_graph()
