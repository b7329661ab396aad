"""The stores in which memories are formed, a new user per test, and helpers to process messages."""

from collections.abc import AsyncIterator

import pytest
from langgraph.store.base import BaseStore

from agent.memory.formation.extract import RulesExtractor
from agent.memory.formation.former import ExtractorFormer
from agent.types import FormationResult, UserId
from conftest import Databases
from support.formation import (
    ScriptedExtractor,
    add_to_inbox,
    extractor_returning,
    fact,
    inbox_item,
    memory_store,
    new_user,
    postgres_store,
)

OSLO = fact("Lives in Oslo", "I live in Oslo")


@pytest.fixture(scope="module")
def shared(databases: Databases) -> str:
    """One database for all tests of a module; each test has its own user."""
    return databases.create("text-embedding-3-small")


@pytest.fixture(params=["postgres", "memory", "memory without vectors"])
async def store(request: pytest.FixtureRequest, shared: str) -> AsyncIterator[BaseStore]:
    """Postgres, and LangGraph's store in memory with and without vectors."""
    if request.param == "postgres":
        async with postgres_store(shared) as postgres:
            yield postgres
    else:
        yield memory_store(indexed=request.param == "memory")


@pytest.fixture
def user() -> UserId:
    return new_user()


def make_former(extractor: ScriptedExtractor | RulesExtractor, *, max_facts: int = 100) -> ExtractorFormer:
    return ExtractorFormer(extractor, min_confidence=0.7, max_facts=max_facts)


async def process_message(
    store: BaseStore, user: UserId, extractor: ScriptedExtractor, text: str, *, minute: float = 0.0
) -> FormationResult:
    """Process one message."""
    return await make_former(extractor).process(
        store, user, await add_to_inbox(store, user, inbox_item(text, minute=minute))
    )


async def learn_oslo(store: BaseStore, user: UserId) -> None:
    """Store a fact, an episode and a profile sentence about Oslo."""
    extractor = extractor_returning(OSLO, episode="User told they live in Oslo.", personal_context="Lives in Oslo.")
    assert await process_message(store, user, extractor, "I live in Oslo.") == FormationResult(added=1, episodes=1)
