"""An agent of `create_agent` that remembers its users: `python examples/memory_middleware.py`.

Needs `pip install './apps/agent[langchain]'`, a Postgres with pgvector (`DATABASE_URL`) and an OpenAI-compatible server
(`OPENAI_API_KEY`, `OPENAI_BASE_URL`).
"""

import asyncio
import os
from collections.abc import Sequence

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from typing_extensions import TypedDict

from agent import ExactIndexConfig, ExactPostgresStore, MemoryMiddleware


class Context(TypedDict):
    """The user of a run, from your own authentication."""

    user_id: str


async def chat(
    database: str, model: BaseChatModel, index: ExactIndexConfig, *, user: str, messages: Sequence[str]
) -> list[str]:
    """Send messages, each in a conversation of its own, and return the answers."""
    async with ExactPostgresStore.from_conn_string(database, index=index) as store:
        await store.setup()
        agent = create_agent(model, middleware=[MemoryMiddleware(model)], store=store, context_schema=Context)
        answers = []
        for message in messages:
            state = await agent.ainvoke(
                {"messages": [{"role": "user", "content": message}]}, context=Context(user_id=user)
            )
            answers.append(state["messages"][-1].text)
        return answers


async def main() -> None:
    """Tell the agent something, and ask for it in another conversation."""
    model, embeddings = ChatOpenAI(model="gpt-5-mini"), OpenAIEmbeddings(model="text-embedding-3-small")
    index = ExactIndexConfig(dims=1536, embed=embeddings, fields=["text"])
    messages = ["I play the violin.", "Which instrument do I play?"]
    database = os.environ["DATABASE_URL"]
    for answer in await chat(database, model, index, user="ada", messages=messages):
        print(answer)


if __name__ == "__main__":
    asyncio.run(main())
