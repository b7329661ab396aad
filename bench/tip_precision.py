"""PrecisionMemBench's single questions, asked over HTTP; see README.md."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .tip_figures import Figure, Result
from .tip_service import CONCURRENCY, Recalled, Service, User, ask_all, for_each

SEED, CASES = "beliefs.seed.json", "retrieval.cases.json"
USER = "test-user"
UNIVERSAL = "user:universal"


@dataclass(frozen=True, slots=True)
class Case:
    """A question, the beliefs that may be recalled for it, and those that a prompt must contain anyway."""

    query: str
    relevant: frozenset[str]
    always: frozenset[str]


async def precision(service: Service, data: Path) -> list[Result]:
    """Add the beliefs as memories, and ask each question in a new thread, which is deleted afterwards."""
    beliefs, cases = _beliefs(data), _cases(data)
    standing = {belief["_id"] for belief in beliefs if belief["pinned"] or _kind(belief) == "procedural"}
    users = [await service.user() for _ in range(CONCURRENCY)]
    of_id = {memory: name for ids in await for_each(users, lambda user: _add(user, beliefs)) for memory, name in ids}
    answers = await ask_all(users, [case.query for case in cases])

    def names(memories: Sequence[dict[str, Any]]) -> set[str]:
        return {of_id[memory["id"]] for memory in memories if memory["id"] in of_id}

    def found_by_relevance(answer: Recalled) -> set[str]:
        return names(answer.by_relevance) - standing

    asked = list(zip(cases, answers, strict=True))
    quiet = [bool(found_by_relevance(answer)) for case, answer in asked if not case.relevant]
    needed = [name in names(answer.memories) for case, answer in asked for name in sorted(case.relevant | case.always)]
    precise = [
        len(found & case.relevant) / len(found) if (found := found_by_relevance(answer)) else 0.0
        for case, answer in asked
        if case.relevant
    ]
    return [
        Figure("no belief is relevant: something is recalled", _mean(quiet)),
        Figure("required beliefs in the prompt", _mean(needed)),
        Figure("some are relevant: share of relevant ones among the recalled", _mean(precise)),
    ]


async def _add(user: User, beliefs: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """Add beliefs as memories; returns (id of the memory, id of the belief) pairs."""
    return [
        (await user.add(_text(belief), _kind(belief), pinned=bool(belief["pinned"])), str(belief["_id"]))
        for belief in beliefs
    ]


def _text(belief: dict[str, Any]) -> str:
    aliases = ", ".join(belief["aliases"])
    return f"{belief['content']} ({aliases})" if aliases else str(belief["content"])


def _kind(belief: dict[str, Any]) -> str:
    """How the user wants to be helped everywhere is procedural."""
    return "procedural" if belief["type"] == "preference" and UNIVERSAL in belief["scope"] else "user"


def _beliefs(data: Path) -> list[dict[str, Any]]:
    """The beliefs that hold; Keepsake retires replaced ones, so they are not in a search."""
    rows: list[dict[str, Any]] = json.loads((data / SEED).read_text())
    return [
        row
        for row in rows
        if row["user_id"] == USER and row["epistemic_status"] != "superseded" and not row["resolved_at"]
    ]


def _cases(data: Path) -> list[Case]:
    """The questions, without empty ones, other users' and those that limit the number of beliefs."""
    rows = json.loads((data / CASES).read_text())
    return [
        Case(
            row["query"],
            frozenset(row["expect"].get("relevantBeliefs", {}).get("shouldOnlyInclude", ())),
            frozenset(
                name
                for tier in ("pinnedFacts", "openQuestions")
                for name in row["expect"].get(tier, {}).get("mustInclude", ())
            ),
        )
        for row in rows
        if row["query"].strip() and "userId" not in row and "budget" not in row
    ]


def _mean(values: Sequence[float]) -> dict[str, float]:
    return {"share": round(sum(values) / len(values), 4), "of": len(values)}
