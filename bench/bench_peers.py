"""Compare Keepsake with LangGraph, LangMem, mem0 and `langgraph dev`; see README.md and peers/README.md."""

import argparse
import asyncio
import json
import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from gateway.http_server import fastest_loop

from .peer_figures import Measure
from .peer_processes import Setting, model_process, open_systems, versions
from .peer_recall import measure_recall
from .peer_report import failures, median_table, plot, ratio_table, replace_section, setting_text
from .peer_stages import (
    ACTIVE,
    Run,
    measure_bursts,
    measure_known,
    measure_puts,
    measure_searches,
    measure_tokens,
    measure_turns,
)
from .peer_systems import BARE, DEV, KEEPSAKE, LANGMEM, MEM0, PLAIN, BareModel
from .processes import HERE, MODEL

USERS = 500
NAMES = (KEEPSAKE, PLAIN, LANGMEM, MEM0, DEV)
RESULTS = HERE / "results"
STAGES: dict[str, Callable[[Run], Awaitable[list[Measure]]]] = {
    "turns": measure_turns,
    "bursts": measure_bursts,
    "puts": measure_puts,
    "searches": measure_searches,
    "known": measure_known,
    "tokens": measure_tokens,
}
STAGE_SECONDS = 300
"""A stage that takes longer is abandoned, so that the others are still measured."""


async def measure(options: argparse.Namespace) -> list[Measure]:
    """Start all systems and run the stages; a stage that fails does not stop the others."""
    measures: list[Measure] = []
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="keepsake-bench-")))
        url = stack.enter_context(model_process())
        http = await stack.enter_async_context(httpx.AsyncClient(base_url=url, trust_env=False, timeout=60))
        setting = Setting(url, folder, options.users, ACTIVE)
        systems, failed = await stack.enter_async_context(open_systems(setting, options.system or NAMES))
        run = Run(BareModel(url), http, systems, options.rounds)
        for stage in options.stage or STAGES:
            print(stage, end=" ", flush=True)
            try:
                async with asyncio.timeout(STAGE_SECONDS):
                    measures += await STAGES[stage](run)
            except Exception as error:  # noqa: BLE001 - the other stages are still measured
                traceback.print_exception(error, file=sys.stderr)
                measures.append(Measure(stage, "", failed={"all": f"{type(error).__name__}: {error}"}))
        print()
        for measured in measures:
            measured.failed |= failed
    if options.data:
        measures += await recall(options)
    return measures


async def recall(options: argparse.Namespace) -> list[Measure]:
    """Measure recall with the data, if it takes no longer than a stage may."""
    try:
        async with asyncio.timeout(STAGE_SECONDS):
            return await measure_recall(options.data, options.system or NAMES, conversations=options.conversations)
    except Exception as error:  # noqa: BLE001 - the other figures are kept
        traceback.print_exception(error, file=sys.stderr)
        return [Measure("recall", "", failed={"all": f"{type(error).__name__}: {error}"})]


def settings(options: argparse.Namespace) -> dict[str, Any]:
    """When, where and with what the figures were measured."""
    machine = f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
    return {
        "measured": datetime.now(UTC).isoformat(timespec="minutes"),
        "machine": f"{machine}, load {os.getloadavg()[0]:.1f} before" + (", shared" if options.shared else ""),
        "versions": ", ".join(f"{name} {version}" for name, version in versions().items()),
        "memories": f"{options.users} users with 40 each",
        "model": ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in MODEL.items()),
    }


def report(measures: Sequence[Measure], setting: dict[str, Any]) -> str:
    """The section of README.md."""
    measured = [one for one in measures if one.values]
    compared = [one for one in measured if BARE not in one.values or "at once" in one.name]
    parts = [
        ratio_table(compared, KEEPSAKE, NAMES),
        "![Ratios](results/peers.png)",
        median_table(measured, (*NAMES, BARE)),
        setting_text(setting) + ".",
    ]
    if missing := failures(measures):
        parts += ["Missing or incomplete:", "\n".join(missing)]
    return "\n\n".join(parts)


def write(measures: Sequence[Measure], setting: dict[str, Any]) -> None:
    """Write results/peers.json, the plot and the section of README.md."""
    figures = {one.name: one.as_json(KEEPSAKE) for one in measures}
    (RESULTS / "peers.json").write_text(json.dumps({"setting": setting, "figures": figures}, indent=1) + "\n")
    plot([one for one in measures if BARE not in one.values], KEEPSAKE, RESULTS / "peers.png")
    replace_section(HERE / "README.md", "peers", report(measures, setting))


def main() -> None:
    """Measure, print the report and, unless only a part was measured, write it."""
    parser = argparse.ArgumentParser(description="Compare Keepsake with other systems.")
    parser.add_argument("--stage", action="append", choices=STAGES, help="only this one; writes nothing")
    parser.add_argument("--system", action="append", choices=NAMES, help="only this one; writes nothing")
    parser.add_argument("--users", type=int, default=USERS)
    parser.add_argument("--rounds", type=float, default=1.0, help="factor for the numbers of rounds")
    parser.add_argument("--data", type=Path, help="a directory with locomo10.json: measure recall, too")
    parser.add_argument("--conversations", type=int, default=4, help="of LoCoMo's ten")
    parser.add_argument("--quick", action="store_true", help="few users and rounds; writes nothing")
    parser.add_argument("--shared", action="store_true", help="note that other work ran on the machine")
    options = parser.parse_args()
    if options.quick:
        options.users, options.rounds = 70, 0.1
    setting = settings(options)
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        measures = runner.run(measure(options))
    print(report(measures, setting))
    if not (options.quick or options.stage or options.system):
        write(measures, setting)


if __name__ == "__main__":
    main()
