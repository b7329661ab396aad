"""The chat graph of all peers: recall, then answer, as in LangGraph's guide to long-term memory."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from langchain_core.messages import AIMessageChunk, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.store.postgres import AsyncPostgresStore
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from .peer import Settings

Graph = CompiledStateGraph[MessagesState, None, MessagesState, MessagesState]
Recall = Callable[[str, str], Awaitable[Sequence[str]]]
"""The texts of the user's memories for a message."""

MEMORIES = 10
"""Recalled per message; Keepsake recalls up to 4 of each of three kinds."""


def build_graph(model: ChatOpenAI, recall: Recall) -> StateGraph[MessagesState, None, MessagesState, MessagesState]:
    """A graph of one node, which recalls memories and calls the model."""

    async def call_model(state: MessagesState, config: RunnableConfig) -> dict[str, Any]:
        text = str(state["messages"][-1].content)
        memories = await recall(config["configurable"]["user_id"], text)
        return {"messages": [await model.ainvoke([system_message(memories), *state["messages"]])]}

    builder = StateGraph(MessagesState)
    builder.add_node(call_model)
    builder.add_edge(START, "call_model")
    return builder


def system_message(memories: Sequence[str]) -> SystemMessage:
    """The prompt of LangGraph's guide, with memories."""
    known = "\n".join(memories)
    return SystemMessage(f"You are a helpful assistant talking to the user. User info: {known}")


async def stream_reply(graph: Graph, user: str, thread: str, text: str) -> AsyncIterator[str]:
    """Run the graph; yields the tokens of the answer."""
    config: RunnableConfig = {"configurable": {"thread_id": f"{user}/{thread}", "user_id": user}}
    async for chunk, _ in graph.astream({"messages": [HumanMessage(text)]}, config, stream_mode="messages"):
        if isinstance(chunk, AIMessageChunk) and chunk.content:
            yield str(chunk.content)


def chat_model(model: str) -> ChatOpenAI:
    """The scripted model."""
    return ChatOpenAI(model="gpt-4o-mini", api_key="x", base_url=f"{model}/v1", streaming=True)


def embeddings(model: str, dims: int) -> OpenAIEmbeddings:
    """The embedding model."""
    return OpenAIEmbeddings(
        model="text-embedding-3-small",
        dimensions=dims,
        openai_api_key="x",
        openai_api_base=f"{model}/v1",
        check_embedding_ctx_length=False,  # sends texts rather than token numbers, which only OpenAI understands
    )


@asynccontextmanager
async def open_pool(settings: Settings) -> AsyncIterator[AsyncConnectionPool[AsyncConnection[DictRow]]]:
    """A pool with the options that LangGraph's Postgres classes require."""
    options = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    async with AsyncConnectionPool(
        settings.database,
        connection_class=AsyncConnection[DictRow],
        min_size=settings.connections,
        max_size=settings.connections,
        kwargs=options,
    ) as pool:
        yield pool


@asynccontextmanager
async def open_checkpointer(settings: Settings) -> AsyncIterator[AsyncPostgresSaver]:
    """LangGraph's checkpointer."""
    async with open_pool(settings) as pool:
        saver = AsyncPostgresSaver(pool)
        await saver.setup()
        yield saver


@asynccontextmanager
async def open_store(settings: Settings) -> AsyncIterator[AsyncPostgresStore]:
    """LangGraph's store with its default vector index."""
    async with open_pool(settings) as pool:
        store = AsyncPostgresStore(
            pool,
            index={"dims": settings.dims, "embed": embeddings(settings.model, settings.dims), "fields": ["data"]},
        )
        await store.setup()
        yield store
