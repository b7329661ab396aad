"""How much of what answers a question is recalled: through the service, beside other ways. See README.md, here."""

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

from .bench_turn import spread
from .processes import process
from .recall_ranking import COSINE, SHIPPED, WITHOUT_WINDOW, WORDS, Asked, Weights, agreeing, asked, recalls
from .recall_report import Compared, Recall, plot
from .recall_service import MOST, Taken, ask_service
from .recall_sets import RecallSet, all_sets
from .recall_sweep import LENGTH, Swept, leave_one_out, table

RESULTS = Path(__file__).parent / "results"
HALF = 5
OTHERS = {"cosine": COSINE, "words": WORDS, "ours without the window": WITHOUT_WINDOW}
OURS = "ours"


@dataclass(frozen=True, slots=True)
class Measured:
    """A set: what the service answered, and what it chose from."""

    of: RecallSet
    asked: list[Asked] = field(default_factory=list)
    answers: list[list[str]] = field(default_factory=list)

    def compared(self) -> Compared:
        """Set the service beside the others."""
        questions = tuple(each.question for each in self.asked)
        methods = {name: self._other(weights) for name, weights in OTHERS.items()}
        methods[OURS] = Recall(questions, self._answered(HALF), self._answered(MOST))
        return Compared(self.of.title, sum(len(account.rows) for account in self.of.accounts), methods)

    def _other(self, weights: Weights) -> Recall:
        questions = tuple(each.question for each in self.asked)
        return Recall(questions, recalls(self.asked, weights, HALF), recalls(self.asked, weights, MOST))

    def _answered(self, most: int) -> np.ndarray[Any, np.dtype[np.float64]]:
        pairs = zip(self.asked, self.answers, strict=True)
        return np.array(
            [len(one.question.targets & set(keys[:most])) / len(one.question.targets) for one, keys in pairs]
        )


async def measure(sets: Sequence[RecallSet], taken: Taken) -> list[Measured]:
    """Start the service, bring everything in, ask everything, and read what it was chosen from."""
    embed = MiniLM().embed_documents
    measured = [Measured(each) for each in sets]
    async with AsyncExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="keepsake-bench-")))
        serve = ("gateway.cli", "serve", "--port", "0")
        url = stack.enter_context(process(*serve, work_dir=data, KEEPSAKE_DATA_DIR=str(data)))
        uri = await stack.enter_async_context(open_database(AgentSettings(data_dir=data, _env_file=None)))
        connection = await stack.enter_async_context(
            await psycopg.AsyncConnection.connect(uri, autocommit=True, row_factory=dict_row)
        )
        for each in measured:
            for account in each.of.accounts:
                each.answers.extend(await ask_service(url, account, taken))
                each.asked.extend(await asked(connection, account, embed))
                print(".", end="", flush=True)
    return measured


def swept(measured: Sequence[Measured]) -> dict[str, Any]:
    """Choose the weights anew: by the turns alone, and by all sets of these conversations alike."""
    sets = {each.of.title: Swept.of(each.asked) for each in measured}
    titles = [each.of.title for each in measured if len(each.of.accounts) > 1]
    return {
        "shipped": str(SHIPPED),
        "one conversation left out": [
            leave_one_out(sets, chosen_by=chosen_by, length=length)
            for length, chosen_by in itertools.product(LENGTH, (titles[:1], titles))
        ],
        "R@10 of all": list(table(sets)),
    }


def figures(measured: Sequence[Measured], taken: Taken) -> dict[str, Any]:
    """Return what was measured, in numbers."""
    same = [one for each in measured for one in agreeing(each.asked, each.answers)]
    return {
        "setting": {
            "when": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
            "embedder": "all-MiniLM-L6-v2",
            "weights shipped": asdict(SHIPPED),
        },
        "import": {
            "memories": taken.rows,
            "seconds": round(taken.import_seconds, 1),
            "refused": len(taken.refused),
        },
        "search over HTTP, with its embedding (ms)": spread(taken.search_ms),
        "numpy agrees with the service": round(float(np.mean(same)), 4),
        "sets": [each.compared().as_json() for each in measured],
    }


def main() -> None:
    """Measure, print tables, and keep the figures in results/recall.json and recall.png."""
    parser = argparse.ArgumentParser(description="How much of what answers a question is recalled.")
    parser.add_argument("data", type=Path, help="a folder with locomo10.json")
    parser.add_argument("--sweep", action="store_true", help="also choose the weights anew, one conversation left out")
    given = parser.parse_args()
    sets, taken = all_sets(given.data), Taken()
    measured = asyncio.run(measure(sets, taken))
    found = figures(measured, taken)
    compared = [each.compared() for each in measured]
    for each in compared:
        each.print()
    for refused in taken.refused:
        print(f"refused: {refused}")
    print("\n" + json.dumps({name: value for name, value in found.items() if name != "sets"}, indent=2))
    if given.sweep:
        found["sweep"] = swept(measured)
        print(json.dumps(found["sweep"]["one conversation left out"], indent=2))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "recall.json").write_text(json.dumps(found, indent=2) + "\n")
    plot(compared, RESULTS / "recall.png")


if __name__ == "__main__":
    main()
