"""Invalid puts, each for another reason."""

from typing import Any

from integration.store.embedder import MISSHAPEN, POISON

BAD: dict[str, dict[str, Any]] = {
    "NUL": {"text": "red car", "note": ["a\0b"]},
    "NUL in a name": {"text": "red car", "a\0b": 1},
    "lone surrogate": {"text": "red car", "note": {"deep": "\ud800"}},
    "unserialisable": {"text": "red car", "note": {1, 2}},
    "not a number": {"text": "red car", "note": float("nan")},
    "failing embedding": {"text": f"red {POISON}"},
    "misshapen embedding": {"text": f"red {MISSHAPEN}"},
}
