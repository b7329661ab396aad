"""The table of formation: each figure for both halves of its set, and its target."""

from collections.abc import Mapping
from typing import Any

ROWS: tuple[tuple[str, str, str], ...] = (
    ("coverage", "rules: answered after the flush, of those before", "1.000"),
    ("coverage", "model that finds nothing: answered after the flush, of those before", "1.000"),
    ("coverage", "model without usable answers: answered after the flush, of those before", "1.000"),
    ("coverage", "English messages that leave something behind", "≥ 0.950"),
    ("coverage", "other messages that leave something behind", "≥ 0.950"),
    ("rules", "memories formed by rules that are right", "≥ 0.950"),
    ("rules", "facts that rules form", "≥ 0.600"),
    ("good_model", "extractions of a good model that are kept", "≥ 0.980"),
    ("misled_model", "extractions of a misled model that get in", "≤ 0.010"),
    ("forget", "requests that remove something else", "0.000"),
    ("forget", "named memories that are removed or offered", ""),
    ("deformations", "answers typical of local models that form memories", "1.000"),
    ("corrections", "corrections right immediately and after the flush", "≥ 0.950"),
    ("updates", "updates right immediately and after the flush", "≥ 0.800"),
    ("free_updates", "free_updates right immediately and after the flush", ""),
    ("free_updates", "after the flush, outdated values allowed below", ""),
    ("follow_ups", "follow_ups right immediately and after the flush", "≥ 0.950"),
    ("conversations", "questions answered right immediately and after the flush", ""),
    ("conversations", "answers that are stored", "1.000"),
    ("compatible", "statements that a compatible one retires", "≤ 0.020"),
)


def print_table(results: Mapping[str, Any]) -> None:
    """Print the figures that were measured, now or earlier."""
    print(f"\n{'':76} {'tuning':>8} {'held back':>10} {'rows':>5}  target")
    for part, name, target in ROWS:
        if found := results.get(part, {}).get(name):
            shares = found["share"]
            print(f"{name:76} {shares['tuning']:8.3f} {shares['held_back']:10.3f} {found['rows']:5}  {target}")
