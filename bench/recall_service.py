"""Measure recall as a client: import memories and search them over HTTP."""

import json
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx

from .recall_sets import Account, Row

LIMIT = 10
_LINE = re.compile(r"line (\d+): (.*)")


@dataclass(slots=True)
class ServiceStats:
    """Counts and durations of imports and searches."""

    rows: int = 0
    import_seconds: float = 0.0
    rejected: list[str] = field(default_factory=list)
    """Reasons and texts of rejected memories; questions that need them count as missed."""
    search_ms: list[float] = field(default_factory=list)


@asynccontextmanager
async def signed_in(url: str, name: str) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client signed in as a user."""
    async with httpx.AsyncClient(base_url=url, timeout=600, trust_env=False) as http:
        answer = await http.post("/dev/token", json={"user": name})
        http.headers["Authorization"] = f"Bearer {answer.raise_for_status().json()['access_token']}"
        yield http


async def search_service(url: str, account: Account, stats: ServiceStats) -> list[list[str]]:
    """Import an account and search for its questions; returns the ids found per question, best first."""
    async with signed_in(url, account.name) as http:
        await import_account(http, account, stats)
        answers = []
        for question in account.questions:
            started = time.perf_counter()
            answer = await http.get("/memories", params={"q": question.text, "limit": LIMIT})
            stats.search_ms.append(1000 * (time.perf_counter() - started))
            answers.append([memory["id"] for memory in answer.raise_for_status().json()["items"]])
        return answers


async def import_account(http: httpx.AsyncClient, account: Account, stats: ServiceStats) -> None:
    """Import an account's memories, without those that the service rejects."""
    lines = [_line(account, row) for row in account.rows]
    while True:
        started = time.perf_counter()
        answer = await http.post("/memories/import", content="\n".join(lines))
        stats.import_seconds += time.perf_counter() - started
        if answer.is_success:
            assert answer.json()["imported"] == len(lines)
            stats.rows += len(lines)
            return
        refused = _LINE.match(answer.json()["detail"])
        assert refused, answer.text
        stats.rejected.append(f"{refused[2]}: {json.loads(lines.pop(int(refused[1]) - 1))['text']}")


def _line(account: Account, row: Row) -> str:
    line = {"id": row.id, "kind": account.kind, "text": row.text, "source_thread": row.thread}
    return json.dumps(line | ({"ts": row.ts} if row.ts else {}))
