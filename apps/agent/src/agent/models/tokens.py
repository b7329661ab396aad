"""Count tokens with the model's tokenizer table if it is on disk, else with a conservative estimate.

tiktoken downloads missing tables; this module never does. It uses a table only if tiktoken's cache directory contains
it with the right checksum.
"""

import hashlib
import math
import os
import re
import tempfile
from functools import cache
from pathlib import Path

import tiktoken
from tiktoken.model import encoding_name_for_model

# By encoding: the name of the file in tiktoken's cache (SHA-1 of its URL), and the expected SHA-256.
# Source: tiktoken/load.py and tiktoken_ext/openai_public.py, 0.14.
_O200K = (
    "fb374d419588a4632f3f557e76b4b70aebbca790",
    "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
)
_CL100K = (
    "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
)
_TABLES = {"o200k_base": _O200K, "o200k_harmony": _O200K, "cl100k_base": _CL100K}

# Weights of the estimate, in tokens per match. Fitted by linear programming to o200k_base and cl100k_base on 7,000
# texts (prose in 90 languages, code, numbers, base64, emoji, random letters): the smallest sum that is never 5 % low.
_BASE = 3.0
_ASCII = (
    (re.compile(r"[A-Z]?[a-z]+|[A-Z]+"), 0.88),
    (re.compile(r"[A-Z]"), 0.13),
    (re.compile(r"[0-9]{1,3}"), 1.12),
    (re.compile(r"[^\sA-Za-z0-9\x80-\U0010ffff]"), 0.75),
    (re.compile(r"[\r\n]+"), 1.9),
    (re.compile(r"[^\S\r\n]{2,}|[^\S\r\n](?=[0-9]|$)"), 1.2),
    (re.compile(r"\s{6}"), 0.63),
)
_PAIR = re.compile(r"(?=([a-z]{2}))")
_RARE_PAIR = 0.64
# The 100 most frequent letter pairs in English, 75 % of all pairs; words of these pairs take few tokens.
_COMMON_PAIRS = frozenset(
    re.findall(
        "..",
        "acadalamanarasatavbecacechcoctdedidoeaecedeeeleneresetfogehahehihohticieiliminioisitkelalelilllolyma"
        "memincndnengnonsntofomonoooporotouowpepoprrarerirorsrtsesisossstsutatethtitotrunurusutvewawewhwiwoyo",
    )
)
# Weight of each letter by script: with o200k, and with tables that cover fewer scripts.
_SCRIPTS = {
    "\u00a0-\u024f\u0300-\u036f\u1e00-\u1eff": (0.4, 1.35),  # Latin with accents
    "\u0370-\u03ff": (0.54, 1.08),  # Greek
    "\u0400-\u052f": (0.85, 1.05),  # Cyrillic
    "\u0590-\u05ff": (0.48, 1.2),  # Hebrew
    "\u0600-\u06ff": (0.68, 1.23),  # Arabic
    "\u0900-\u0e7f": (0.67, 1.95),  # Indic scripts and Thai
    "\u0530-\u058f\u10a0-\u10ff": (0.43, 2.1),  # Armenian, Georgian
    "\u3000-\u30ff": (0.7, 0.87),  # kana
    "\u4e00-\u9fff": (0.88, 1.65),  # Han
    "\uac00-\ud7a3": (0.8, 1.38),  # hangul
    "\u2000-\u27bf": (1.75, 1.55),  # symbols
}
_OTHER = re.compile(f"[^\\x00-\\x7f{''.join(_SCRIPTS)}]+")
_OTHER_BYTE = 1.0


def count_tokens(text: str, *, model: str = "") -> int:
    """Count the tokens of a text for a model.

    Without the model's table, and for models that are not from OpenAI, the result is an estimate: 1.1 to 1.7 times the
    actual number for most texts, up to 3 times in scripts that the table covers well, and never 5 % too low.
    """
    name = _encoding_name(model)
    encoding = _encoding(name, _cache_dir())
    return len(encoding.encode_ordinary(text)) if encoding else _estimate(text, o200k=name.startswith("o200k"))


def _estimate(text: str, *, o200k: bool) -> int:
    if not text:
        return 0
    tokens = _BASE + sum(weight * len(pattern.findall(text)) for pattern, weight in _ASCII)
    pairs = _PAIR.findall(text.lower())
    tokens += _RARE_PAIR * (len(pairs) - sum(map(_COMMON_PAIRS.__contains__, pairs)))
    if not text.isascii():
        by_script = ((script, weights[0 if o200k else 1]) for script, weights in _SCRIPTS.items())
        tokens += sum(weight * len(re.findall(f"[{script}]", text)) for script, weight in by_script)
        tokens += _OTHER_BYTE * len("".join(_OTHER.findall(text)).encode("utf-8", "surrogatepass"))
    return math.ceil(tokens)


@cache
def _encoding_name(model: str) -> str:
    try:
        return encoding_name_for_model(model)
    except KeyError:
        return ""


def _cache_dir() -> str:
    configured = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR"))
    return str(Path(tempfile.gettempdir(), "data-gym-cache")) if configured is None else configured


@cache
def _encoding(name: str, cache_dir: str) -> tiktoken.Encoding | None:
    if not cache_dir or name not in _TABLES:
        return None
    file_name, sha256 = _TABLES[name]
    table = Path(cache_dir, file_name)
    is_valid = table.is_file() and hashlib.sha256(table.read_bytes()).hexdigest() == sha256
    return tiktoken.get_encoding(name) if is_valid else None
