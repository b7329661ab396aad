"""The plain graph as `langgraph dev` serves it, with the server's own store and checkpointer."""

import asyncio
import os
import uuid
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import SystemMessage
from langchain_core.runnables import RunnableConfig
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.base import BaseStore

MEMORIES = 10
MODEL = f"{os.environ['BENCH_MODEL']}/v1"

model = ChatOpenAI(model="gpt-4o-mini", api_key="x", base_url=MODEL, streaming=True)
embeddings = OpenAIEmbeddings(
    model="text-embedding-3-small",
    dimensions=384,
    openai_api_key="x",
    openai_api_base=MODEL,
    check_embedding_ctx_length=False,
)


async def embed(texts: Sequence[str]) -> list[list[float]]:
    """Embed texts."""
    return await embeddings.aembed_documents(list(texts))


async def call_model(state: MessagesState, config: RunnableConfig, *, store: BaseStore) -> dict[str, Any]:
    """Recall memories, and store the message during the model call."""
    user, text = config["configurable"]["user_id"], str(state["messages"][-1].content)
    found = await store.asearch(("memories", user), query=text, limit=MEMORIES)
    # Not earlier: the store executes what arrives together one after the other.
    stored = asyncio.create_task(store.aput(("memories", user), str(uuid.uuid4()), {"data": text}))
    known = "\n".join(item.value["data"] for item in found)
    prompt = SystemMessage(f"You are a helpful assistant talking to the user. User info: {known}")
    answer = await model.ainvoke([prompt, *state["messages"]])
    await stored
    return {"messages": [answer]}


builder = StateGraph(MessagesState)
builder.add_node(call_model)
builder.add_edge(START, "call_model")
chat = builder.compile()
