"""A plain graph with Keepsake's store and LangMem's tools: `python examples/langmem_tools.py`.

Needs `pip install './apps/agent[langmem]'`, a Postgres with pgvector (`DATABASE_URL`) and an OpenAI-compatible server
(`OPENAI_API_KEY`, `OPENAI_BASE_URL`).
"""

import asyncio
import os
from collections.abc import Sequence

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langmem import create_manage_memory_tool, create_search_memory_tool

from agent import ExactIndexConfig, ExactPostgresStore

NAMESPACE = ("memories", "{langgraph_user_id}")


async def chat(
    database: str, model: BaseChatModel, index: ExactIndexConfig, *, user: str, messages: Sequence[str]
) -> list[str]:
    """Send messages, each in a conversation of its own, and return the answers."""
    tools = [create_manage_memory_tool(NAMESPACE), create_search_memory_tool(NAMESPACE)]
    bound = model.bind_tools(tools)

    async def answer(state: MessagesState) -> dict[str, object]:
        return {"messages": [await bound.ainvoke(state["messages"])]}

    graph = StateGraph(MessagesState)
    graph.add_node("answer", answer)
    graph.add_node("tools", ToolNode(tools))
    graph.add_edge(START, "answer")
    graph.add_conditional_edges("answer", tools_condition)
    graph.add_edge("tools", "answer")
    async with ExactPostgresStore.from_conn_string(database, index=index) as store:
        await store.setup()
        compiled = graph.compile(store=store)
        config = RunnableConfig(configurable={"langgraph_user_id": user})
        states = [await compiled.ainvoke({"messages": [HumanMessage(message)]}, config) for message in messages]
        return [state["messages"][-1].text for state in states]


async def main() -> None:
    """Tell the agent something, and ask for it in another conversation."""
    model, embeddings = ChatOpenAI(model="gpt-5-mini"), OpenAIEmbeddings(model="text-embedding-3-small")
    index = ExactIndexConfig(dims=1536, embed=embeddings, fields=["$"])
    messages = ["Remember that I play the violin.", "Which instrument do I play?"]
    database = os.environ["DATABASE_URL"]
    for answer in await chat(database, model, index, user="ada", messages=messages):
        print(answer)


if __name__ == "__main__":
    asyncio.run(main())
