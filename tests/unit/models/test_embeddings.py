"""The embedding cache: one model call per user and text."""

import asyncio

import pytest

from agent.errors import EmbedderUnavailableError
from agent.models.embeddings import BATCH_SIZE, MAX_EMBEDDED_CHARS, CachedEmbeddings

OWNER = "users.ada"


class Embedder:
    """Records its calls and answers when `may_answer` is set."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.fails = False

    async def __call__(self, texts: list[str]) -> list[list[float]]:
        self.calls.append(texts)
        await self.may_answer.wait()
        if self.fails:
            raise ValueError("no")
        return [[float(len(text))] for text in texts]


async def test_a_text_is_embedded_once() -> None:
    embedder = Embedder()
    embeddings = CachedEmbeddings(embedder)
    assert await embeddings.aembed_query("ab", owner=OWNER) == [2.0]
    assert await embeddings.aembed_documents(["abc", "ab", "abc"], owner=OWNER) == [[3.0], [2.0], [3.0]]
    assert embedder.calls == [["ab"], ["abc"]]


async def test_concurrent_callers_share_one_call() -> None:
    embedder = Embedder()
    embedder.may_answer.clear()
    embeddings = CachedEmbeddings(embedder)
    queries = [asyncio.create_task(embeddings.aembed_query("ab", owner=OWNER)) for _ in range(5)]
    documents = asyncio.create_task(embeddings.aembed_documents(["ab", "abc"], owner=OWNER))
    await asyncio.sleep(0)
    embedder.may_answer.set()
    assert await asyncio.gather(*queries, documents) == [[2.0]] * 5 + [[[2.0], [3.0]]]
    assert embedder.calls == [["ab"], ["abc"]]


async def test_a_text_is_embedded_before_it_is_needed() -> None:
    embedder = Embedder()
    embeddings = CachedEmbeddings(embedder)
    embeddings.prefetch("ab", owner=OWNER)
    assert await embeddings.aembed_documents(["abc", "ab"], owner=OWNER) == [[3.0], [2.0]]
    embeddings.prefetch("ab", owner=OWNER)
    await asyncio.sleep(0)
    assert embedder.calls == [["ab"], ["abc"]]


async def test_a_failure_of_a_prefetch_is_raised_where_the_text_is_needed() -> None:
    embedder = Embedder()
    embedder.fails = True
    embeddings = CachedEmbeddings(embedder)
    embeddings.prefetch("ab", owner=OWNER)
    with pytest.raises(EmbedderUnavailableError):
        await embeddings.aembed_query("ab", owner=OWNER)


async def test_a_cancelled_caller_does_not_cancel_the_call() -> None:
    embedder = Embedder()
    embedder.may_answer.clear()
    embeddings = CachedEmbeddings(embedder)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(embeddings.aembed_query("ab", owner=OWNER), 0.01)
    embedder.may_answer.set()
    assert await embeddings.aembed_query("ab", owner=OWNER) == [2.0]
    assert embedder.calls == [["ab"]]


async def test_a_failure_reaches_all_callers_and_is_not_cached() -> None:
    embedder = Embedder()
    embedder.fails = True
    embeddings = CachedEmbeddings(embedder)
    for result in await asyncio.gather(
        *(embeddings.aembed_query("ab", owner=OWNER) for _ in range(3)), return_exceptions=True
    ):
        assert isinstance(result, EmbedderUnavailableError)
    embedder.fails = False
    assert await embeddings.aembed_query("ab", owner=OWNER) == [2.0]


async def test_the_least_recently_used_text_is_evicted() -> None:
    embedder = Embedder()
    embeddings = CachedEmbeddings(embedder, size=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        await embeddings.aembed_query(text, owner=OWNER)
    assert embedder.calls == [["a"], ["b"], ["c"], ["b"]]


async def test_many_texts_are_embedded_in_batches() -> None:
    embedder = Embedder()
    texts = ["x" * n for n in range(2 * BATCH_SIZE + 1)]
    assert await CachedEmbeddings(embedder).aembed_documents(texts) == [[float(len(text))] for text in texts]
    assert [len(call) for call in embedder.calls] == [BATCH_SIZE, BATCH_SIZE, 1]


async def test_long_texts_are_truncated() -> None:
    embedder = Embedder()
    assert await CachedEmbeddings(embedder).aembed_query("x" * MAX_EMBEDDED_CHARS * 2) == [float(MAX_EMBEDDED_CHARS)]
