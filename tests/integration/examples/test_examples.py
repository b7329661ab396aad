"""The examples, with the scripted model, and what their middleware guarantees."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from langchain.agents import create_agent
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import SecretStr

from agent import ExactIndexConfig, ExactPostgresStore, MemoryMiddleware
from agent.errors import InvalidIdError
from conftest import DIMS
from support.model_script import Message, ToolCall
from support.scripted_openai import ScriptedOpenAI

sys.path.append(str(Path(__file__).parents[3]))

from examples import memory_middleware
from examples.memory_middleware import Context

MESSAGE: Any = {"messages": [("user", "I live in Oslo.")]}


@pytest.fixture
async def http() -> AsyncIterator[httpx2.AsyncClient]:
    """A client that is closed in the event loop of the test."""
    async with httpx2.AsyncClient(timeout=30) as client:
        yield client


@pytest.fixture
def chat_model(model: ScriptedOpenAI, http: httpx2.AsyncClient) -> BaseChatModel:
    return ChatOpenAI(
        model="scripted", base_url=model.base_url, api_key=SecretStr("x"), max_retries=0, http_async_client=http
    )


@pytest.fixture
def embeddings(model: ScriptedOpenAI, http: httpx2.AsyncClient) -> Embeddings:
    return OpenAIEmbeddings(
        model="scripted",
        openai_api_base=model.base_url,
        openai_api_key=SecretStr("x"),
        dimensions=DIMS,
        check_embedding_ctx_length=False,
        http_async_client=http,
    )


async def test_an_agent_with_the_middleware_remembers_its_user_in_the_next_conversation(
    database: str, chat_model: BaseChatModel, embeddings: Embeddings
) -> None:
    index = ExactIndexConfig(dims=DIMS, embed=embeddings, fields=["text"])

    async def ask(user: str, *messages: str) -> str:
        answers = await memory_middleware.chat(database, chat_model, index, user=user, messages=messages)
        return answers[-1]

    assert "violin" in await ask("ada", "I play the violin.", "Which instrument do I play?")
    assert "violin" in await ask("ada", "Which instrument do I play?")
    assert "violin" not in await ask("bob", "Which instrument do I play?")


async def test_the_middleware_forms_memories_after_the_answer(
    database: str, chat_model: BaseChatModel, embeddings: Embeddings
) -> None:
    index = ExactIndexConfig(dims=DIMS, embed=embeddings, fields=["text"])
    async with ExactPostgresStore.from_conn_string(database, index=index) as store:
        await store.setup()
        agent = create_agent(chat_model, middleware=[MemoryMiddleware()], store=store, context_schema=Context)
        await agent.ainvoke(MESSAGE, context=Context(user_id="ada"))
        facts = await store.asearch(("users", "ada", "memories", "user"))
        assert [(fact.value["text"], fact.value["standing"]) for fact in facts] == [("Lives in Oslo", True)]
        assert await store.asearch(("users", "ada", "inbox")) == []


async def test_an_agent_answers_if_memory_fails(
    database: str, chat_model: BaseChatModel, embeddings: Embeddings, model: ScriptedOpenAI
) -> None:
    model.script.embeddings_status = 500
    index = ExactIndexConfig(dims=DIMS, embed=embeddings, fields=["text"])
    async with ExactPostgresStore.from_conn_string(database, index=index) as store:
        agent = create_agent(
            chat_model, middleware=[MemoryMiddleware(recall_deadline_seconds=0.1)], store=store, context_schema=Context
        )
        state = await agent.ainvoke(MESSAGE, context=Context(user_id="ada"))
        assert state["messages"][-1].text
        with pytest.raises(InvalidIdError):
            await agent.ainvoke(MESSAGE, context=Context(user_id="users.bob"))


@pytest.mark.filterwarnings("ignore::langgraph.warnings.LangGraphDeprecatedSinceV10")
async def test_langmems_tools_work_with_the_store(
    database: str, chat_model: BaseChatModel, embeddings: Embeddings, model: ScriptedOpenAI
) -> None:
    def reply(messages: list[Message]) -> str | list[ToolCall]:
        if messages[-1]["role"] == "tool":
            return str(messages[-1]["content"])
        if "Remember" in messages[-1]["content"]:
            return [ToolCall("manage_memory", {"content": "Plays the violin", "action": "create"})]
        return [ToolCall("search_memory", {"query": "instrument"})]

    from examples import langmem_tools  # noqa: PLC0415 - imports deprecated names

    model.script.reply = reply
    index = ExactIndexConfig(dims=DIMS, embed=embeddings, fields=["$"])
    messages = ["Remember that I play the violin.", "Which instrument do I play?"]
    for user, expected in (("ada", True), ("bob", False)):
        sent = messages if expected else messages[1:]
        answers = await langmem_tools.chat(database, chat_model, index, user=user, messages=sent)
        assert ("Plays the violin" in answers[-1]) == expected
