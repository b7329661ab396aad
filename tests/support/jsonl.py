"""Lines of memories, sent to a gateway and fetched from it."""

import json
from collections.abc import AsyncIterator, Iterable

import httpx

from support.client import ApiClient, Json

CREDENTIAL = "sk-proj-" + "a1B2" * 12
THREAD_ID, MESSAGE_ID = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
FULL_RECORD: Json = {
    "id": "33333333-3333-4333-8333-333333333333",
    "kind": "user",
    "text": "Lives in Oslo",
    "ts": "2026-05-01T09:30:00.000007+00:00",
    "source_thread": THREAD_ID,
    "category": "project",
    "confidence": 0.85,
    "sources": [
        {"thread": THREAD_ID, "message": MESSAGE_ID, "quote": "I live in Oslo", "ts": "2026-05-01T09:30:00+00:00"}
    ],
    "confirmed": 3,
    "last_seen": "2026-06-01T09:30:00+00:00",
}


def to_jsonl(*lines: Json) -> bytes:
    return "\n".join(map(json.dumps, lines)).encode()


async def post_import(client: ApiClient, body: bytes | AsyncIterator[bytes], **headers: str) -> httpx.Response:
    return await client.http.post("/memories/import", content=body, headers=headers, timeout=60)


async def import_records(client: ApiClient, *lines: Json) -> Json:
    return dict((await post_import(client, to_jsonl(*lines))).raise_for_status().json())


async def export_records(client: ApiClient) -> list[Json]:
    answer = (await client.http.get("/memories/export")).raise_for_status()
    assert answer.headers["content-type"] == "application/x-ndjson"
    return sorted(map(json.loads, answer.text.splitlines()), key=lambda line: str(line.get("id")))


async def import_error(client: ApiClient, body: bytes | AsyncIterator[bytes]) -> str:
    """Return why a body is refused; nothing of it is stored."""
    answer = await post_import(client, body)
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert await export_records(client) == []
    return str(answer.json()["detail"])


def record_texts(lines: Iterable[Json]) -> set[str]:
    return {line["text"] for line in lines if "text" in line}
