"""Measure the model calls of memory formation, and the accuracy and speed of the rules; see formation.md."""

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
from .formation_rules import load_messages, quality, speed
from .formation_systems import installed_systems
from .formation_talk import Exchange, batches, conversation

HERE = Path(__file__).parent


async def measure_costs(talk: Sequence[Exchange]) -> dict[str, Any]:
    """Calls and tokens of each system, per 1,000 messages."""
    found: dict[str, Any] = {}
    for name, run in installed_systems().items():
        started = time.monotonic()
        with CountingModel() as model, model.counting() as counted:
            await run(model, talk)
        found[name] = counted.per_thousand(len(talk))
        print(f"{name:32} {found[name]}  ({time.monotonic() - started:.0f} s)")
    return found


def describe_conversation(talk: Sequence[Exchange]) -> dict[str, int]:
    """Size of the conversation."""
    return {
        "messages": len(talk),
        "threads": len({one.thread for one in talk}),
        "batches": len(list(batches(talk))),
        "chars_a_message": round(sum(len(one.text) for one in talk) / len(talk)),
        "chars_an_answer": round(sum(len(one.answer) for one in talk) / len(talk)),
    }


def main() -> None:
    """Measure and update results/formation.json; parts that are not measured keep their figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", choices=["all", "costs", "rules"], default="all")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    messages = load_messages()
    path = HERE / "results" / "formation.json"
    results = json.loads(path.read_text()) if path.exists() else {}
    results |= {"measured": datetime.now(UTC).isoformat(timespec="seconds"), "python": platform.python_version()}
    if arguments.part != "rules":
        talk = conversation(messages)
        results |= {"conversation": describe_conversation(talk), "per_1000_messages": asyncio.run(measure_costs(talk))}
    if arguments.part != "costs":
        results |= {"rules": {"quality": quality(messages), "speed": speed(messages)}}
        print(json.dumps(results["rules"], indent=1))
    path.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
