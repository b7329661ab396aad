"""Measure recall through the service and compare it with other rankings; see README.md."""

import argparse
import asyncio
import itertools
import json
import os
import platform
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from psycopg.rows import dict_row

from agent.database import open_database
from agent.models.minilm import MiniLM
from agent.settings import AgentSettings

from .bench_turn import summarise
from .processes import process
from .recall_ranking import (
    COSINE,
    SHIPPED,
    WITHOUT_NEIGHBOURS,
    WORDS,
    ScoredQuestion,
    Weights,
    agreement,
    recall_of,
    score_questions,
)
from .recall_report import Comparison, Recall, plot
from .recall_service import LIMIT, ServiceStats, search_service
from .recall_sets import RecallSet, all_sets
from .recall_sweep import LENGTH, SweepResult, leave_one_out, recall_by_weights

RESULTS = Path(__file__).parent / "results"
TOP_5 = 5
BASELINES = {"cosine": COSINE, "words": WORDS, "Keepsake, without neighbours": WITHOUT_NEIGHBOURS}
KEEPSAKE = "Keepsake"


@dataclass(frozen=True, slots=True)
class SetResult:
    """A set's questions and the service's results."""

    recall_set: RecallSet
    questions: list[ScoredQuestion] = field(default_factory=list)
    service_results: list[list[str]] = field(default_factory=list)

    def compared(self) -> Comparison:
        """Compare the service with the baselines."""
        questions = tuple(each.question for each in self.questions)
        methods = {name: self._baseline(weights) for name, weights in BASELINES.items()}
        methods[KEEPSAKE] = Recall(questions, self._service_recalls(TOP_5), self._service_recalls(LIMIT))
        return Comparison(
            self.recall_set.title, sum(len(account.rows) for account in self.recall_set.accounts), methods
        )

    def _baseline(self, weights: Weights) -> Recall:
        questions = tuple(each.question for each in self.questions)
        return Recall(questions, recall_of(self.questions, weights, TOP_5), recall_of(self.questions, weights, LIMIT))

    def _service_recalls(self, most: int) -> np.ndarray[Any, np.dtype[np.float64]]:
        pairs = zip(self.questions, self.service_results, strict=True)
        return np.array(
            [len(one.question.targets & set(keys[:most])) / len(one.question.targets) for one, keys in pairs]
        )


async def measure(sets: Sequence[RecallSet], stats: ServiceStats) -> list[SetResult]:
    """Start the service, import all accounts, run all searches and read the stored vectors."""
    embed = MiniLM().embed_documents
    measured = [SetResult(each) for each in sets]
    async with AsyncExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="keepsake-bench-")))
        serve = ("gateway.cli", "serve", "--port", "0")
        url = stack.enter_context(process(*serve, work_dir=data, KEEPSAKE_DATA_DIR=str(data)))
        uri = await stack.enter_async_context(open_database(AgentSettings(data_dir=data, _env_file=None)))
        connection = await stack.enter_async_context(
            await psycopg.AsyncConnection.connect(uri, autocommit=True, row_factory=dict_row)
        )
        for each in measured:
            for account in each.recall_set.accounts:
                each.service_results.extend(await search_service(url, account, stats))
                each.questions.extend(await score_questions(connection, account, embed))
                print(".", end="", flush=True)
    return measured


def sweep_weights(measured: Sequence[SetResult]) -> dict[str, Any]:
    """Select weights by leave-one-out: by the turns alone, and by all LoCoMo sets with equal weight."""
    sets = {each.recall_set.title: SweepResult.of(each.questions) for each in measured}
    titles = [each.recall_set.title for each in measured if len(each.recall_set.accounts) > 1]
    return {
        "shipped": str(SHIPPED),
        "one conversation left out": [
            leave_one_out(sets, chosen_by=chosen_by, length=length)
            for length, chosen_by in itertools.product(LENGTH, (titles[:1], titles))
        ],
        "R@10 of all": list(recall_by_weights(sets)),
    }


def make_report(measured: Sequence[SetResult], stats: ServiceStats) -> dict[str, Any]:
    """All figures, for JSON."""
    same = [one for each in measured for one in agreement(each.questions, each.service_results)]
    return {
        "setting": {
            "when": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
            "embedder": "all-MiniLM-L6-v2",
            "weights shipped": asdict(SHIPPED),
        },
        "import": {
            "memories": stats.rows,
            "seconds": round(stats.import_seconds, 1),
            "refused": len(stats.rejected),
        },
        "search over HTTP, with its embedding (ms)": summarise(stats.search_ms),
        "numpy agrees with the service": round(float(np.mean(same)), 4),
        "sets": [each.compared().as_json() for each in measured],
    }


def main() -> None:
    """Measure, print tables and write results/recall.json and recall.png."""
    parser = argparse.ArgumentParser(description="Measure recall.")
    parser.add_argument("data", type=Path, help="directory with locomo10.json")
    parser.add_argument("--sweep", action="store_true", help="also evaluate other weights, by leave-one-out")
    arguments = parser.parse_args()
    sets, stats = all_sets(arguments.data), ServiceStats()
    measured = asyncio.run(measure(sets, stats))
    found = make_report(measured, stats)
    compared = [each.compared() for each in measured]
    for each in compared:
        each.print()
    for rejected in stats.rejected:
        print(f"rejected: {rejected}")
    print("\n" + json.dumps({name: value for name, value in found.items() if name != "sets"}, indent=2))
    if arguments.sweep:
        found["sweep"] = sweep_weights(measured)
        print(json.dumps(found["sweep"]["one conversation left out"], indent=2))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "recall.json").write_text(json.dumps(found, indent=2) + "\n")
    plot(compared, RESULTS / "recall.png")


if __name__ == "__main__":
    main()
