"""A tiny ONNX model that counts words: enough for fastembed to load and run it."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace

PAD, UNKNOWN = "[PAD]", "[UNK]"


def write_onnx_model(folder: Path, words: Sequence[str]) -> Path:
    """Write a model whose vectors have one dimension per word, and one for all other words."""
    folder.mkdir(parents=True)
    dims = len(words) + 1
    vocabulary = {PAD: 0, UNKNOWN: 1, **{word: number for number, word in enumerate(words, start=2)}}
    table = np.zeros((len(vocabulary), dims), np.float32)
    table[1, dims - 1] = 0.1
    table[2:, : dims - 1] = 3 * np.eye(dims - 1)
    _write_graph(folder / "model.onnx", table)
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token=UNKNOWN))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    for name, content in {
        "config.json": {"hidden_size": dims, "pad_token_id": 0},
        "tokenizer_config.json": {"model_max_length": 64, "pad_token": PAD},
        "special_tokens_map.json": {"pad_token": PAD, "unk_token": UNKNOWN},
    }.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder


def _write_graph(path: Path, table: np.ndarray) -> None:
    """Write a graph that looks up the vector of each token: [B][T] ids to [B][T][dims]."""
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", table.shape[1]])
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        "words",
        inputs,
        [output],
        [numpy_helper.from_array(table, "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
