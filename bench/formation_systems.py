"""The compared systems: each forms memories of the same conversation with the same model and an in-memory store."""

import importlib
import importlib.util
import os
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_openai import ChatOpenAI
from langgraph.store.base import IndexConfig
from langgraph.store.memory import InMemoryStore

from agent.memory.formation.batch import split_batches
from agent.memory.formation.former_factory import make_former
from agent.memory.records import inbox
from agent.memory.records.inbox import InboxItem
from agent.settings import AgentSettings, Extractors
from agent.types import MessageId, ThreadId, UserId
from support.example_model import embed

from .formation_model import CountingModel
from .formation_talk import Exchange, batches

DIMS = 384
USER = UserId("ada")
START = datetime(2026, 1, 1, tzinfo=UTC)

System = Callable[[CountingModel, Sequence[Exchange]], Awaitable[None]]


def chat_model(model: CountingModel) -> ChatOpenAI:
    """The scripted model as a LangChain chat model."""
    return ChatOpenAI(model="gpt-4o", api_key="x", base_url=model.base_url)


def memory_store() -> InMemoryStore:
    """LangGraph's in-memory store with vectors that cost no model call."""

    async def vectors(texts: Sequence[str]) -> list[list[float]]:
        return [embed(text, DIMS).tolist() for text in texts]

    return InMemoryStore(index=IndexConfig(dims=DIMS, embed=vectors, fields=["text", "content.content"]))


def keepsake(extractor: Extractors) -> System:
    """Keepsake's formation: an inbox that is processed when it is due."""

    async def run(model: CountingModel, talk: Sequence[Exchange]) -> None:
        settings = AgentSettings(_env_file=None, openai_api_key="x", extractor=extractor, max_facts=1_000)
        former, memories = make_former(settings, chat_model(model)), memory_store()
        for batch in batches(talk):
            for said in split_batches([_item(one) for one in batch]):
                model.new_messages = [item.text for item in said]
                for item in said:
                    await inbox.add(memories, USER, item)
                await former.process(memories, USER, said)

    return run


def langmem(when: str) -> System:
    """LangMem's store manager with its defaults.

    Args:
        when: `exchange`: after each exchange, with that exchange; `thread`: after each exchange, with the thread so
            far, as LangMem's guides do; `debounced`: with all new exchanges whenever Keepsake's formation is due.
    """

    async def run(model: CountingModel, talk: Sequence[Exchange]) -> None:
        from langmem import create_memory_store_manager  # noqa: PLC0415 (importing it emits warnings)

        manager = create_memory_store_manager(chat_model(model), namespace=("memories", USER), store=memory_store())
        for new, read in _langmem_inputs(talk, when):
            model.new_messages = [one.text for one in new]
            messages = [message for one in read for message in _messages(one)]
            await manager.ainvoke({"messages": messages})

    return run


async def mem0(model: CountingModel, talk: Sequence[Exchange]) -> None:
    """Add each exchange to mem0, as its guides do."""
    os.environ["MEM0_TELEMETRY"] = "False"  # no network telemetry
    mem0_memory = importlib.import_module("mem0").Memory  # not a dependency of Keepsake
    with tempfile.TemporaryDirectory() as folder:
        server = {"api_key": "x", "openai_base_url": model.base_url}
        memory = mem0_memory.from_config(
            {
                "llm": {"provider": "openai", "config": {"model": "gpt-4o", **server}},
                "embedder": {
                    "provider": "openai",
                    "config": {"model": "text-embedding-3-small", "embedding_dims": DIMS, **server},
                },
                "vector_store": {
                    "provider": "qdrant",
                    "config": {"path": f"{folder}/qdrant", "embedding_model_dims": DIMS, "on_disk": False},
                },
                "history_db_path": f"{folder}/history.db",
            }
        )
        for one in talk:
            model.new_messages = [one.text]
            said = [{"role": "user", "content": one.text}, {"role": "assistant", "content": one.answer}]
            memory.add(said, user_id=USER)


def installed_systems() -> dict[str, System]:
    """The systems that are installed, by name."""
    found: dict[str, System] = {
        "Keepsake, strict": keepsake("strict"),
        "Keepsake, rules": keepsake("rules"),
        "Keepsake, langmem": keepsake("langmem"),
        "LangMem, debounced": langmem("debounced"),
        "LangMem, each exchange": langmem("exchange"),
        "LangMem, whole thread": langmem("thread"),
    }
    return found | ({"mem0": mem0} if importlib.util.find_spec("mem0") else {})


def _langmem_inputs(talk: Sequence[Exchange], when: str) -> list[tuple[list[Exchange], list[Exchange]]]:
    """(new exchanges, exchanges passed to LangMem) of each call."""
    if when == "debounced":
        return [(batch, batch) for batch in batches(talk)]
    if when == "exchange":
        return [([one], [one]) for one in talk]
    so_far: dict[str, list[Exchange]] = {}
    readings = []
    for one in talk:
        so_far.setdefault(one.thread, []).append(one)
        readings.append(([one], list(so_far[one.thread])))
    return readings


def _item(one: Exchange) -> InboxItem:
    said = (START + timedelta(seconds=one.seconds)).isoformat()
    return InboxItem(MessageId(one.message), ThreadId(one.thread), one.text, said, one.answer)


def _messages(one: Exchange) -> list[AnyMessage]:
    messages: list[Any] = [HumanMessage(one.text), AIMessage(one.answer)]
    return messages
