"""LoCoMo's recall at 10 of the systems of `make bench`, with MiniLM as the embedding model of all."""

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .peer_figures import Measure
from .peer_processes import Setting, model_process, open_systems
from .peer_stages import ERRORS, LIMIT
from .peer_systems import DEV, MemorySystem, Note
from .recall_sets import Account, all_sets

QUESTIONS = 60
"""Of each conversation, drawn at random; the same for all systems."""
BATCH = 100


async def measure_recall(data: Path, names: Sequence[str], *, conversations: int) -> list[Measure]:
    """Share of the relevant turns among the first ten results; one value per conversation.

    Each conversation is the memory of one user. `langgraph dev` ranks as LangGraph's store and is omitted.
    """
    measure = Measure("LoCoMo, recall at 10", "", higher_is_better=True)
    accounts = all_sets(data)[0].accounts[:conversations]
    with tempfile.TemporaryDirectory(prefix="keepsake-bench-") as folder, model_process(minilm=True) as model:
        setting = Setting(model, Path(folder), 0, range(len(accounts)))
        async with open_systems(setting, [name for name in names if name != DEV]) as (systems, failed):
            measure.failed |= failed
            for system in systems:
                try:
                    for user, account in enumerate(accounts):
                        await _store(system, user, account)
                    for user, account in enumerate(accounts):
                        measure.add(system.name, await _recall(system, user, account))
                except ERRORS as error:
                    measure.failed[system.name] = f"{type(error).__name__}: {error}"[:200]
    return [measure]


async def _store(system: MemorySystem, user: int, account: Account) -> None:
    notes = [Note(row.id, row.text, row.thread, row.ts) for row in account.rows]
    for start in range(0, len(notes), BATCH):
        await system.put(user, notes[start : start + BATCH])


async def _recall(system: MemorySystem, user: int, account: Account) -> float:
    pick = random.Random(4)
    asked = pick.sample(account.questions, min(QUESTIONS, len(account.questions)))
    found = 0.0
    for question in asked:
        ids = await system.search(user, question.text, LIMIT)
        found += len(question.targets & set(ids)) / len(question.targets)
    return found / len(asked)
