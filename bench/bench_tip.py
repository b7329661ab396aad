"""How much of what answers a question stands in the tip, by its length. See README.md, here."""

import argparse
import asyncio
import json
import os
import platform
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from langgraph.store.base import BaseStore
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import ScalarFormatter

from agent.database import open_database
from agent.memory.recall.recall import Recaller
from agent.memory.recall.tip import TipBudget, neutralise, write_tip
from agent.models.embeddings import make_embeddings
from agent.settings import AgentSettings
from agent.store.factory import open_store
from agent.types import RecallResult
from gateway.auth.local import LOCAL_ISSUER, label

from .processes import process
from .recall_report import OTHERS, OURS, interval
from .recall_service import Taken, bring_in, signed_in
from .recall_sets import Account, Question, RecallSet, all_sets

RESULTS = Path(__file__).parent / "results"
BUDGETS = (300, 600, 900, 2_000, 8_000)
SETS = ("LoCoMo, turns", "LoCoMo, observations")
AS_SHIPPED, FULL = "as shipped", "as many as fit"
MOST = 100
"""Memories of a kind, where only the budget bounds them."""
DEADLINE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Held:
    """What the tips of one length hold of a set's questions."""

    max_chars: int
    limit: int
    shares: list[float] = field(default_factory=list)
    """Of each question's evidence, how much."""
    memories: list[int] = field(default_factory=list)
    chars: list[int] = field(default_factory=list)

    def add(self, recalled: RecallResult, texts: Sequence[str]) -> None:
        """Write a question's tip, and see which of the texts that answer it stand there."""
        tip = write_tip(RecallResult(recalled.hits[: self.limit]), TipBudget(self.max_chars))
        assert len(tip) <= self.max_chars
        bullets = {line.removeprefix("- ") for line in tip.splitlines() if line.startswith("- ")}
        self.shares.append(sum(neutralise(text) in bullets for text in texts) / len(texts))
        self.memories.append(len(bullets))
        self.chars.append(len(tip))

    def as_json(self, questions: Sequence[Question]) -> dict[str, Any]:
        """Return everything, in numbers."""
        shares = np.array(self.shares)
        categories = np.array([question.category for question in questions])
        low, high = interval([question.cluster for question in questions], shares)
        return {
            "characters": self.max_chars,
            "memories of a kind": self.limit,
            "evidence inside": round(float(shares.mean()), 4),
            "interval": [round(low, 4), round(high, 4)],
            "by category": {name: round(float(shares[categories == name].mean()), 4) for name in sorted({*categories})},
            "memories": round(float(np.mean(self.memories)), 1),
            "mean characters": round(float(np.mean(self.chars))),
        }


@dataclass(frozen=True, slots=True)
class Measured:
    """A set's questions, and what tips of each length hold, by how the number of memories is bounded."""

    of: RecallSet
    held: Mapping[str, Sequence[Held]]
    questions: list[Question] = field(default_factory=list)

    @classmethod
    def begin(cls, of: RecallSet) -> "Measured":
        """Begin with nothing."""
        shipped = [
            Held(most, AgentSettings(_env_file=None, tip_max_chars=most).recall_limit_per_kind) for most in BUDGETS
        ]
        return cls(of, {AS_SHIPPED: shipped, FULL: [Held(most, MOST) for most in BUDGETS]})

    async def ask(self, recaller: Recaller, store: BaseStore, account: Account) -> None:
        """Recall what each question of an account brings to mind, once, and write all tips of it."""
        user = label(LOCAL_ISSUER, account.name)
        texts = {row.id: row.text for row in account.rows}
        for question in account.questions:
            recalled = await recaller.recall(store, user, question.text, context_messages=set())
            assert not recalled.degraded
            for held in (one for each in self.held.values() for one in each):
                held.add(recalled, [texts[target] for target in question.targets])
            self.questions.append(question)

    def as_json(self) -> dict[str, Any]:
        """Return everything, in numbers."""
        tips = {bound: [one.as_json(self.questions) for one in held] for bound, held in self.held.items()}
        return {"set": self.of.title, "questions": len(self.questions), "tips": tips}


async def measure(sets: Sequence[RecallSet], taken: Taken) -> list[Measured]:
    """Start the service, bring everything in, and ask memory everything."""
    measured = [Measured.begin(each) for each in sets]
    async with AsyncExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="keepsake-bench-")))
        serve = ("gateway.cli", "serve", "--port", "0")
        # Folding up old episodes is left out: what is measured is single memories.
        url = stack.enter_context(
            process(*serve, work_dir=data, KEEPSAKE_DATA_DIR=str(data), ENABLE_FACT_EXTRACTION="false")
        )
        settings = AgentSettings(data_dir=data, _env_file=None)
        uri = await stack.enter_async_context(open_database(settings))
        embeddings = make_embeddings(settings, None)
        store = await stack.enter_async_context(open_store(settings, uri, embeddings))
        recaller = Recaller(embeddings, MOST, DEADLINE_SECONDS)
        for each in measured:
            for account in each.of.accounts:
                async with signed_in(url, account.name) as http:
                    await bring_in(http, account, taken)
                await each.ask(recaller, store, account)
                print(".", end="", flush=True)
    return measured


def show(found: Mapping[str, Any]) -> None:
    """Print a table for each set."""
    for each in found["sets"]:
        print(f"\n{each['set']}: {each['questions']:,} questions")
        for bound, tips in each["tips"].items():
            print(f"  {bound}")
            for tip in tips:
                low, high = tip["interval"]
                categories = "  ".join(f"{name} {share:.3f}" for name, share in tip["by category"].items())
                print(
                    f"  {tip['characters']:7,} characters  inside {tip['evidence inside']:.3f} ({low:.3f}-{high:.3f})  "
                    f"{tip['memories']:5.1f} memories of up to {tip['memories of a kind']:3} a kind, "
                    f"{tip['mean characters']:5,} characters  {categories}"
                )


def plot(found: Mapping[str, Any], path: Path) -> None:
    """Draw how much is inside by length, a panel for each set."""
    canvas = Canvas(figsize=(9, 3.6), layout="constrained")
    panels = canvas.subplots(1, len(found["sets"]), sharey=True, squeeze=False)
    for axes, each in zip(panels[0], found["sets"], strict=True):
        for (bound, tips), color in zip(each["tips"].items(), (OURS, OTHERS), strict=True):
            lengths, shares = [tip["characters"] for tip in tips], [tip["evidence inside"] for tip in tips]
            bounds = np.abs(np.array([tip["interval"] for tip in tips]).T - shares)
            axes.errorbar(lengths, shares, yerr=bounds, color=color, marker="o", markersize=4, capsize=3, label=bound)
        axes.set_title(each["set"], loc="left", fontsize=10)
        axes.set_xscale("log")
        axes.set_xticks(BUDGETS)
        axes.xaxis.set_major_formatter(ScalarFormatter())
        axes.minorticks_off()
        axes.set_ylim(0, 1)
        axes.grid(axis="y", alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_xlabel("characters of the tip")
    panels[0, 0].set_ylabel("share of the evidence inside")
    panels[0, 0].legend(title="memories of a kind", frameon=False, loc="upper left")
    canvas.savefig(path, dpi=150)


def main() -> None:
    """Measure, print tables, and keep the figures in results/tip.json and tip.png."""
    parser = argparse.ArgumentParser(description="How much of what answers a question stands in the tip.")
    parser.add_argument("data", type=Path, help="a folder with locomo10.json")
    parser.add_argument("--accounts", type=int, help="only so many of the conversations; keeps nothing")
    given = parser.parse_args()
    sets = [each for each in all_sets(given.data) if each.title in SETS]
    if given.accounts:
        sets = [RecallSet(each.title, each.accounts[: given.accounts]) for each in sets]
    taken = Taken()
    measured = asyncio.run(measure(sets, taken))
    found = {
        "setting": {
            "when": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
            "embedder": "all-MiniLM-L6-v2",
            "memories": taken.rows,
            "refused": len(taken.refused),
        },
        "sets": [each.as_json() for each in measured],
    }
    show(found)
    for refused in taken.refused:
        print(f"refused: {refused}")
    if given.accounts:
        return
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "tip.json").write_text(json.dumps(found, indent=2) + "\n")
    plot(found, RESULTS / "tip.png")


if __name__ == "__main__":
    main()
