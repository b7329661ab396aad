"""Stores that memories are formed in, somebody to form them of, and their home in Oslo."""

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
    """A database for everybody here; each test is about somebody new."""
    return databases.create("text-embedding-3-small")


@pytest.fixture(params=["postgres", "memory", "memory without vectors"])
async def store(request: pytest.FixtureRequest, shared: str) -> AsyncIterator[BaseStore]:
    """Each store that memories are formed in."""
    if request.param == "postgres":
        async with postgres_store(shared) as postgres:
            yield postgres
    else:
        yield memory_store(indexed=request.param == "memory")


@pytest.fixture
def user() -> UserId:
    return new_user()


def former(extractor: ScriptedExtractor | RulesExtractor, *, max_facts: int = 100) -> ExtractorFormer:
    return ExtractorFormer(extractor, min_confidence=0.7, max_facts=max_facts)


async def form(
    store: BaseStore, user: UserId, extractor: ScriptedExtractor, text: str, *, minute: float = 0.0
) -> FormationResult:
    """Say one thing, and distil it."""
    return await former(extractor).process(
        store, user, await add_to_inbox(store, user, inbox_item(text, minute=minute))
    )


async def live_in_oslo(store: BaseStore, user: UserId) -> None:
    """Have somebody known to live in Oslo, by fact, episode and profile."""
    told = extractor_returning(OSLO, episode="User told they live in Oslo.", personal_context="Lives in Oslo.")
    assert await form(store, user, told, "I live in Oslo.") == FormationResult(added=1, episodes=1)
