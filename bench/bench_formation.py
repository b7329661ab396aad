"""What forming memories costs a model, and how well and how fast the rules do without one. See formation.md, here."""

import argparse
import asyncio
import json
import platform
import time
import warnings
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .formation_model import CountingModel
from .formation_rules import labelled, quality, speed
from .formation_systems import systems
from .formation_talk import Exchange, batches, conversation

HERE = Path(__file__).parent


async def costs(talk: Sequence[Exchange]) -> dict[str, Any]:
    """Return what each contestant asks of the model, per thousand messages."""
    found: dict[str, Any] = {}
    for name, run in systems().items():
        began = time.monotonic()
        with CountingModel() as model, model.counting() as counted:
            await run(model, talk)
        found[name] = counted.per_thousand(len(talk))
        print(f"{name:32} {found[name]}  ({time.monotonic() - began:.0f} s)")
    return found


def shape(talk: Sequence[Exchange]) -> dict[str, int]:
    """Return what the conversation is like."""
    return {
        "messages": len(talk),
        "threads": len({one.thread for one in talk}),
        "batches": len(list(batches(talk))),
        "chars_a_message": round(sum(len(one.text) for one in talk) / len(talk)),
        "chars_an_answer": round(sum(len(one.answer) for one in talk) / len(talk)),
    }


def main() -> None:
    """Measure, and write results/formation.json; what is not measured stays as it was there."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", choices=["all", "costs", "rules"], default="all")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    messages = labelled()
    path = HERE / "results" / "formation.json"
    results = json.loads(path.read_text()) if path.exists() else {}
    results |= {"measured": datetime.now(UTC).isoformat(timespec="seconds"), "python": platform.python_version()}
    if given.part != "rules":
        talk = conversation(messages)
        results |= {"conversation": shape(talk), "per_1000_messages": asyncio.run(costs(talk))}
    if given.part != "costs":
        results |= {"rules": {"quality": quality(messages), "speed": speed(messages)}}
        print(json.dumps(results["rules"], indent=1))
    path.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
