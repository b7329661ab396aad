"""Measure which memories the prompt contains, through the whole service; see README.md."""

import argparse
import asyncio
import json
import os
import platform
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from . import tip_parts, tip_precision
from .tip_evidence import evidence
from .tip_figures import Result, print_results
from .tip_prefix import prefix
from .tip_service import running

RESULTS = Path(__file__).parent / "results"
OVER_HTTP: dict[str, tip_parts.Part] = {
    "matters": tip_parts.matters,
    "many": tip_parts.many,
    "standing": tip_parts.standing,
    "languages": tip_parts.languages,
    "truth": tip_parts.truth,
}
PREFIX, PRECISION, EVIDENCE = "prefix", "precision", "evidence"
PARTS = (*OVER_HTTP, PREFIX, PRECISION)
"""The parts that run by default."""


def find_data(data: Path | None, name: str) -> Path | None:
    """The directory of a data set: `data` itself or a directory in it, or None."""
    found = sorted([*data.glob(name), *data.glob(f"*/{name}")]) if data else []
    return found[0].parent if found else None


async def measure_part(part: str, data: Path | None) -> Sequence[Result]:
    """Measure a part on an empty database; empty if its data set is missing."""
    if part == PREFIX:
        return await prefix()
    data_set = find_data(data, tip_precision.SEED)
    if part == PRECISION and data_set is None:
        print(f"\n{PRECISION}: skipped, DATA contains no {tip_precision.SEED}")
        return []
    async with running() as service:
        results = (
            await tip_precision.precision(service, data_set)
            if part == PRECISION and data_set
            else await OVER_HTTP[part](service)
        )
        if service.degraded:
            print(f"\n{part}: memory was not searched completely for {len(service.degraded)} messages")
        return results


def measure(parts: Sequence[str], data: Path | None, *, failures: bool) -> dict[str, Any]:
    """Measure parts one after the other and print their figures."""
    found = {}
    for part in parts:
        started = time.monotonic()
        if results := asyncio.run(measure_part(part, data)):
            print_results(f"{part} ({time.monotonic() - started:.0f} s)", results, failures=failures)
            found[part] = {result.name: result.as_json() for result in results}
    return found


def measure_evidence(data: Path | None, accounts: int | None) -> dict[str, Any]:
    """Measure LoCoMo's evidence, if it is there; empty if not all conversations are measured."""
    data_set = find_data(data, "locomo10.json")
    if data_set is None:
        print(f"\n{EVIDENCE}: skipped, DATA contains no locomo10.json")
        return {}
    found = asyncio.run(evidence(data_set, accounts))
    return {} if accounts else {EVIDENCE: found}


def main() -> None:
    """Measure, print figures and update results/tip.json; parts that are not measured keep their figures."""
    parser = argparse.ArgumentParser(description="Measure which memories the prompt contains.")
    parser.add_argument("data", type=Path, nargs="?", help="directory of the public data sets")
    parser.add_argument("--part", choices=[*PARTS, EVIDENCE], action="append", help="only this part; may be repeated")
    parser.add_argument("--failures", action="store_true", help="print the failed rows of the tuning half")
    parser.add_argument("--accounts", type=int, help="of the evidence: number of conversations; writes no results")
    parser.add_argument("--results", type=Path, default=RESULTS / "tip.json", help="file for the figures")
    arguments = parser.parse_args()
    parts = arguments.part or PARTS
    found = measure([part for part in parts if part != EVIDENCE], arguments.data, failures=arguments.failures)
    if EVIDENCE in parts:
        found |= measure_evidence(arguments.data, arguments.accounts)
    setting = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
    }
    written = json.loads(arguments.results.read_text()) if arguments.results.exists() else {}
    written |= {part: {"setting": setting, **figures} for part, figures in found.items()}
    arguments.results.write_text(json.dumps(written, indent=2) + "\n")


if __name__ == "__main__":
    main()
