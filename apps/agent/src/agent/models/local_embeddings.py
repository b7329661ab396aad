"""Embedding models that run in this process with fastembed: ONNX, without torch and without a server."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from langchain_core.embeddings import Embeddings

from agent.errors import SetupError
from agent.settings import E5_DIMS, LOCAL_EXTRA_MISSING

if TYPE_CHECKING:
    from fastembed import TextEmbedding

BATCH_SIZE = 32  # texts per pass, all padded to the longest
MODEL_FILES = ("model.onnx", "onnx/model.onnx", "model_optimized.onnx")
_E5 = re.compile(r"(^|[-_])e5([-_]|$)", re.IGNORECASE)


class LocalEmbeddings(Embeddings):
    """Embed texts with an ONNX model; the asynchronous methods run in a worker thread.

    E5 models expect a prefix. All texts get "query: ", which their authors prescribe where both sides of a comparison
    are embedded alike; "passage: " would need a second vector of each message, which is both a query and a document.

    Args:
        name: a folder with an ONNX model and its tokenizer, or a model that fastembed downloads into `cache_dir`.
        dims: the length of its vectors.
        cache_dir: where downloaded models are kept.

    Raises:
        SetupError: the extra is missing, or the model cannot be loaded or has other dimensions.
    """

    def __init__(self, name: str, *, dims: int, cache_dir: Path) -> None:
        self._prefix = "query: " if _E5.search(Path(name).name) else ""
        self._model = _load(name, dims, cache_dir)
        try:
            actual = len(self.embed_query("ok"))
        except Exception as error:  # onnxruntime's errors have no common class
            raise SetupError(f"the embedding model {name} does not embed texts: {error}") from error
        if actual != dims:
            raise SetupError(f"the vectors of {name} have {actual} dimensions: set KEEPSAKE_EMBEDDING_DIMS={actual}")

    def embed_query(self, text: str) -> list[float]:
        """Embed one text: [dims]."""
        return self.embed_documents([text])[0]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed N texts in order: [N][dims], each of unit length."""
        # JSON can contain lone surrogates, which tokenizers reject.
        prefixed = [self._prefix + text.encode("utf-8", "replace").decode() for text in texts]
        vectors = np.array(list(self._model.embed(prefixed, batch_size=BATCH_SIZE)), np.float32)
        norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
        unit: list[list[float]] = (vectors / np.maximum(norms, np.finfo(np.float32).tiny)).tolist()
        return unit


def _load(name: str, dims: int, cache_dir: Path) -> "TextEmbedding":
    try:
        from fastembed import TextEmbedding  # noqa: PLC0415 - an optional extra, which takes a second to import
    except ImportError as error:
        raise SetupError(LOCAL_EXTRA_MISSING) from error
    folder = Path(name)
    try:
        if folder.is_dir():
            model_file = next(file for file in MODEL_FILES if (folder / file).is_file())
            _register(name, dims, model_file, pools_first_token=_pools_first_token(folder))
            return TextEmbedding(name, specific_model_path=name)
        if name in E5_DIMS:
            _register(name, dims, "onnx/model.onnx", pools_first_token=False)
        return TextEmbedding(name, cache_dir=str(cache_dir))
    except StopIteration as error:
        raise SetupError(f"the folder {name} contains none of {', '.join(MODEL_FILES)}") from error
    except Exception as error:  # those of fastembed, onnxruntime, tokenizers and the download have no common class
        raise SetupError(f"the embedding model {name} cannot be loaded: {error}") from error


def _register(name: str, dims: int, model_file: str, *, pools_first_token: bool) -> None:
    """Add a model to fastembed's list, which is global, once."""
    from fastembed import TextEmbedding  # noqa: PLC0415 - an optional extra
    from fastembed.common.model_description import ModelSource, PoolingType  # noqa: PLC0415

    if name.lower() not in {model["model"].lower() for model in TextEmbedding.list_supported_models()}:
        pooling = PoolingType.CLS if pools_first_token else PoolingType.MEAN
        TextEmbedding.add_custom_model(
            name, pooling, normalization=True, sources=ModelSource(hf=name), dim=dims, model_file=model_file
        )


def _pools_first_token(folder: Path) -> bool:
    """Read how sentence-transformers pools the tokens' vectors; without its file, their mean is used."""
    config = folder / "1_Pooling" / "config.json"
    return config.is_file() and bool(json.loads(config.read_text()).get("pooling_mode_cls_token"))
