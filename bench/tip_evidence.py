"""The share of LoCoMo's evidence in the prompt, by tip size; see README.md."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .recall_report import interval
from .recall_service import ServiceStats, import_account
from .recall_sets import Account, Question, RecallSet, all_sets
from .tip_service import Recalled, Service, for_each, running

SIZES = (900, 2_000, 8_000)
"""In characters."""
SETS = ("LoCoMo, turns", "LoCoMo, observations")


@dataclass(frozen=True, slots=True)
class SetResult:
    """The prompts for a set's questions with one tip size."""

    max_chars: int
    is_second: bool = False
    """Whether each question is the second message of its thread."""
    questions: list[Question] = field(default_factory=list)
    answers: list[Recalled] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """All figures, for JSON."""
        asked = zip(self.questions, self.answers, strict=True)
        shares = np.array([_share(question, answer) for question, answer in asked])
        categories = np.array([question.category for question in self.questions])
        low, high = interval([question.cluster for question in self.questions], shares)
        return {
            "characters": self.max_chars,
            "message of its thread": 2 if self.is_second else 1,
            "evidence inside": round(float(shares.mean()), 4),
            "interval": [round(low, 4), round(high, 4)],
            "by category": {name: round(float(shares[categories == name].mean()), 4) for name in sorted({*categories})},
            "memories": round(float(np.mean([len(answer.memories) for answer in self.answers])), 1),
            "mean characters": round(float(np.mean([answer.tip_chars for answer in self.answers]))),
        }


async def evidence(data: Path, accounts: int | None) -> dict[str, Any]:
    """Measure LoCoMo's evidence in the prompt and print a table.

    Args:
        data: directory with locomo10.json.
        accounts: number of conversations; None: all.
    """
    sets = [RecallSet(each.title, each.accounts[:accounts]) for each in all_sets(data) if each.title in SETS]
    found = []
    for each in sets:
        tips = [await _measure_size(each.accounts, SetResult(size)) for size in SIZES]
        tips.append(await _measure_size(each.accounts, SetResult(SIZES[0], is_second=True)))
        found.append({"set": each.title, "questions": len(tips[0].questions), "tips": [tip.as_json() for tip in tips]})
        _print_table(found[-1])
    return {"embedder": "all-MiniLM-L6-v2", "sets": found}


async def _measure_size(accounts: Sequence[Account], result: SetResult) -> SetResult:
    """Import the accounts and send each question to a new thread; questions are not recalled in other threads."""
    # No formation, and therefore no compaction of old episodes: each memory is measured by itself.
    options = {"ENABLE_FACT_EXTRACTION": "false", "KEEPSAKE_TIP_MAX_CHARS": str(result.max_chars)}
    async with running(**options) as service:
        answers = await for_each(accounts, lambda account: _ask(service, account, is_second=result.is_second))
        assert not service.degraded, service.degraded
    for account, recalled in zip(accounts, answers, strict=True):
        result.questions.extend(account.questions)
        result.answers.extend(recalled)
    return result


async def _ask(service: Service, account: Account, *, is_second: bool) -> list[Recalled]:
    user, stats = await service.user(), ServiceStats()
    async with user.client() as http:
        await import_account(http, account, stats)
    for rejected in stats.rejected:
        print(f"rejected: {rejected}")
    if not is_second:
        return [await user.say(question.text) for question in account.questions]
    answers, previous = [], account.questions[-1]
    for question in account.questions:
        thread = str(uuid.uuid4())
        await user.say(previous.text, thread)
        answers.append(await user.say(question.text, thread))
        previous = question
    return answers


def _share(question: Question, answer: Recalled) -> float:
    """The share of the relevant memories that are in the prompt."""
    ids = {memory["id"] for memory in answer.memories}
    return sum(target in ids for target in question.targets) / len(question.targets)


def _print_table(found: Mapping[str, Any]) -> None:
    print(f"\n{found['set']}: {found['questions']:,} questions")
    for tip in found["tips"]:
        low, high = tip["interval"]
        categories = "  ".join(f"{name} {share:.3f}" for name, share in tip["by category"].items())
        print(
            f"  {tip['characters']:7,} characters, message {tip['message of its thread']}  "
            f"inside {tip['evidence inside']:.3f} ({low:.3f}-{high:.3f})  "
            f"{tip['memories']:5.1f} memories, {tip['mean characters']:5,} characters  {categories}"
        )
