"""Measure what formation keeps, admits and forgets, its model calls, and the speed of the rules; see formation.md."""

import argparse
import asyncio
import json
import platform
import time
import warnings
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .formation_accuracy import rules
from .formation_changes import compatible, corrections, follow_ups, forget, free_updates, updates
from .formation_conversations import conversations
from .formation_coverage import coverage
from .formation_deformations import deformations
from .formation_extractions import good_model, misled_model
from .formation_model import CountingModel
from .formation_rules import load_messages, quality, speed
from .formation_systems import installed_systems
from .formation_table import print_table
from .formation_talk import Exchange, batches, conversation
from .tip_figures import Result, print_results

RESULTS = Path(__file__).parent / "results" / "formation.json"
SETS: Mapping[str, Callable[[], Coroutine[Any, Any, Sequence[Result]]]] = {
    "coverage": coverage,
    "rules": rules,
    "good_model": good_model,
    "misled_model": misled_model,
    "forget": forget,
    "deformations": deformations,
    "corrections": corrections,
    "updates": updates,
    "free_updates": free_updates,
    "follow_ups": follow_ups,
    "compatible": compatible,
    "conversations": conversations,
}
COSTS, SPEED = "costs", "speed"
COSTS_KEY = "per_1000_messages"
PARTS = (*SETS, COSTS, SPEED)


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


def measure(part: str, *, failures: bool) -> dict[str, Any]:
    """Measure a part and print its figures."""
    if part == COSTS:
        talk = conversation(load_messages())
        return {"conversation": describe_conversation(talk), COSTS_KEY: asyncio.run(measure_costs(talk))}
    if part == SPEED:
        messages = load_messages()
        found = {"quality": quality(messages), "speed": speed(messages)}
        print(json.dumps(found, indent=1))
        return {"labelled_messages": found}
    started = time.monotonic()
    results = asyncio.run(SETS[part]())
    print_results(f"{part} ({time.monotonic() - started:.0f} s)", results, failures=failures)
    return {part: {result.name: result.as_json() for result in results}}


def main() -> None:
    """Measure and update results/formation.json; parts that are not measured keep their figures."""
    parser = argparse.ArgumentParser(description="Measure the formation of memories.")
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part; may be repeated")
    parser.add_argument("--failures", action="store_true", help="print the failed rows of the tuning half")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    for part in arguments.part or PARTS:
        found = measure(part, failures=arguments.failures)
        results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        results |= {"measured": datetime.now(UTC).isoformat(timespec="seconds"), "python": platform.python_version()}
        if COSTS_KEY in found:  # a system that is not installed keeps its figures
            found[COSTS_KEY] = results.get(COSTS_KEY, {}) | found[COSTS_KEY]
        RESULTS.write_text(json.dumps(results | found, indent=1) + "\n")
    print_table(json.loads(RESULTS.read_text()))


if __name__ == "__main__":
    main()
