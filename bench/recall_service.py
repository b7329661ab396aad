"""Recall as a client has it: memories go in by import, and come back by search, over HTTP."""

import json
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx

from .recall_sets import Account, Row

MOST = 10
_LINE = re.compile(r"line (\d+): (.*)")


@dataclass(slots=True)
class Taken:
    """What it took to bring memories in, and to search them."""

    rows: int = 0
    import_seconds: float = 0.0
    refused: list[str] = field(default_factory=list)
    """Why memories were not taken, which are missed from then on."""
    search_ms: list[float] = field(default_factory=list)


@asynccontextmanager
async def signed_in(url: str, name: str) -> AsyncIterator[httpx.AsyncClient]:
    """Sign in."""
    async with httpx.AsyncClient(base_url=url, timeout=600, trust_env=False) as http:
        answer = await http.post("/dev/token", json={"user": name})
        http.headers["Authorization"] = f"Bearer {answer.raise_for_status().json()['access_token']}"
        yield http


async def ask_service(url: str, account: Account, taken: Taken) -> list[list[str]]:
    """Import an account, ask its questions, and return the ids that each is answered with, best first."""
    async with signed_in(url, account.name) as http:
        await bring_in(http, account, taken)
        answers = []
        for question in account.questions:
            began = time.perf_counter()
            answer = await http.get("/memories", params={"q": question.text, "limit": MOST})
            taken.search_ms.append(1000 * (time.perf_counter() - began))
            answers.append([memory["id"] for memory in answer.raise_for_status().json()["items"]])
        return answers


async def bring_in(http: httpx.AsyncClient, account: Account, taken: Taken) -> None:
    """Bring an account's memories in; those that are refused are left out."""
    lines = [_line(account, row) for row in account.rows]
    while True:
        began = time.perf_counter()
        answer = await http.post("/memories/import", content="\n".join(lines))
        taken.import_seconds += time.perf_counter() - began
        if answer.is_success:
            assert answer.json() == {"imported": len(lines), "unchanged": 0}
            taken.rows += len(lines)
            return
        refused = _LINE.match(answer.json()["detail"])
        assert refused, answer.text
        taken.refused.append(f"{refused[2]}: {json.loads(lines.pop(int(refused[1]) - 1))['text']}")


def _line(account: Account, row: Row) -> str:
    line = {"id": row.id, "kind": account.kind, "text": row.text, "source_thread": row.thread}
    return json.dumps(line | ({"ts": row.ts} if row.ts else {}))
