"""The share of LoCoMo's evidence that the tip contains, by tip size; see README.md."""

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
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
from gateway.auth.local import LOCAL_ISSUER
from gateway.auth.principal import user_label

from .processes import process
from .recall_report import BASELINE_COLOUR, KEEPSAKE_COLOUR, interval
from .recall_service import ServiceStats, import_account, signed_in
from .recall_sets import Account, Question, RecallSet, all_sets

BUDGETS = (300, 600, 900, 2_000, 8_000)
SETS = ("LoCoMo, turns", "LoCoMo, observations")
AS_SHIPPED, FULL = "default limit", "up to 100 per kind"
MAX_MEMORIES = 100
"""Memories per kind if only the size limits the tip."""
DEADLINE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class TipResult:
    """The tips of one size for a set's questions."""

    max_chars: int
    limit: int
    shares: list[float] = field(default_factory=list)
    """Share of the evidence in the tip, per question."""
    memories: list[int] = field(default_factory=list)
    chars: list[int] = field(default_factory=list)

    def add(self, recalled: RecallResult, texts: Sequence[str]) -> None:
        """Write the tip of a question and check which of the evidence texts it contains."""
        tip = write_tip(RecallResult(recalled.hits[: self.limit]), TipBudget(self.max_chars))
        assert len(tip) <= self.max_chars
        bullets = {line.removeprefix("- ") for line in tip.splitlines() if line.startswith("- ")}
        self.shares.append(sum(neutralise(text) in bullets for text in texts) / len(texts))
        self.memories.append(len(bullets))
        self.chars.append(len(tip))

    def as_json(self, questions: Sequence[Question]) -> dict[str, Any]:
        """All figures, for JSON."""
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
class SetResult:
    """A set's questions and the tips of each size, by memory limit."""

    recall_set: RecallSet
    results: Mapping[str, Sequence[TipResult]]
    questions: list[Question] = field(default_factory=list)

    @classmethod
    def empty(cls, of: RecallSet) -> "SetResult":
        """A result without questions."""
        shipped = [
            TipResult(most, AgentSettings(_env_file=None, tip_max_chars=most).recall_limit_per_kind) for most in BUDGETS
        ]
        return cls(of, {AS_SHIPPED: shipped, FULL: [TipResult(most, MAX_MEMORIES) for most in BUDGETS]})

    async def add_account(self, recaller: Recaller, store: BaseStore, account: Account) -> None:
        """Recall memories once per question of an account and write all its tips."""
        user = user_label(LOCAL_ISSUER, account.name)
        texts = {row.id: row.text for row in account.rows}
        for question in account.questions:
            recalled = await recaller.recall(store, user, question.text, context_messages=set())
            assert not recalled.degraded
            for result in (one for each in self.results.values() for one in each):
                result.add(recalled, [texts[target] for target in question.targets])
            self.questions.append(question)

    def as_json(self) -> dict[str, Any]:
        """All figures, for JSON."""
        tips = {bound: [one.as_json(self.questions) for one in held] for bound, held in self.results.items()}
        return {"set": self.recall_set.title, "questions": len(self.questions), "tips": tips}


async def measure(sets: Sequence[RecallSet], stats: ServiceStats) -> list[SetResult]:
    """Start the service, import all accounts and recall memories for all questions."""
    measured = [SetResult.empty(each) for each in sets]
    async with AsyncExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="keepsake-bench-")))
        serve = ("gateway.cli", "serve", "--port", "0")
        # No compaction of old episodes: each memory is measured by itself.
        url = stack.enter_context(
            process(*serve, work_dir=data, KEEPSAKE_DATA_DIR=str(data), ENABLE_FACT_EXTRACTION="false")
        )
        settings = AgentSettings(data_dir=data, _env_file=None)
        uri = await stack.enter_async_context(open_database(settings))
        embeddings = make_embeddings(settings, None)
        store = await stack.enter_async_context(open_store(settings, uri, embeddings))
        recaller = Recaller(embeddings, MAX_MEMORIES, DEADLINE_SECONDS)
        for each in measured:
            for account in each.recall_set.accounts:
                async with signed_in(url, account.name) as http:
                    await import_account(http, account, stats)
                await each.add_account(recaller, store, account)
                print(".", end="", flush=True)
    return measured


def print_tables(found: Mapping[str, Any]) -> None:
    """Print a table per set."""
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
    """Plot the share of the evidence by tip size, one panel per set."""
    canvas = Canvas(figsize=(9, 3.6), layout="constrained")
    panels = canvas.subplots(1, len(found["sets"]), sharey=True, squeeze=False)
    for axes, each in zip(panels[0], found["sets"], strict=True):
        for (bound, tips), color in zip(each["tips"].items(), (KEEPSAKE_COLOUR, BASELINE_COLOUR), strict=True):
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
        axes.set_xlabel("size of the tip in characters")
    panels[0, 0].set_ylabel("share of the evidence in the tip")
    panels[0, 0].legend(title="memories per kind", frameon=False, loc="upper left")
    canvas.savefig(path, dpi=150)


async def evidence(data: Path, accounts: int | None) -> dict[str, Any]:
    """Measure LoCoMo's evidence in the tip and print tables.

    Args:
        data: directory with locomo10.json.
        accounts: number of conversations; None: all.
    """
    sets = [each for each in all_sets(data) if each.title in SETS]
    if accounts:
        sets = [RecallSet(each.title, each.accounts[:accounts]) for each in sets]
    stats = ServiceStats()
    measured = await measure(sets, stats)
    found = {
        "embedder": "all-MiniLM-L6-v2",
        "memories": stats.rows,
        "refused": len(stats.rejected),
        "sets": [each.as_json() for each in measured],
    }
    print_tables(found)
    for rejected in stats.rejected:
        print(f"rejected: {rejected}")
    return found
