"""A local embedding model runs in this process, and says what is wrong with its folder or name."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from agent import AgentSettings
from agent.errors import SetupError
from agent.models.embedder_factory import make_embeddings
from agent.models.local_embeddings import LocalEmbeddings
from support.missing_package import hide_package
from support.onnx_model import write_onnx_model

WORDS = ("geige", "katze", "花生")
DIMS = len(WORDS) + 1


def load(folder: Path, dims: int = DIMS) -> LocalEmbeddings:
    return LocalEmbeddings(str(folder), dims=dims, cache_dir=folder / "cache")


def settings(folder: Path | str, **more: object) -> AgentSettings:
    return AgentSettings.model_validate({"embedding_model": f"local:{folder}", **more})


async def test_texts_are_embedded_in_order_with_unit_length(tmp_path: Path) -> None:
    embeddings = make_embeddings(settings(write_onnx_model(tmp_path / "words", WORDS)), None)
    texts = ["Katze", "", "Die Geige und die Katze", "花生", "\ud800 " + "Geige " * 1_000]
    vectors = np.array(await embeddings.aembed_documents(texts))
    assert vectors.shape == (len(texts), DIMS)
    assert np.linalg.norm(vectors[[0, 2, 3, 4]], axis=1) == pytest.approx(1)
    assert vectors.argmax(axis=1)[[0, 3, 4]].tolist() == [1, 2, 0]
    assert vectors[2, :2] == pytest.approx([0.5**0.5, 0.5**0.5], abs=0.01)


def test_dimensions_are_those_of_the_model(tmp_path: Path) -> None:
    assert settings(write_onnx_model(tmp_path / "words", WORDS)).dims == DIMS
    assert settings("intfloat/multilingual-e5-small").dims == 384
    assert settings("sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2").dims == 384
    assert settings("intfloat/multilingual-e5-large").dims == 1024


async def test_vectors_do_not_depend_on_the_batch(tmp_path: Path) -> None:
    model = load(write_onnx_model(tmp_path / "words", WORDS))
    texts = ["Katze " * n + "und Geige" for n in range(1, 70)]
    assert np.array(model.embed_documents(texts)) == pytest.approx(np.array([model.embed_query(t) for t in texts]))
    queries = await asyncio.gather(*(model.aembed_query(text) for text in texts))
    assert np.array(queries) == pytest.approx(np.array(model.embed_documents(texts)))


def test_all_texts_of_an_e5_model_have_the_prefix_of_queries(tmp_path: Path) -> None:
    words = ("query", *WORDS)
    e5, other = (load(write_onnx_model(tmp_path / name, words), DIMS + 1) for name in ("multilingual-e5-tiny", "e500"))
    assert e5.embed_query("Katze") == pytest.approx(other.embed_query("query: Katze"))
    assert e5.embed_documents(["Katze"])[0] == pytest.approx(e5.embed_query("Katze"))
    assert other.embed_query("Katze")[0] == pytest.approx(0)


def test_pooling_is_that_of_the_folder(tmp_path: Path) -> None:
    folder = write_onnx_model(tmp_path / "first", WORDS)
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    assert load(folder).embed_query("Katze Geige")[:2] == pytest.approx([0, 1])


def test_other_dimensions_are_rejected_with_the_right_ones(tmp_path: Path) -> None:
    folder = write_onnx_model(tmp_path / "words", WORDS)
    with pytest.raises(SetupError, match=f"KEEPSAKE_EMBEDDING_DIMS={DIMS}"):
        make_embeddings(settings(folder, embedding_dims=DIMS + 1), None)


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json", "tokenizer_config.json"])
def test_an_incomplete_folder_is_rejected_with_the_missing_file(tmp_path: Path, missing: str) -> None:
    folder = write_onnx_model(tmp_path / "words", WORDS)
    (folder / missing).unlink()
    with pytest.raises(SetupError, match=missing):
        load(folder)


def test_a_broken_model_is_rejected(tmp_path: Path) -> None:
    folder = write_onnx_model(tmp_path / "words", WORDS)
    (folder / "model.onnx").write_bytes(b"no model")
    with pytest.raises(SetupError, match="cannot be loaded"):
        load(folder)


@pytest.mark.parametrize("name", ["", "no/such-model", "/no/such/folder"])
def test_an_unknown_name_is_rejected_with_the_remedy(name: str) -> None:
    with pytest.raises(SetupError, match="check its name"):
        settings(name).dims  # noqa: B018 - the property raises


USES: dict[str, Callable[[AgentSettings], object]] = {
    "settings.dims": lambda settings: settings.dims,
    "make_embeddings": lambda settings: make_embeddings(settings, None),
}


@pytest.mark.parametrize("use", USES)
def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use: str) -> None:
    hide_package(monkeypatch, "fastembed")
    name = "no/model" if use == "settings.dims" else write_onnx_model(tmp_path / "words", WORDS)
    with pytest.raises(SetupError) as error:
        USES[use](settings(name))
    assert str(error.value).startswith("KEEPSAKE_EMBEDDING_MODEL=local:… needs the extra")
    assert "pip install 'keepsake-agent[local]'" in str(error.value)
