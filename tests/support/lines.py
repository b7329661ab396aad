"""Lines of memories, sent to a gateway and fetched from it."""

import json
from collections.abc import AsyncIterator, Iterable

import httpx

from support.client import Json, Person

KEY = "sk-proj-" + "a1B2" * 12
THREAD, MESSAGE = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
FULL = {
    "id": "33333333-3333-4333-8333-333333333333",
    "kind": "user",
    "text": "Lives in Oslo",
    "ts": "2026-05-01T09:30:00.000007+00:00",
    "source_thread": THREAD,
    "category": "project",
    "confidence": 0.85,
    "sources": [{"thread": THREAD, "message": MESSAGE, "quote": "I live in Oslo", "ts": "2026-05-01T09:30:00+00:00"}],
    "confirmed": 3,
    "last_seen": "2026-06-01T09:30:00+00:00",
}


def lines_of(*lines: Json) -> bytes:
    return "\n".join(map(json.dumps, lines)).encode()


async def send(person: Person, body: bytes | AsyncIterator[bytes], **headers: str) -> httpx.Response:
    return await person.http.post("/memories/import", content=body, headers=headers, timeout=60)


async def import_lines(person: Person, *lines: Json) -> Json:
    return dict((await send(person, lines_of(*lines))).raise_for_status().json())


async def export_lines(person: Person) -> list[Json]:
    answer = (await person.http.get("/memories/export")).raise_for_status()
    assert answer.headers["content-type"] == "application/x-ndjson"
    return sorted(map(json.loads, answer.text.splitlines()), key=lambda line: str(line.get("id")))


async def refused(person: Person, body: bytes | AsyncIterator[bytes]) -> str:
    """Return why a body is refused; nothing of it is stored."""
    answer = await send(person, body)
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert await export_lines(person) == []
    return str(answer.json()["detail"])


def texts_of(lines: Iterable[Json]) -> set[str]:
    return {line["text"] for line in lines if "text" in line}
