"""Timing: what one user has said does not change how long anything takes for another."""

import asyncio

from agent.language.text_cache import cache_per_user
from agent.log_context import bind_user
from agent.memory.records import namespaces
from agent.models.embeddings import CachedEmbeddings
from agent.types import UserId
from support.memory_stores import recaller

ADA, EVE = UserId("ada"), UserId("eve")
SECRET = "Earns 93,500 a year"


class Embedder:
    """Records its calls, which end when `may_answer` is set."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.started = asyncio.Semaphore(0)
        self.may_answer = asyncio.Event()

    async def __call__(self, texts: list[str]) -> list[list[float]]:
        self.calls.append(texts)
        self.started.release()
        await self.may_answer.wait()
        return [[1.0, 0.0] for _ in texts]


async def test_an_embedded_text_of_another_user_causes_a_call_of_its_own() -> None:
    embedder = Embedder()
    embedder.may_answer.set()
    one = recaller(CachedEmbeddings(embedder))
    for user in (ADA, ADA, EVE, EVE):
        await one.is_standing(user, SECRET)
    assert embedder.calls == [[SECRET], [SECRET]]


async def test_a_pending_call_of_another_user_is_not_shared() -> None:
    embedder = Embedder()
    embeddings = CachedEmbeddings(embedder)
    owners = [namespaces.owner(user) for user in (ADA, ADA, EVE)]
    calls = [asyncio.create_task(embeddings.aembed_query(SECRET, owner=owner)) for owner in owners]
    await embedder.started.acquire()
    await embedder.started.acquire()
    embedder.may_answer.set()
    assert await asyncio.gather(*calls) == [[1.0, 0.0]] * 3
    assert embedder.calls == [[SECRET], [SECRET]]


async def test_a_text_without_an_owner_is_not_cached() -> None:
    embedder = Embedder()
    embedder.may_answer.set()
    embeddings = CachedEmbeddings(embedder)
    await embeddings.aembed_query(SECRET, owner=namespaces.owner(ADA))
    await embeddings.aembed_query(SECRET)
    await embeddings.aembed_query(SECRET)
    assert len(embedder.calls) == 3


async def test_analysed_texts_are_cached_for_one_user_only() -> None:
    analysed: list[str] = []

    @cache_per_user(maxsize=8)
    def analyse(text: str) -> int:
        analysed.append(text)
        return len(text)

    async def analyse_as(user: UserId) -> int:
        bind_user(user)
        return analyse(SECRET)

    for user, calls in ((ADA, 1), (ADA, 1), (EVE, 2), (ADA, 2)):
        assert await asyncio.create_task(analyse_as(user)) == len(SECRET)
        assert len(analysed) == calls
