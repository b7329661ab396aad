"""Setup reports problems that would cause failures later (exact store only)."""

import asyncio
from collections.abc import Sequence

import psycopg
import pytest
from langgraph.store.base import PutOp

from agent.errors import SetupError
from integration.store.embedder import WordEmbedder
from integration.store.stores import EXACT, STOCK, Store, indexed, keys_of, opened, rows

STOCKS_INDEX = "store_vectors_embedding_idx"
TOO_MANY_DIMS = 3_072  # more than an index of pgvector can hold


async def _set_up(kind: type[Store], uri: str, *, dims: int = 8) -> None:
    async with opened(kind, uri, index=indexed(WordEmbedder(), dims=dims)) as store:
        await store.setup()


async def _invalid_indexes(uri: str) -> list[str]:
    found = await rows(uri, "SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid")
    return [name for (name,) in found]


async def _repairs_or_names(uri: str, *, dims: int = 8) -> None:
    try:
        await _set_up(EXACT, uri, dims=dims)
    except SetupError as error:
        assert STOCKS_INDEX in str(error)  # noqa: PT017 - either way will do, so nothing needs to be raised
    else:
        assert await _invalid_indexes(uri) == []


async def test_concurrent_setups_succeed(new_database: str) -> None:
    await asyncio.gather(*(_set_up(EXACT, new_database) for _ in range(4)))
    async with opened(EXACT, new_database, index=indexed(WordEmbedder())) as store:
        await store.aput(("users", "ada"), "a", {"text": "car"})
        assert keys_of(await store.asearch(("users", "ada"), query="car")) == ["a"]
    assert await _invalid_indexes(new_database) == []


async def test_setup_does_not_wait_for_readers(new_database: str) -> None:
    await _set_up(EXACT, new_database)
    async with await psycopg.AsyncConnection.connect(new_database) as reader, asyncio.timeout(10):
        await reader.execute("SELECT FROM store, store_vectors")
        await _set_up(EXACT, new_database)


@pytest.mark.parametrize("made_by", [STOCK, EXACT], ids=["stock", "exact"])
async def test_other_dimensions_are_rejected_with_both_numbers(new_database: str, made_by: type[Store]) -> None:
    await _set_up(made_by, new_database)
    with pytest.raises(SetupError, match=r"\b8\b.*\b4\b|\b4\b.*\b8\b"):
        await _set_up(EXACT, new_database, dims=4)
    await _set_up(EXACT, new_database)


async def test_an_invalid_index_is_named_or_repaired(new_database: str) -> None:
    await _set_up(STOCK, new_database)
    await rows(new_database, "UPDATE pg_index SET indisvalid = false WHERE indexrelid = %s::regclass", STOCKS_INDEX)
    await _repairs_or_names(new_database)


async def test_a_failed_index_is_named_or_removed(new_database: str) -> None:
    with pytest.raises(psycopg.errors.ProgramLimitExceeded):
        await _set_up(STOCK, new_database, dims=TOO_MANY_DIMS)
    assert await _invalid_indexes(new_database) == [STOCKS_INDEX]
    await _repairs_or_names(new_database, dims=TOO_MANY_DIMS)


async def test_vectors_too_large_for_an_index_are_supported(new_database: str) -> None:
    async def embed(texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, *[len(text) / 9] * (TOO_MANY_DIMS - 1)] for text in texts]

    async with opened(EXACT, new_database, index=indexed(embed, dims=TOO_MANY_DIMS)) as store:
        await store.setup()
        await store.abatch([PutOp(("docs",), "x" * n, {"text": "x" * n}) for n in range(1, 9)])
        [found] = await store.asearch(("docs",), query="xxx", limit=1)
        assert (found.key, round(found.score or 0, 6)) == ("xxx", 1.0)
